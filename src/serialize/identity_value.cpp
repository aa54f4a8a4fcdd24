#include "serialize/identity_value.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

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

}  // namespace ridge::serialize
