// Caches of machines that a program did not run on: by name from a table, or as a user gives them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity/level.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "core/value/specification.hpp"

namespace ridge {

/// Most that one run simulates beside its own (RIDGE_ELSEWHERE_MAX).
inline constexpr std::size_t kMostElsewhere = 8;

struct CachesElsewhere {
  std::string name;           ///< "zen4", "spr-8480p", or what the user calls them
  std::vector<Cache> caches;  ///< innermost first; `shared_by_threads` counts cores here
  Level memory = Level::DRAM;

  friend bool operator==(const CachesElsewhere&, const CachesElsewhere&) = default;
};

/// A row of the table of known caches (machines/caches.json).
struct KnownCaches {
  CachesElsewhere elsewhere;
  std::string processor;  ///< "AMD Zen 4"
  bool last_level_of_chip =
      false;  ///< the last one belongs to all cores: its size follows the part
  /// Name in machines/microarchitectures.json; absent: its pipes are not known.
  std::optional<std::string> microarchitecture;
  std::vector<std::string> machines;  ///< keys of published machines with these caches
  std::vector<std::string> sources;   ///< at least one
};

/// The row that a name stands for: its own, or that of the machine with this key; nullptr: unknown.
[[nodiscard]] const KnownCaches* find_caches(const std::vector<KnownCaches>& known,
                                             std::string_view name);

/// The caches of one published machine: those of its row, a last level of the chip in the size of
/// the part and shared by its cores. nullopt when the machine's own figures contradict the row.
[[nodiscard]] std::optional<CachesElsewhere> caches_of(const KnownCaches& row,
                                                       const Specification& machine);

/// The machine's own caches in the same form.
[[nodiscard]] std::vector<Cache> shared_by_cores(std::vector<Cache> caches);

/// Whether simulations of the two give the same: policies of L1 do not matter, and a victim cache
/// takes no write-allocate.
[[nodiscard]] bool same_caches(const std::vector<Cache>& a, const std::vector<Cache>& b);

/// One name of `--also`, and its geometry if one is given.
struct AlsoItem {
  std::string name;
  std::optional<std::string> geometry;  ///< as parse_cache_geometry has it

  friend bool operator==(const AlsoItem&, const AlsoItem&) = default;
};

/// "zen4,spr,big=L1=48K/12,L2=4M/16,victim": names, and names with a geometry up to the next name.
/// Error: usage (no name, a name twice, characters other than letters, digits and . _ -).
[[nodiscard]] Result<std::vector<AlsoItem>> split_also(const std::vector<std::string>& texts);

/// Given caches for a program on `machine`: what a geometry does not say of lines and sharing is as
/// there. Error: usage.
[[nodiscard]] Result<CachesElsewhere> parse_caches_elsewhere(const AlsoItem& item,
                                                             const Machine& machine);

}  // namespace ridge
