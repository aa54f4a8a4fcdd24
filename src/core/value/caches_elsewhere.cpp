#include "core/value/caches_elsewhere.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/value/cache_geometry.hpp"

namespace ridge {
namespace {

constexpr std::string_view kGeometryBegins = "L1=";
constexpr const char* kForm =
    "The form is: --also zen4,spr or --also NAME=L1=48K/12,L2=1M/16,L3=32M/16,victim";

tl::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::usage, "--also: " + std::move(message), kForm);
}

bool is_name(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return !text.empty() && text.size() <= kMost && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

/// "L2=...", or a word about the level before it: goes on with a geometry.
bool continues_geometry(std::string_view part) {
  const bool level =
      part.size() > 2 && part[0] == 'L' && part[1] >= '0' && part[1] <= '9' && part[2] == '=';
  return level || parse_cache_policy(part).has_value() || part == "no-allocate" ||
         part.starts_with("shared-by-");
}

Result<void> add_part(std::vector<AlsoItem>& items, std::string_view part) {
  const std::size_t sign = std::min(part.find('='), part.size());
  if (part.starts_with(kGeometryBegins)) {
    return wrong("caches that are given need a name: mine=L1=...");
  }
  if (!items.empty() && items.back().geometry && continues_geometry(part)) {
    *items.back().geometry += fmt::format(",{}", part);
    return {};
  }
  const std::string_view name = part.substr(0, sign);
  if (!is_name(name)) {
    return wrong("a name has 1 to 40 letters, digits and . _ -");
  }
  if (std::any_of(items.begin(), items.end(), [&](const auto& i) { return i.name == name; })) {
    return wrong(fmt::format("{} stands twice", name));
  }
  items.push_back({std::string(name), std::nullopt});
  if (sign != part.size()) {
    items.back().geometry = std::string(part.substr(sign + 1));
  }
  return {};
}

}  // namespace

const KnownCaches* find_caches(const std::vector<KnownCaches>& known, std::string_view name) {
  const auto row = std::find_if(known.begin(), known.end(), [&](const KnownCaches& candidate) {
    return candidate.elsewhere.name == name ||
           std::find(candidate.machines.begin(), candidate.machines.end(), name) !=
               candidate.machines.end();
  });
  return row == known.end() ? nullptr : &*row;
}

std::optional<CachesElsewhere> caches_of(const KnownCaches& row, const Specification& machine) {
  CachesElsewhere result = row.elsewhere;
  result.name = machine.key;
  for (Cache& cache : result.caches) {
    const auto published = std::find_if(
        machine.caches.begin(), machine.caches.end(),
        [&](const PublishedCache& candidate) { return candidate.level == cache.level; });
    if (published == machine.caches.end() || !machine.cores) {
      continue;
    }
    const bool is_last = &cache == &result.caches.back();
    const auto cores = static_cast<unsigned>(machine.cores->value);
    if (is_last && row.last_level_of_chip) {
      cache.size_bytes = static_cast<std::uint64_t>(published->size.value);
      cache.shared_by_threads = published->shared_by_cores.value_or(cores);
      if (cores == 0 || cache.size_bytes % (std::uint64_t{cache.ways} * cache.line_bytes) != 0) {
        return std::nullopt;
      }
      continue;
    }
    // As its source counts it: one cache, or all of the chip together.
    const std::uint64_t all =
        cache.size_bytes * std::max(1U, cores / std::max(1U, cache.shared_by_threads));
    const auto value = static_cast<std::uint64_t>(published->size.value);
    if (value != cache.size_bytes && value != all) {
      return std::nullopt;
    }
  }
  return result;
}

std::vector<Cache> shared_by_cores(std::vector<Cache> caches) {
  // The innermost cache belongs to one core, so its hardware threads are those of a core.
  const unsigned threads = caches.empty() ? 1 : std::max(1U, caches.front().shared_by_threads);
  for (Cache& cache : caches) {
    cache.shared_by_threads = std::max(1U, cache.shared_by_threads / threads);
  }
  return caches;
}

bool same_caches(const std::vector<Cache>& a, const std::vector<Cache>& b) {
  const auto allocates = [](const Cache& cache) {
    return cache.policy == CachePolicy::victim || cache.write_allocate != WriteAllocate::never;
  };
  const auto same = [&](const Cache& x, const Cache& y) {
    const bool innermost = &x == &a.front();
    return x.level == y.level && x.size_bytes == y.size_bytes && x.ways == y.ways &&
           x.line_bytes == y.line_bytes && x.shared_by_threads == y.shared_by_threads &&
           (innermost || x.policy == y.policy) && allocates(x) == allocates(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

Result<std::vector<AlsoItem>> split_also(const std::vector<std::string>& texts) {
  std::vector<AlsoItem> items;
  for (const std::string& text : texts) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (const auto added = add_part(items, std::string_view(text).substr(begin, end - begin));
          !added) {
        return tl::make_unexpected(added.error());
      }
      begin = end + 1;
    }
  }
  if (items.size() > kMostElsewhere) {
    return wrong(fmt::format("there are at most {} other machines in a run", kMostElsewhere));
  }
  return items;
}

Result<CachesElsewhere> parse_caches_elsewhere(const AlsoItem& item, const Machine& machine) {
  auto caches = parse_cache_geometry(item.geometry.value_or(""), machine,
                                     fmt::format("--also {}", item.name));
  if (!caches) {
    return tl::make_unexpected(caches.error());
  }
  return CachesElsewhere{item.name, shared_by_cores(std::move(*caches)), memory_level(machine)};
}

}  // namespace ridge
