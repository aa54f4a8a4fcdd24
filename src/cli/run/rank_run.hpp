// `ridge run` started by mpirun or srun: one rank of a parallel program.
#pragma once

#include <functional>
#include <optional>

#include "cli/run/run_options.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "measure/run/rank_variables.hpp"
#include "measure/source.hpp"

namespace ridge::cli {

/// Who we are among ranks, by our environment; nullopt: nobody, or --alone.
[[nodiscard]] std::optional<measure::RankPlace> own_rank_place(const RunOptions& options);

/// Errors: usage, of options that do not go with ranks, or that need them.
[[nodiscard]] Result<void> check_rank_options(const RunOptions& options, bool is_rank);

/// Measures a program with the request and the machine that it is given.
using MeasureRank =
    std::function<Result<Profile>(const measure::Request& request, const Machine& machine)>;

/// Measures our rank into the common folder, and joins all where ours is the last; a rank that is
/// not chosen becomes its program. The exit code is that of the program.
[[nodiscard]] Result<int> run_rank(const RunOptions& options, const measure::RankPlace& place,
                                   measure::Request request, const MeasureRank& measure);

}  // namespace ridge::cli
