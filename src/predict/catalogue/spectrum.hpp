// Where well-known kernels stand on the axis of intensity.
#pragma once

#include <vector>

#include "core/value/roofline_chart.hpp"

namespace ridge::predict {

/// SpMV, stencil, FFT, GEMM, N-body in fp64 from a small to a large size, by the formulas of the
/// catalogue (docs/theory/kernels.md): the lower end counts the reads of write-allocate where there
/// are any, the upper end does not. Ascending in the lower end.
[[nodiscard]] std::vector<SpectrumBand> intensity_spectrum();

}  // namespace ridge::predict
