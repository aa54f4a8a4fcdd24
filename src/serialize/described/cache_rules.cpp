#include "serialize/described/cache_rules.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace ridge::serialize {
namespace {

void check_cache(const Reader& object, const Cache& cache, std::size_t place) {
  const auto level = cache_level(place + 1);
  if (!level) {
    object.fail(fmt::format("there are at most {} levels", kCacheLevels.size()));
  } else if (cache.level != *level) {
    object.find("level").fail(fmt::format("must be {} here", to_string(*level)));
  }
  if (cache.size_bytes % (std::uint64_t{cache.ways} * cache.line_bytes) != 0) {
    object.find("size_bytes")
        .fail(fmt::format("is no whole number of sets of {} lines of {} byte", cache.ways,
                          cache.line_bytes));
  }
}

void check_against(const Reader& object, const Cache& cache, const Cache& above) {
  if (cache.line_bytes != above.line_bytes) {
    object.find("line_bytes").fail("must be that of the level above");
  }
  if (cache.shared_by_threads % above.shared_by_threads != 0) {
    object.find("shared_by_cores").fail("must be a multiple of that of the level above");
  }
}

}  // namespace

void Rules<CachesElsewhere>::check(const Reader& object, const CachesElsewhere& elsewhere) {
  const std::vector<Reader> items = object.at("caches").items();
  const std::vector<Cache>& caches = elsewhere.caches;
  for (std::size_t i = 0; i < caches.size() && i <= kCacheLevels.size(); ++i) {
    check_cache(items[i], caches[i], i);
    if (i > 0) {
      check_against(items[i], caches[i], caches[i - 1]);
    }
  }
  if (caches.empty()) {
    object.find("caches").fail("must have at least one level");
  }
}

void Rules<KnownCaches>::check(const Reader& object, const KnownCaches& row) {
  if (row.sources.empty()) {
    object.find("sources").fail("must name at least one source");
  }
}

void Rules<describe::CacheTable>::check(const Reader& root, const describe::CacheTable& table) {
  std::set<std::string> names;
  const std::vector<Reader> items = root.at("caches").items();
  for (std::size_t i = 0; i < table.caches.size(); ++i) {
    const KnownCaches& row = table.caches[i];
    if (!names.insert(row.elsewhere.name).second) {
      items[i].find("name").fail("stands twice");
    }
    for (const std::string& machine : row.machines) {
      if (!names.insert(machine).second) {
        items[i].find("machines").fail(fmt::format("{} stands twice", quote_for_message(machine)));
      }
    }
  }
}

}  // namespace ridge::serialize
