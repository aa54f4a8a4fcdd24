#include "predict/network/einsum.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace ridge::predict {
namespace {

constexpr std::size_t kLongest = 256;
constexpr unsigned char kDots = 128;  // places of "..." from here on, counted from behind

/// An index is a letter or a place of "...".
using Indices = std::basic_string<unsigned char>;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Indices of one term; "..." stands for `more` places.
std::optional<Indices> indices_of(const std::string& term, std::size_t more) {
  Indices result;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (is_letter(term[i])) {
      result += static_cast<unsigned char>(term[i]);
    } else if (term.compare(i, 3, "...") == 0) {
      for (std::size_t place = more; place > 0; --place) {
        result += static_cast<unsigned char>(kDots + place - 1);
      }
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

struct Terms {
  std::vector<Indices> operands;
  Indices result;
  std::map<unsigned char, std::uint64_t> extents;
  std::size_t dots = 0;  ///< most places that "..." stands for
};

bool add_operand(Terms& terms, const std::string& term, const std::vector<std::uint64_t>& shape) {
  const auto letters = static_cast<std::size_t>(std::count_if(term.begin(), term.end(), is_letter));
  const bool has_dots = term.find("...") != std::string::npos;
  if (letters > shape.size() || shape.size() - letters > 64) {
    return false;
  }
  const auto indices = indices_of(term, shape.size() - letters);
  if (!indices || indices->size() != shape.size() || (!has_dots && letters != shape.size())) {
    return false;
  }
  terms.dots = std::max(terms.dots, shape.size() - letters);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    auto& extent = terms.extents.emplace((*indices)[axis], shape[axis]).first->second;
    if (extent != shape[axis] && extent != 1 && shape[axis] != 1) {
      return false;
    }
    extent = extent == 1 ? shape[axis] : extent;
  }
  terms.operands.push_back(*indices);
  return true;
}

/// Without "->": "..." first, then in their order the letters that stand once.
Indices implied_result(const Terms& terms, const std::string& left) {
  Indices result;
  for (std::size_t place = terms.dots; place > 0; --place) {
    result += static_cast<unsigned char>(kDots + place - 1);
  }
  for (const auto& [index, extent] : terms.extents) {
    if (index < kDots && std::count(left.begin(), left.end(), static_cast<char>(index)) == 1) {
      result += index;
    }
  }
  return result;
}

std::optional<Terms> terms_of(std::string equation,
                              const std::vector<std::vector<std::uint64_t>>& shapes) {
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  if (equation.size() > kLongest) {
    return std::nullopt;
  }
  const std::size_t arrow = equation.find("->");
  const std::string left = equation.substr(0, arrow);
  Terms terms;
  std::size_t begin = 0;
  for (const auto& shape : shapes) {
    if (begin > left.size()) {
      return std::nullopt;
    }
    const std::size_t end = std::min(left.find(',', begin), left.size());
    if (!add_operand(terms, left.substr(begin, end - begin), shape)) {
      return std::nullopt;
    }
    begin = end + 1;
  }
  if (begin != left.size() + 1) {
    return std::nullopt;
  }
  if (arrow == std::string::npos) {
    terms.result = implied_result(terms, left);
    return terms;
  }
  const auto result = indices_of(equation.substr(arrow + 2), terms.dots);
  if (!result) {
    return std::nullopt;
  }
  terms.result = *result;
  return terms;
}

bool holds(const Indices& indices, unsigned char index) {
  return indices.find(index) != Indices::npos;
}

struct Step {
  Count combinations = 1;
  Indices kept;  ///< that a later operand or the result has
};

/// The product of what is `held` so far and operand `next`.
Step step_of(const Terms& terms, const Indices& held, std::size_t next) {
  Indices all;
  for (const unsigned char index : held + terms.operands[next]) {
    all += holds(all, index) ? Indices() : Indices(1, index);  // once, of a diagonal too
  }
  Step step;
  for (const unsigned char index : all) {
    step.combinations *= terms.extents.at(index);
    const bool later = std::any_of(terms.operands.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                                   terms.operands.end(),
                                   [&](const Indices& operand) { return holds(operand, index); });
    step.kept += later || holds(terms.result, index) ? Indices(1, index) : Indices();
  }
  return step;
}

}  // namespace

std::optional<Contraction> contraction_of(std::string equation,
                                          const std::vector<std::vector<std::uint64_t>>& shapes) {
  const auto terms = terms_of(std::move(equation), shapes);
  if (!terms || terms->operands.empty()) {
    return std::nullopt;
  }
  Contraction contraction;
  for (const unsigned char index : terms->result) {
    const auto extent = terms->extents.find(index);
    if (extent == terms->extents.end()) {
      return std::nullopt;
    }
    contraction.result.push_back(extent->second);
  }
  Indices held = terms->operands[0];
  for (std::size_t next = 1; next < terms->operands.size(); ++next) {
    Step step = step_of(*terms, held, next);
    contraction.products.push_back(step.combinations);
    held = std::move(step.kept);
  }
  const bool sums = std::any_of(held.begin(), held.end(),
                                [&](unsigned char index) { return !holds(terms->result, index); });
  if (terms->operands.size() == 1 && sums) {
    contraction.summed = 1;
    for (const auto& [index, extent] : terms->extents) {
      contraction.summed *= extent;
    }
  }
  return contraction;
}

}  // namespace ridge::predict
