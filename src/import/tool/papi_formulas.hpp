// Events of PAPI's high-level API. Source: the list of preset events (papi_avail): PAPI_DP_OPS and
// PAPI_SP_OPS count operations, an fma as two; PAPI_FP_OPS counts both precisions. Misses of caches
// are left out: what a line holds, and what prefetchers bring, the event does not say.
#pragma once

#include <array>

#include "import/formula.hpp"

namespace ridge::imports {

inline constexpr std::array kPapiFormulas{
    Formula{.figure = Figure::seconds, .factor = 1e-9, .metrics = {"real_time_nsec"}},
    Formula{.figure = Figure::flops, .metrics = {"PAPI_DP_OPS"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops, .way = 1, .metrics = {"PAPI_FP_OPS"}, .kind_is_unknown = true},
    Formula{.figure = Figure::flops,
            .precision = Precision::fp32,
            .width_bits = 32,
            .metrics = {"PAPI_SP_OPS"},
            .kind_is_unknown = true},
};

}  // namespace ridge::imports
