#include "cli/common/also_caches.hpp"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/known_machines.hpp"
#include "cli/common/nearest_names.hpp"
#include "serialize/known_caches.hpp"

namespace ridge::cli {
namespace {

tl::unexpected<Error> unknown(std::string_view name) {
  std::vector<std::string> all;
  std::vector<std::string> rows;
  for (const KnownCaches& row : serialize::known_caches()) {
    rows.push_back(row.elsewhere.name);
    all.push_back(row.elsewhere.name);
    all.insert(all.end(), row.machines.begin(), row.machines.end());
  }
  const std::string near = did_you_mean(name, all);
  return fail(
      ErrorCode::bad_input, fmt::format("the caches of `{}` are not known", name),
      fmt::format(
          "{}Others can be given: --also NAME=L1=48K/12,L2=1M/16,...",
          near.empty() ? fmt::format("Known are those of {}. ", fmt::join(rows, ", ")) : near));
}

}  // namespace

Result<CachesElsewhere> find_caches_elsewhere(std::string_view name) {
  const KnownCaches* row = find_caches(serialize::known_caches(), name);
  if (row == nullptr) {
    return unknown(name);
  }
  if (row->elsewhere.name == name) {
    return row->elsewhere;
  }
  const auto machine = find_specification(name);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  auto caches = caches_of(*row, *machine);
  if (!caches) {
    return unknown(name);
  }
  return *caches;
}

Result<std::vector<CachesElsewhere>> also_caches(const std::vector<AlsoItem>& items,
                                                 const Machine& machine) {
  std::vector<CachesElsewhere> all;
  for (const AlsoItem& item : items) {
    auto caches =
        item.geometry ? parse_caches_elsewhere(item, machine) : find_caches_elsewhere(item.name);
    if (!caches) {
      return tl::make_unexpected(caches.error());
    }
    all.push_back(std::move(*caches));
  }
  return all;
}

}  // namespace ridge::cli
