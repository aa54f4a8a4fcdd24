#include "serialize/described/read.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace ridge::serialize {
namespace {

/// A name that Ridge gave.
bool is_word(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

}  // namespace

std::string read_text(const Reader& value, const describe::FieldOptions& options) {
  std::string text = options.non_empty ? value.non_empty_text() : value.text();
  if (options.word && value.ok() && !is_word(text)) {
    value.fail("must be a word of letters, digits and dashes");
  }
  const auto& only = options.only;
  if (!only.empty() && value.ok() && std::find(only.begin(), only.end(), text) == only.end()) {
    value.fail(fmt::format("must be one of {}, is {}", fmt::join(only, ", "), text));
  }
  return text;
}

double read_real(const Reader& value, const describe::Limits& limits) {
  if (limits.least == 0.0) {
    (void)(limits.least_is_excluded ? value.positive_real() : value.non_negative_real());
  }
  const double read = value.real();
  if (read < limits.least) {
    value.fail(fmt::format("is {}, below {}", read, limits.least));
  }
  if (read > limits.most) {
    value.fail(fmt::format("must be at most {}, is {}", limits.most, read));
  }
  return read;
}

}  // namespace ridge::serialize
