// The truth beside a model: the loop's function, compiled and run with arrays of the modelled
// sizes.
#pragma once

#include <string>
#include <vector>

#include "analyze/extents.hpp"
#include "analyze/signature.hpp"
#include "cli/modelling/compile.hpp"
#include "cli/modelling/index_files.hpp"
#include "cli/modelling/sizes.hpp"
#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"
#include "execute/call.hpp"

namespace ridge::cli {

/// Arguments as the nests need them. Reals that have no value are 1; arrays whose addresses depend
/// on data have as many elements as the size of their name says, or as their indices want; what
/// they are indexed with stays within them. Errors: `bad_input` for what has no value, or cannot be
/// passed.
[[nodiscard]] Result<execute::Call> call_of(const analyze::Signature& signature,
                                            const std::vector<LoopNest>& nests, const Sizes& sizes,
                                            const IndexContents& indices);

/// `program`: LLVM's bitcode of the request. Errors: `bad_input` where the function has several
/// nests, cannot be called, or does what it may not; `unavailable` where memory or time do not
/// suffice.
[[nodiscard]] Result<LoopMeasurement> run_loop(const CompileRequest& request,
                                               const std::string& program, const LoopNest& nest,
                                               const Sizes& sizes, const IndexContents& indices);

}  // namespace ridge::cli
