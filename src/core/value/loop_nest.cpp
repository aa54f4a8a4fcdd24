#include "core/value/loop_nest.hpp"

#include <fmt/format.h>

namespace ridge {

std::optional<std::int64_t> TripCount::evaluate(const Polynomial::Values& values) const {
  const auto length = span.evaluate(values);
  if (!length || divisor <= 0) {
    return std::nullopt;
  }
  return *length < 0 ? 0 : *length / divisor + 1;
}

std::string TripCount::text() const {
  return divisor == 1 ? (span + 1).text() : fmt::format("({})/{} + 1", span.text(), divisor);
}

std::string ArrayAccess::text() const {
  const char* what = is_write ? "write" : "read";
  if (!offset) {
    return index_array.empty() ? fmt::format("{} {}[?]", what, array)
                               : fmt::format("{} {}[{}[...]]", what, array, index_array);
  }
  const auto elements = offset->divided_by(bytes);
  return elements ? fmt::format("{} {}[{}]", what, array, elements->text())
                  : fmt::format("{} {} at byte {}", what, array, offset->text());
}

}  // namespace ridge
