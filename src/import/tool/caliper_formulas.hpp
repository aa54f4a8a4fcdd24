// Columns of Caliper's json-split, and what they mean. Sources: the output formats and services of
// Caliper's documentation; an aggregated attribute carries its operator before a '#'
// ("sum#time.duration.ns"), counters of the papi service are called papi.EVENT. A time has its unit
// in the metadata of its column ("attribute.unit" or "time.unit"), or .ns at its end.
#pragma once

#include <array>

#include "import/formula.hpp"

namespace ridge::imports {

inline constexpr std::array kCaliperFormulas{
    Formula{.figure = Figure::seconds, .metrics = {"seconds"}},
    Formula{.figure = Figure::entries, .metrics = {"region.count"}},
    Formula{.figure = Figure::flops, .metrics = {"PAPI_DP_OPS"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops, .way = 1, .metrics = {"PAPI_FP_OPS"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .metrics = {"PAPI_SP_OPS"},
            .kind_is_unknown = true},
};

/// Titles of times, without operators. Those that end in .ns have their unit with them.
inline constexpr std::array<std::string_view, 4> kCaliperTimes{"time", "time (exc)",
                                                               "time.duration", "time.duration.ns"};

/// Titles of visits of a region.
inline constexpr std::array<std::string_view, 3> kCaliperVisits{"region.count", "Visits", "Calls"};

struct CaliperUnit {
  std::string_view name;
  double seconds;
};
inline constexpr std::array kCaliperUnits{CaliperUnit{"sec", 1.0}, CaliperUnit{"s", 1.0},
                                          CaliperUnit{"msec", 1e-3}, CaliperUnit{"usec", 1e-6},
                                          CaliperUnit{"nsec", 1e-9}};

}  // namespace ridge::imports
