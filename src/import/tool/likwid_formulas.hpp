// Events and metrics of likwid-perfctr, and what they mean. Sources: the performance groups of
// LIKWID 5.2 (groups/ICX, CLX, zen, zen3). [GBytes] is 1e9 byte, [MBytes/s] 1e6 byte/s, [MFLOP/s]
// 1e6 flop/s. Counts of hardware threads add up; events of a socket stand at one of its threads,
// the others have 0, so that they add up too. Runtimes are those of the slowest thread.
#pragma once

#include <array>
#include <string_view>

#include "import/formula.hpp"

namespace ridge::imports {

inline constexpr std::array kLikwidFormulas{
    Formula{.figure = Figure::seconds, .metrics = {"RDTSC Runtime [s]"}},
    Formula{.figure = Figure::seconds, .way = 1, .metrics = {"Runtime (RDTSC) [s]"}},
    Formula{.figure = Figure::entries, .metrics = {"call count"}},

    // Intel since Broadwell: an fma counts twice, whatever the lanes of a mask.
    Formula{.figure = Figure::flops,
            .width_bits = 64,
            .metrics = {"FP_ARITH_INST_RETIRED_SCALAR_DOUBLE"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .width_bits = 128,
            .factor = 2.0,
            .metrics = {"FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .width_bits = 256,
            .factor = 4.0,
            .metrics = {"FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .width_bits = 512,
            .factor = 8.0,
            .metrics = {"FP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE"},
            .may_lack = true,
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .metrics = {"FP_ARITH_INST_RETIRED_SCALAR_SINGLE"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 128,
            .factor = 4.0,
            .metrics = {"FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 256,
            .factor = 8.0,
            .metrics = {"FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 512,
            .factor = 16.0,
            .metrics = {"FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE"},
            .may_lack = true,
            .kind_is_unknown = true},
    // Where the events are not listed: the rate over the runtime.
    Formula{.figure = Figure::flops,
            .way = 1,
            .factor = 1e6,
            .metrics = {"DP [MFLOP/s]", "Runtime (RDTSC) [s]"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .way = 1,
            .factor = 1e6,
            .metrics = {"SP [MFLOP/s]", "Runtime (RDTSC) [s]"},
            .kind_is_unknown = true},

    Formula{.figure = Figure::traffic_read,
            .level = Level::DRAM,
            .factor = 1e9,
            .metrics = {"Memory read data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::DRAM,
            .factor = 1e9,
            .metrics = {"Memory write data volume [GBytes]"}},
    Formula{.figure = Figure::traffic,
            .level = Level::DRAM,
            .factor = 1e9,
            .metrics = {"Memory data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::NVRAM,
            .factor = 1e9,
            .metrics = {"PMM read data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::NVRAM,
            .factor = 1e9,
            .metrics = {"PMM write data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::L2,
            .factor = 1e9,
            .metrics = {"L2D load data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::L2,
            .factor = 1e9,
            .metrics = {"L2D evict data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::L2,
            .way = 1,
            .factor = 1e9,
            .metrics = {"L2 to L1 load data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::L2,
            .way = 1,
            .factor = 1e9,
            .metrics = {"L1 to L2 evict data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::L3,
            .factor = 1e9,
            .metrics = {"L3 load data volume [GBytes]"}},
    // Above a victim cache: lines that were written, without clean victims.
    Formula{.figure = Figure::traffic_written,
            .level = Level::L3,
            .factor = 1e9,
            .metrics = {"L3|MEM evict data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::L3,
            .way = 1,
            .factor = 1e9,
            .metrics = {"L3 evict data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::L3,
            .way = 1,
            .factor = 1e9,
            .metrics = {"L3 to L2 load data volume [GBytes]"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::L3,
            .way = 2,
            .factor = 1e9,
            .metrics = {"L2 to L3 evict data volume [GBytes]"}},
    Formula{.figure = Figure::traffic,
            .level = Level::L3,
            .factor = 1e9,
            .metrics = {"L3 data volume [GBytes]"}},
};

/// Of all threads together the largest, not the sum.
inline constexpr std::array<std::string_view, 3> kLikwidLargest{
    "RDTSC Runtime [s]", "Runtime (RDTSC) [s]", "call count"};

/// What must be said where an event was counted.
struct EventRemark {
  std::string_view event;
  std::string_view code;
  std::string_view text;
};
inline constexpr std::array kLikwidRemarks{EventRemark{
    "RETIRED_SSE_AVX_FLOPS_ALL", "precision-unknown",
    "this CPU counts flops of all precisions together: they stand as those of the group's name"}};

}  // namespace ridge::imports
