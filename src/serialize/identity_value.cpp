#include "serialize/identity_value.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "serialize/json_reader.hpp"

namespace ridge::serialize {
namespace {

/// Of all rows of a table of identities.
template <class Identity, class Row, std::size_t N>
Identity choose(const Reader& value, const std::array<Row, N>& table, Identity Row::* identity) {
  std::array<Identity, N> known{};
  std::transform(table.begin(), table.end(), known.begin(),
                 [&](const Row& row) { return row.*identity; });
  return value.choice(std::span<const Identity>(known));
}

}  // namespace

Isa read_isa(const Reader& value) {
  return choose(value, kIsaTable, &IsaProperties::isa);
}

Operation read_operation(const Reader& value) {
  return choose(value, kOperationTable, &std::pair<Operation, std::string_view>::first);
}

Pattern read_pattern(const Reader& value) {
  return choose(value, kPatternTable, &std::pair<Pattern, std::string_view>::first);
}

}  // namespace ridge::serialize
