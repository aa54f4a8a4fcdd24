// Columns of Intel Advisor's survey as CSV, and what they mean. Sources: the column descriptions of
// Advisor's user guide (survey and roofline data): Self GFLOPS is Self GFLOP over Self Elapsed
// Time, Self AI is Self GFLOPS over Self GB/s; Self Memory GB is what the loop loads and stores
// between registers and L1, Self L2, L3 and DRAM GB what the cache simulation lets cross these
// levels. GB are 1e9 byte. The precision of a row is that of its Data Types, which its columns of
// flops get here as an ending.
#pragma once

#include <array>

#include "import/formula.hpp"

namespace ridge::imports {

/// A report as CSV has the first unless another is asked for (--csv-delimiter).
inline constexpr std::array<char, 4> kAdvisorSeparators{',', '\t', ';', '|'};

inline constexpr std::string_view kAdvisorName = "Function Call Sites and Loops";

/// Columns of flops: "Self GFLOP" becomes "Self GFLOP/fp32" in a row of Float32.
inline constexpr std::array<std::string_view, 2> kAdvisorFlops{"Self GFLOP", "Self GFLOPS"};
inline constexpr std::string_view kAdvisorFp32 = "/fp32";

inline constexpr std::array kAdvisorFormulas{
    Formula{.figure = Figure::seconds, .metrics = {"Self Elapsed Time"}},
    Formula{.figure = Figure::cpu_seconds, .metrics = {"Self Time"}},
    Formula{.figure = Figure::entries, .metrics = {"Call Count"}},
    Formula{
        .figure = Figure::flops, .factor = 1e9, .metrics = {"Self GFLOP"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .way = 1,
            .factor = 1e9,
            .metrics = {"Self GFLOPS", "Self Elapsed Time"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .factor = 1e9,
            .metrics = {"Self GFLOP/fp32"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .way = 1,
            .factor = 1e9,
            .metrics = {"Self GFLOPS/fp32", "Self Elapsed Time"},
            .kind_is_unknown = true},
    Formula{.figure = Figure::traffic,
            .level = Level::L1,
            .factor = 1e9,
            .metrics = {"Self Memory GB"}},
    Formula{.figure = Figure::traffic,
            .level = Level::L1,
            .way = 1,
            .factor = 1e9,
            .metrics = {"Self GB/s", "Self Elapsed Time"}},
    Formula{
        .figure = Figure::traffic, .level = Level::L2, .factor = 1e9, .metrics = {"Self L2 GB"}},
    Formula{
        .figure = Figure::traffic, .level = Level::L3, .factor = 1e9, .metrics = {"Self L3 GB"}},
    Formula{.figure = Figure::traffic,
            .level = Level::DRAM,
            .factor = 1e9,
            .metrics = {"Self DRAM GB"}},
};

/// Rows of `--report=roofs`, in lower case. What is not here has no precision in its name (Scalar
/// Add Peak), counts integers, or is of one NUMA node.
struct AdvisorRoof {
  std::string_view name;
  std::optional<Level> level{};  ///< of a bandwidth
  std::string_view precision{};
  Operation operation = Operation::fma;
};
inline constexpr std::array kAdvisorRoofs{
    AdvisorRoof{.name = "l1 bandwidth", .level = Level::L1},
    AdvisorRoof{.name = "l2 bandwidth", .level = Level::L2},
    AdvisorRoof{.name = "l3 bandwidth", .level = Level::L3},
    AdvisorRoof{.name = "dram bandwidth", .level = Level::DRAM},
    AdvisorRoof{.name = "mcdram bandwidth", .level = Level::HBM},
    AdvisorRoof{.name = "hbm bandwidth", .level = Level::HBM},
    AdvisorRoof{.name = "dp vector fma peak", .precision = "fp64"},
    AdvisorRoof{.name = "sp vector fma peak", .precision = "fp32"},
    AdvisorRoof{.name = "dp vector add peak", .precision = "fp64", .operation = Operation::add},
    AdvisorRoof{.name = "sp vector add peak", .precision = "fp32", .operation = Operation::add}};

/// Behind the name of a roof that one thread reached; else all threads did.
inline constexpr std::string_view kAdvisorSingleThread = " (single-threaded)";

}  // namespace ridge::imports
