// Columns of miniperf's table of loops (roofline_binary_loops) and lines of its totals
// (qemu-roofline.counts). Sources: miniperf's tutorial on rooflines and its SQL guide (mperf query
// help). An fma counts as two operations there; minima, maxima and comparisons count as one, which
// here are no flops. arch_bytes_* are what the program loaded and stored, bytes_* of the table what
// a model of the last-level cache takes from and gives to memory; in the totals the former are
// called bytes_*, the latter dram_bytes_*.
#pragma once

#include <array>

#include "import/formula.hpp"

namespace ridge::imports {

inline constexpr std::array kMiniperfFormulas{
    Formula{.figure = Figure::seconds, .factor = 1e-9, .metrics = {"duration_ns"}},
    Formula{.figure = Figure::flops, .metrics = {"scalar_double_ops"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops, .metrics = {"vector_double_ops"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .metrics = {"scalar_float_ops"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .metrics = {"vector_float_ops"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::bytes_loaded, .metrics = {"arch_bytes_load"}},
    Formula{.figure = Figure::bytes_stored, .metrics = {"arch_bytes_store"}},
    Formula{.figure = Figure::traffic_read, .level = Level::L1, .metrics = {"arch_bytes_load"}},
    Formula{.figure = Figure::traffic_written, .level = Level::L1, .metrics = {"arch_bytes_store"}},
    Formula{.figure = Figure::traffic_read, .level = Level::DRAM, .metrics = {"bytes_load"}},
    Formula{.figure = Figure::traffic_written, .level = Level::DRAM, .metrics = {"bytes_store"}},
};

/// Names in the totals that mean something else in the table of loops.
struct MiniperfTotal {
  std::string_view in_totals;
  std::string_view in_table;
};
inline constexpr std::array kMiniperfTotals{MiniperfTotal{"bytes_load", "arch_bytes_load"},
                                            MiniperfTotal{"bytes_store", "arch_bytes_store"},
                                            MiniperfTotal{"dram_bytes_load", "bytes_load"},
                                            MiniperfTotal{"dram_bytes_store", "bytes_store"}};

}  // namespace ridge::imports
