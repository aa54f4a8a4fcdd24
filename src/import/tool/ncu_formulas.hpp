// Metrics of Nsight Compute and what they mean, in base units (byte, s, inst, sector, cycle).
// Sources: the metrics of the section "GPU Speed Of Light Hierarchical Roofline Chart" that ncu
// ships, and the metric names of its Kernel Profiling Guide. Threads that a predicate switches off
// are left out (pred_on); an fma is two flop; a sector is 32 byte; a packed half instruction is two
// lanes.
#pragma once

#include <array>
#include <string_view>

#include "import/formula.hpp"

namespace ridge::imports {

inline constexpr std::array kNcuFormulas{
    Formula{.figure = Figure::seconds, .metrics = {"gpu__time_duration.sum"}},
    Formula{.figure = Figure::seconds, .way = 1, .metrics = {"gpu__time_duration.avg"}},
    Formula{.figure = Figure::seconds, .way = 2, .metrics = {"Duration"}},
    // Cycles and the clock during them.
    Formula{.figure = Figure::seconds,
            .way = 3,
            .metrics = {"sm__cycles_elapsed.avg", "1/sm__cycles_elapsed.avg.per_second"}},
    // As the section "GPU Speed Of Light" calls them.
    Formula{.figure = Figure::seconds, .way = 4, .metrics = {"Elapsed Cycles", "1/SM Frequency"}},

    Formula{.figure = Figure::flops,
            .kind = OperationKind::add,
            .metrics = {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .kind = OperationKind::mul,
            .metrics = {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .kind = OperationKind::fma,
            .factor = 2.0,
            .metrics = {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"}},
    // The roofline section has rates by cycle: times cycles a second times the duration.
    Formula{.figure = Figure::flops,
            .kind = OperationKind::add,
            .way = 1,
            .metrics = {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed",
                        "smsp__cycles_elapsed.avg.per_second", "gpu__time_duration.sum"}},
    Formula{.figure = Figure::flops,
            .kind = OperationKind::mul,
            .way = 1,
            .metrics = {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed",
                        "smsp__cycles_elapsed.avg.per_second", "gpu__time_duration.sum"}},
    Formula{.figure = Figure::flops,
            .kind = OperationKind::fma,
            .way = 1,
            .metrics = {"derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2",
                        "smsp__cycles_elapsed.avg.per_second", "gpu__time_duration.sum"}},

    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .kind = OperationKind::add,
            .width_bits = 32,
            .metrics = {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .kind = OperationKind::mul,
            .width_bits = 32,
            .metrics = {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .kind = OperationKind::fma,
            .width_bits = 32,
            .factor = 2.0,
            .metrics = {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .kind = OperationKind::add,
            .width_bits = 32,
            .way = 1,
            .metrics = {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed",
                        "smsp__cycles_elapsed.avg.per_second", "gpu__time_duration.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .kind = OperationKind::mul,
            .width_bits = 32,
            .way = 1,
            .metrics = {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed",
                        "smsp__cycles_elapsed.avg.per_second", "gpu__time_duration.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .kind = OperationKind::fma,
            .width_bits = 32,
            .way = 1,
            .metrics = {"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2",
                        "smsp__cycles_elapsed.avg.per_second", "gpu__time_duration.sum"}},

    Formula{.figure = Figure::flops,
            .precision = Precision::fp16,
            .kind = OperationKind::add,
            .width_bits = 32,
            .factor = 2.0,
            .metrics = {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp16,
            .kind = OperationKind::mul,
            .width_bits = 32,
            .factor = 2.0,
            .metrics = {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"}},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp16,
            .kind = OperationKind::fma,
            .width_bits = 32,
            .factor = 4.0,
            .metrics = {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"}},

    Formula{.figure = Figure::integer_work,
            .metrics = {"smsp__sass_thread_inst_executed_op_integer_pred_on.sum"}},

    Formula{
        .figure = Figure::traffic_read, .level = Level::DRAM, .metrics = {"dram__bytes_read.sum"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::DRAM,
            .metrics = {"dram__bytes_write.sum"}},
    Formula{.figure = Figure::traffic_read,
            .level = Level::DRAM,
            .way = 1,
            .factor = 32.0,
            .metrics = {"dram__sectors_read.sum"}},
    Formula{.figure = Figure::traffic_written,
            .level = Level::DRAM,
            .way = 1,
            .factor = 32.0,
            .metrics = {"dram__sectors_write.sum"}},
    Formula{.figure = Figure::traffic, .level = Level::DRAM, .metrics = {"dram__bytes.sum"}},
    Formula{.figure = Figure::traffic,
            .level = Level::DRAM,
            .way = 1,
            .metrics = {"dram__bytes.sum.per_second", "gpu__time_duration.sum"}},
    Formula{.figure = Figure::traffic,
            .level = Level::DRAM,
            .way = 2,
            .metrics = {"Memory Throughput", "Duration"}},
    // Percent of the peak: back into a rate, then into bytes.
    Formula{.figure = Figure::traffic,
            .level = Level::DRAM,
            .way = 3,
            .factor = 0.01,
            .metrics = {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram peak rate",
                        "gpu__time_duration.sum"}},

    Formula{.figure = Figure::traffic, .level = Level::L2, .metrics = {"lts__t_bytes.sum"}},
    Formula{.figure = Figure::traffic,
            .level = Level::L2,
            .way = 1,
            .factor = 32.0,
            .metrics = {"lts__t_sectors.sum"}},
    Formula{.figure = Figure::traffic,
            .level = Level::L2,
            .way = 2,
            .metrics = {"lts__t_bytes.sum.per_second", "gpu__time_duration.sum"}},
    Formula{.figure = Figure::traffic, .level = Level::L1, .metrics = {"l1tex__t_bytes.sum"}},
    Formula{.figure = Figure::traffic,
            .level = Level::L1,
            .way = 1,
            .factor = 32.0,
            .metrics = {"l1tex__t_sectors.sum"}},
    Formula{.figure = Figure::traffic,
            .level = Level::L1,
            .way = 2,
            .metrics = {"l1tex__t_bytes.sum.per_second", "gpu__time_duration.sum"}},
};

/// Metrics under other names: those of sm__ are sums over the smsp__ of each.
struct Alias {
  std::string_view name;
  std::string_view means;
};
inline constexpr std::array kNcuAliases{
    Alias{"sm__sass_thread_inst_executed_op_dadd_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_dmul_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_dfma_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_fadd_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_fmul_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_hadd_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_hmul_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"},
    Alias{"sm__sass_thread_inst_executed_op_hfma_pred_on.sum",
          "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"},
};

/// A metric of formulas that ncu does not give: from two that it gives.
struct Composed {
  std::string_view name;
  std::string_view first;
  std::string_view second;  ///< empty: the inverse of `first`; else their product
};
inline constexpr std::array kNcuComposed{
    Composed{"1/sm__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second", ""},
    Composed{"1/SM Frequency", "SM Frequency", ""},
    Composed{"dram peak rate", "dram__bytes.sum.peak_sustained",
             "dram__cycles_elapsed.avg.per_second"},
};

/// Roofs of the device that the roofline section states: factor * first * second.
struct DeviceRoof {
  std::string_view precision;  ///< of compute, else empty
  std::optional<Level> level;  ///< of bandwidth
  double factor;
  std::string_view per_cycle;
  std::string_view cycles_per_second;
};
inline constexpr std::array kNcuRoofs{
    DeviceRoof{"fp64",
               {},
               2.0,
               "sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained",
               "sm__cycles_elapsed.avg.per_second"},
    DeviceRoof{"fp32",
               {},
               2.0,
               "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained",
               "sm__cycles_elapsed.avg.per_second"},
    DeviceRoof{"", Level::DRAM, 1.0, "dram__bytes.sum.peak_sustained",
               "dram__cycles_elapsed.avg.per_second"},
    DeviceRoof{"", Level::L2, 1.0, "lts__t_bytes.sum.peak_sustained",
               "lts__cycles_elapsed.avg.per_second"},
    DeviceRoof{"", Level::L1, 1.0, "l1tex__t_bytes.sum.peak_sustained",
               "l1tex__cycles_elapsed.avg.per_second"},
};

/// The base units of ncu; each may have a prefix, and "/" another of them behind it.
struct BaseUnit {
  std::string_view name;
  double factor;
};
inline constexpr std::array kNcuUnits{
    BaseUnit{"byte", 1.0}, BaseUnit{"B", 1.0},       BaseUnit{"second", 1.0}, BaseUnit{"s", 1.0},
    BaseUnit{"inst", 1.0}, BaseUnit{"cycle", 1.0},   BaseUnit{"sector", 1.0}, BaseUnit{"hz", 1.0},
    BaseUnit{"Hz", 1.0},   BaseUnit{"request", 1.0}, BaseUnit{"", 1.0},       BaseUnit{"%", 1.0}};
inline constexpr std::array kNcuPrefixes{
    BaseUnit{"n", 1e-9}, BaseUnit{"u", 1e-6}, BaseUnit{"m", 1e-3},
    BaseUnit{"K", 1e3},  BaseUnit{"k", 1e3},  BaseUnit{"M", 1e6},
    BaseUnit{"G", 1e9},  BaseUnit{"T", 1e12}, BaseUnit{"P", 1e15}};

}  // namespace ridge::imports
