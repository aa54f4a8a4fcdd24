// `ridge bench --mpi`: the links between the ranks that mpirun or srun started.
#pragma once

#include "cli/bench/bench_options.hpp"
#include "core/result.hpp"

namespace ridge::cli {

/// In each rank. What is measured is added to the machine that `ridge run` uses (by one rank of
/// each node), printed by rank 0 and written to its --output. The exit code; what all ranks fail
/// with is said by rank 0.
[[nodiscard]] Result<int> bench_mpi(const BenchOptions& options);

}  // namespace ridge::cli
