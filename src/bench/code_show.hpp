// The loop of a kernel in assembly, for people (`ridge bench --show fp64.avx512.fma`).
#pragma once

#include <string>
#include <string_view>

#include "bench/variants.hpp"
#include "core/result.hpp"

namespace ridge::bench {

/// The variant that `what` names: the id of a ceiling, of which a leading kind, the level and the
/// threads may be left out: "fp64.avx512.fma", "compute.int8.avx512.dot.t1", "L2.gather.avx2",
/// "load.sse", "latency.L1.chase-huge". A level chooses between the forms of a kernel. Errors:
/// `usage` for what is no kernel, or no kernel of this instruction set, with what there is.
[[nodiscard]] Result<Variant> find_variant(std::string_view what);

/// What one turn of its loop does, and the loop, an instruction a line. The CPU need not be able to
/// run it. Errors: those of find_variant; `unavailable` as JitKernel::build.
[[nodiscard]] Result<std::string> show(std::string_view what);

}  // namespace ridge::bench
