#include "predict/roof/overlap_expression.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/core.h>

#include "core/identity/level.hpp"

namespace ridge::predict {

struct OverlapExpression::Node {
  enum class Kind { name, sum, max };
  Kind kind = Kind::name;
  std::string name;         ///< of a resource
  std::vector<Node> parts;  ///< of sum and max
  bool all = false;         ///< of sum and max: every resource
};

namespace {

using Node = OverlapExpression::Node;

constexpr int kDeepest = 64;  // parentheses: a hostile text must not end the stack
constexpr std::string_view kMemory = "memory";

bool stands_for(std::string_view name, std::string_view resource) {
  return name == resource || (name == kMemory && names_memory_level(resource));
}

double seconds_of(const Node& node, std::span<const ResourceTime> resources) {
  double largest = 0.0;
  double total = 0.0;
  const auto take = [&](double seconds) {
    largest = std::max(largest, seconds);
    total += seconds;
  };
  if (node.all || node.kind == Node::Kind::name) {
    for (const ResourceTime& resource : resources) {
      take(node.all || stands_for(node.name, resource.resource) ? resource.seconds : 0.0);
    }
  }
  for (const Node& part : node.parts) {
    take(seconds_of(part, resources));
  }
  return node.kind == Node::Kind::sum ? total : largest;
}

void collect(const Node& node, std::vector<std::string>& names) {
  if (node.kind == Node::Kind::name &&
      std::find(names.begin(), names.end(), node.name) == names.end()) {
    names.push_back(node.name);
  }
  for (const Node& part : node.parts) {
    collect(part, names);
  }
}

bool uses_all(const Node& node) {
  return node.all || std::any_of(node.parts.begin(), node.parts.end(), uses_all);
}

/// sum: term { "+" term }; term: "(" sum ")", max|sum ["(" sum {"," sum} ")"], or a name.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Node> whole() {
    auto node = sum(0);
    if (node && position_ != text_.size()) {
      return wrong("one operator too few");
    }
    return node;
  }

 private:
  tl::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorCode::usage,
                fmt::format("--overlap: {} at character {} of `{}`", why, position_ + 1,
                            text_.substr(0, 200)),
                "max, sum, or an expression such as 'max(compute, L1+L2+DRAM)'");
  }
  void skip_blanks() {
    while (position_ < text_.size() && text_[position_] == ' ') {
      ++position_;
    }
  }
  bool accept(char wanted) {
    skip_blanks();
    const bool found = position_ < text_.size() && text_[position_] == wanted;
    position_ += found ? 1 : 0;
    skip_blanks();
    return found;
  }
  std::string word() {
    skip_blanks();
    const std::size_t begin = position_;
    const auto part_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    };
    while (position_ < text_.size() && part_of_name(text_[position_])) {
      ++position_;
    }
    const std::string found(text_.substr(begin, position_ - begin));
    skip_blanks();
    return found;
  }

  Result<Node> sum(int depth) {
    auto first = term(depth);
    if (!first) {
      return first;
    }
    std::vector<Node> parts{std::move(*first)};
    while (accept('+')) {
      auto next = term(depth);
      if (!next) {
        return next;
      }
      parts.push_back(std::move(*next));
    }
    return parts.size() == 1 ? std::move(parts.front())
                             : Node{Node::Kind::sum, {}, std::move(parts), false};
  }

  Result<Node> term(int depth) {
    if (depth > kDeepest) {
      return wrong("too many parentheses");
    }
    if (accept('(')) {
      auto inner = sum(depth + 1);
      if (inner && !accept(')')) {
        return wrong("`)` is missing");
      }
      return inner;
    }
    std::string name = word();
    if (name.empty()) {
      return wrong("the name of a resource is missing");
    }
    if (name != "max" && name != "sum") {
      return Node{Node::Kind::name, std::move(name), {}, false};
    }
    Node node{name == "max" ? Node::Kind::max : Node::Kind::sum, {}, {}, true};
    return accept('(') ? arguments(std::move(node), depth + 1) : Result<Node>(std::move(node));
  }

  Result<Node> arguments(Node node, int depth) {
    node.all = false;
    do {
      auto part = sum(depth);
      if (!part) {
        return part;
      }
      node.parts.push_back(std::move(*part));
    } while (accept(','));
    if (!accept(')')) {
      return wrong("`)` is missing");
    }
    return node;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

Result<OverlapExpression> OverlapExpression::parse(std::string_view text) {
  auto root = Parser(text).whole();
  if (!root) {
    return tl::make_unexpected(std::move(root.error()));
  }
  OverlapExpression expression;
  expression.text_ = text;
  collect(*root, expression.names_);
  expression.root_ = std::make_shared<const Node>(std::move(*root));
  return expression;
}

double OverlapExpression::seconds(std::span<const ResourceTime> resources) const {
  return seconds_of(*root_, resources);
}

bool OverlapExpression::uses(std::string_view resource) const {
  return uses_all(*root_) ||
         std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& name) { return stands_for(name, resource); });
}

}  // namespace ridge::predict
