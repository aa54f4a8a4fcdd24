// The traffic of a run that simulates, in the terms of core.
#pragma once

#include <optional>
#include <vector>

#include "abi/layout.h"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/note.hpp"
#include "core/value/region.hpp"

namespace ridge::measure {

/// a += b, member by member.
void add_traffic(ridge_region_traffic& a, const ridge_region_traffic& b);

/// How the traffic of the second run is used for the first, by the work both did (flop, or bytes
/// where there is none): nullopt = not at all, 1 = as it is (docs/contracts.md, section 5).
struct TrafficScale {
  std::optional<double> factor;
  std::optional<Note> note;
};
[[nodiscard]] TrafficScale traffic_scale(double first, double second, const char* unit);

/// Writes memory_nodes; nothing if some nodes have higher numbers than the table.
void set_memory_nodes(Region& region, const ridge_region_nodes& nodes);

/// Writes traffic, least_traffic and traffic_at_share of all boundaries beyond L1.
void set_traffic(Region& region, const ridge_region_traffic& traffic, double factor,
                 const std::vector<Level>& boundaries, bool with_least);

/// One boundary, times `factor`.
[[nodiscard]] Traffic to_traffic(const ridge_bytes_crossed& bytes, double factor);

/// Writes traffic_elsewhere of one set of caches.
void set_traffic_elsewhere(Region& region, const ridge_region_traffic& traffic, double factor,
                           const CachesElsewhere& elsewhere);

/// Registers-L1 is what the program asked for: counted, not simulated.
void set_counted_traffic(Region& region);

}  // namespace ridge::measure
