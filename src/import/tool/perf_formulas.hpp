// Events of perf stat and what they mean. Sources: perf's lists of events (pmu-events) of Intel
// since Broadwell and of AMD Zen; the units of software events are those that perf prints.
#pragma once

#include <array>

#include "import/formula.hpp"

namespace ridge::imports {

/// Values in the units of kPerfUnits below, without modifiers (":u") and in lower case.
inline constexpr std::array kPerfFormulas{
    Formula{.figure = Figure::seconds, .metrics = {"duration_time"}},
    Formula{.figure = Figure::cpu_seconds, .metrics = {"task-clock"}},
    Formula{.figure = Figure::cpu_seconds, .way = 1, .metrics = {"cpu-clock"}},
    Formula{.figure = Figure::cpu_seconds, .way = 2, .metrics = {"user_time"}},
    Formula{.figure = Figure::cpu_seconds, .way = 2, .metrics = {"system_time"}},

    Formula{.figure = Figure::flops,
            .width_bits = 64,
            .metrics = {"fp_arith_inst_retired.scalar_double"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .width_bits = 128,
            .factor = 2.0,
            .metrics = {"fp_arith_inst_retired.128b_packed_double"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .width_bits = 256,
            .factor = 4.0,
            .metrics = {"fp_arith_inst_retired.256b_packed_double"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .width_bits = 512,
            .factor = 8.0,
            .metrics = {"fp_arith_inst_retired.512b_packed_double"},
            .may_lack = true,
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .metrics = {"fp_arith_inst_retired.scalar_single"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 128,
            .factor = 4.0,
            .metrics = {"fp_arith_inst_retired.128b_packed_single"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 256,
            .factor = 8.0,
            .metrics = {"fp_arith_inst_retired.256b_packed_single"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 512,
            .factor = 16.0,
            .metrics = {"fp_arith_inst_retired.512b_packed_single"},
            .may_lack = true,
            .kind_is_unknown = true},

    // AMD counts flops of all precisions together; they stand as fp64, which is said.
    Formula{.figure = Figure::flops,
            .way = 1,
            .metrics = {"fp_ret_sse_avx_ops.all"},
            .kind_is_unknown = true},

    // Of whole sockets, so with -a only. perf scales the first form to bytes itself.
    Formula{.figure = Figure::traffic_read, .level = Level::DRAM, .metrics = {"cas_count_read"}},
    Formula{
        .figure = Figure::traffic_written, .level = Level::DRAM, .metrics = {"cas_count_write"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::DRAM,
            .way = 1,
            .factor = 64.0,
            .metrics = {"unc_m_cas_count.rd"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::DRAM,
            .way = 1,
            .factor = 64.0,
            .metrics = {"unc_m_cas_count.wr"}},
};

struct PerfUnit {
  std::string_view name;
  double factor;
};
inline constexpr std::array kPerfUnits{
    PerfUnit{"", 1.0},       PerfUnit{"ns", 1e-9},    PerfUnit{"usec", 1e-6},
    PerfUnit{"msec", 1e-3},  PerfUnit{"sec", 1.0},    PerfUnit{"Bytes", 1.0},
    PerfUnit{"KiB", 0x1p10}, PerfUnit{"MiB", 0x1p20}, PerfUnit{"GiB", 0x1p30}};

}  // namespace ridge::imports
