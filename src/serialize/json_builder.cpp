#include "serialize/json_builder.hpp"

#include <algorithm>

namespace ridge::serialize {

void DocumentBuilder::expect_bytes(std::size_t bytes) {
  // Of compact results; what is never written to costs no memory.
  constexpr std::size_t kBytesOfValue = 10;
  document_.nodes_.reserve(bytes / kBytesOfValue + 1);
}

DocumentBuilder::Index DocumentBuilder::add(JsonKind kind, std::uint32_t line) {
  const auto index = static_cast<Index>(document_.nodes_.size());
  Document::Node& node = document_.nodes_.emplace_back();
  node.kind = kind;
  node.line = line;
  if (!open_.empty()) {
    Open& parent = open_.back();
    node.parent = parent.node;
    (parent.last_child == Document::kNone ? document_.nodes_[parent.node].first_child
                                          : document_.nodes_[parent.last_child].next_sibling) =
        index;
    parent.last_child = index;
    if (document_.nodes_[parent.node].kind == JsonKind::object) {
      node.key = pending_key_;
    }
  }
  return index;
}

void DocumentBuilder::boolean(std::uint32_t line, bool value) {
  add(JsonKind::boolean, line);
  last().boolean = value;
}

void DocumentBuilder::natural(std::uint32_t line, std::uint64_t value) {
  add(JsonKind::natural, line);
  last().natural = value;
}

void DocumentBuilder::negative_integer(std::uint32_t line, std::int64_t value) {
  add(JsonKind::negative_integer, line);
  last().negative_integer = value;
}

void DocumentBuilder::real(std::uint32_t line, double value) {
  add(JsonKind::real, line);
  last().real = value;
}

void DocumentBuilder::string(std::uint32_t line, std::string_view value) {
  add(JsonKind::string, line);
  last().text = {static_cast<std::uint32_t>(document_.pool_.size()),
                 static_cast<std::uint32_t>(value.size())};
  document_.pool_ += value;
}

DocumentBuilder::Index DocumentBuilder::open(std::uint32_t line, JsonKind kind) {
  const Index index = add(kind, line);
  open_.push_back({index, Document::kNone});
  return index;
}

DocumentBuilder::Index DocumentBuilder::close() {
  const Index closed = open_.back().node;
  open_.pop_back();
  return document_.nodes_[closed].kind == JsonKind::object ? duplicate_key(closed)
                                                           : Document::kNone;
}

/// Linear: inner objects have closed, so none of them writes over what stands in `seen_in_`.
DocumentBuilder::Index DocumentBuilder::duplicate_key(Index object) {
  if (seen_in_.size() < document_.keys_.size()) {
    seen_in_.resize(std::max(document_.keys_.size(), 2 * seen_in_.size()), Document::kNone);
  }
  for (Index child = document_.nodes_[object].first_child; child != Document::kNone;
       child = document_.nodes_[child].next_sibling) {
    Index& seen = seen_in_[document_.nodes_[child].key];
    if (seen == object) {
      return child;
    }
    seen = object;
  }
  return Document::kNone;
}

}  // namespace ridge::serialize
