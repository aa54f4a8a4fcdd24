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

/// Operators that leave the meaning of a figure as it is: sums of records, and what regions inside
/// did with it. A mean, a least or a largest value over processes is no sum.
inline constexpr std::string_view kCaliperSum = "sum#";
inline constexpr std::string_view kCaliperInclusive = "inclusive#";

/// Titles of times, without operators. Those that end in .ns have their unit with them.
inline constexpr std::array<std::string_view, 5> kCaliperTimes{"time", "time (exc)", "Time (E)",
                                                               "time.duration", "time.duration.ns"};
inline constexpr std::array<std::string_view, 2> kCaliperInclusiveTimes{"time (inc)", "Time (I)"};

/// Figures are printed with six digits: that much more of all may stand in the regions inside.
inline constexpr double kCaliperRounding = 1e-3;

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
