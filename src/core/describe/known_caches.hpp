// Fields of the caches of other machines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/value/caches_elsewhere.hpp"

namespace ridge::describe {

inline constexpr std::array<std::string_view, 4> kSimulatedLevels{
    to_string(Level::L1), to_string(Level::L2), to_string(Level::L3), to_string(Level::L4)};
/// Of one cache: 2^40 byte.
inline constexpr Limits kCacheSize{.least = 1.0, .most = 1099511627776.0};

/// A cache as files hold it that are not of one machine: sharing is counted in cores.
struct CacheOfCores {
  Level level = Level::L1;
  std::uint64_t size_bytes = 0;
  unsigned ways = 0;
  unsigned line_bytes = 0;
  unsigned shared_by_cores = 1;
  CachePolicy policy = CachePolicy::non_inclusive;
  WriteAllocate write_allocate = WriteAllocate::always;
};

template <>
struct Description<CacheOfCores> {
  static constexpr std::string_view name = "CacheOfCores";
  static constexpr std::string_view meaning = "one cache level, whose sharing is counted in cores";
  static constexpr auto fields = std::tuple{
      field("level", &CacheOfCores::level, "", "without a gap from L1", {.only = kSimulatedLevels}),
      field("size_bytes", &CacheOfCores::size_bytes, "byte", "a whole number of sets",
            {.limits = kCacheSize}),
      field("ways", &CacheOfCores::ways, "", "", {.limits = kAtLeastOne}),
      field("line_bytes", &CacheOfCores::line_bytes, "byte", "equal on all levels",
            {.limits = kAtLeastOne}),
      field("shared_by_cores", &CacheOfCores::shared_by_cores, "",
            "a multiple of that of the level above", {.limits = kAtLeastOne}),
      field("policy", &CacheOfCores::policy, "",
            "what the level holds in relation to the one nearer to the core"),
      field("write_allocate", &CacheOfCores::write_allocate, "",
            "whether a store that misses reads the line first")};
};
static_assert(is_complete<CacheOfCores>());

[[nodiscard]] inline std::vector<CacheOfCores> caches_of_cores(const std::vector<Cache>& caches) {
  std::vector<CacheOfCores> made;
  for (const Cache& cache : caches) {
    made.push_back({cache.level, cache.size_bytes, cache.ways, cache.line_bytes,
                    cache.shared_by_threads, cache.policy, cache.write_allocate});
  }
  return made;
}

[[nodiscard]] inline std::vector<Cache> plain_caches(const std::vector<CacheOfCores>& caches) {
  std::vector<Cache> made;
  for (const CacheOfCores& cache : caches) {
    made.push_back({.level = cache.level,
                    .size_bytes = cache.size_bytes,
                    .ways = cache.ways,
                    .line_bytes = cache.line_bytes,
                    .shared_by_threads = cache.shared_by_cores,
                    .policy = cache.policy,
                    .write_allocate = cache.write_allocate});
  }
  return made;
}

template <>
struct Description<CachesElsewhere> {
  static constexpr std::string_view name = "CachesElsewhere";
  static constexpr std::string_view meaning =
      "caches that the program did not run on, with a name that stands once";
  static constexpr auto fields =
      std::tuple{field("name", &CachesElsewhere::name, "", "", {.non_empty = true}),
                 stored_as("caches", &CachesElsewhere::caches, &caches_of_cores, &plain_caches, "",
                           "innermost first", {.least_items = 1, .most_items = 4}),
                 field("memory", &CachesElsewhere::memory, "", "the level below the last cache")};
};
static_assert(is_complete<CachesElsewhere>());

template <>
struct Description<KnownCaches> {
  static constexpr std::string_view name = "KnownCaches";
  static constexpr std::string_view meaning =
      "caches of common machines; names and machines are distinct over the whole file";
  static constexpr auto fields = std::tuple{
      inlined(&KnownCaches::elsewhere),
      field("processor", &KnownCaches::processor, "", "", {.non_empty = true}),
      field("last_level_of_chip", &KnownCaches::last_level_of_chip, "",
            "the last level belongs to all cores of the chip, so its size follows the part: here "
            "for the number of cores in processor"),
      field("microarchitecture", &KnownCaches::microarchitecture, "",
            "name in machines/microarchitectures.json; absent: its pipes are not known",
            {.non_empty = true}),
      field("machines", &KnownCaches::machines, "", "keys of published machines with these caches",
            {.non_empty = true}),
      field("sources", &KnownCaches::sources, "", "", {.non_empty = true, .least_items = 1})};
};
static_assert(is_complete<KnownCaches>());

/// The file.
struct CacheTable {
  std::vector<KnownCaches> caches;
};

template <>
struct Description<CacheTable> {
  static constexpr std::string_view name = "CacheTable";
  static constexpr std::string_view meaning = "sourced cache geometry of common machines";
  static constexpr auto fields = std::tuple{field("caches", &CacheTable::caches, "", "")};
};
static_assert(is_complete<CacheTable>());

}  // namespace ridge::describe
