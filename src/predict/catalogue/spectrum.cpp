#include "predict/catalogue/spectrum.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "predict/catalogue/kernels.hpp"

namespace ridge::predict {
namespace {

struct Family {
  std::string_view name;
  std::string_view kernel;
  std::string_view fixed;      ///< a parameter that all sizes share; empty: none
  std::string_view parameter;  ///< what grows
  std::string_view small;
  std::string_view large;
  std::string_view sizes;  ///< in words
};
/// From what fits a cache to what fills a memory; of a sparse matrix from a mesh to a dense one.
constexpr std::array kFamilies{
    Family{"SpMV", "spmv-csr", "m=1e6", "nnz", "3e6", "1e8", "3 to 100 non-zeros per row"},
    Family{"stencil", "stencil7", "", "nx", "64", "1024", "7 points, nx = 64 to 1024"},
    Family{"FFT", "fft", "", "n", "1Ki", "1Gi", "n = 2^10 to 2^30"},
    Family{"GEMM", "gemm", "", "n", "64", "4096", "n = 64 to 4096"},
    Family{"N-body", "nbody", "", "n", "1000", "100000", "n = 10^3 to 10^5"}};

std::optional<DemandRatio> intensity_at(const Family& family, std::string_view size) {
  const Kernel* kernel = find_kernel(family.kernel);
  if (kernel == nullptr) {
    return std::nullopt;
  }
  std::vector<Assignment> given{{std::string(family.parameter), std::string(size)}};
  if (const auto sign = family.fixed.find('='); sign != std::string_view::npos) {
    given.push_back(
        {std::string(family.fixed.substr(0, sign)), std::string(family.fixed.substr(sign + 1))});
  }
  const auto sized = size_kernel(*kernel, given, "fp64");
  return sized ? intensity_of(sized->demand) : std::nullopt;
}

}  // namespace

std::vector<SpectrumBand> intensity_spectrum() {
  std::vector<SpectrumBand> bands;
  for (const Family& family : kFamilies) {
    const auto small = intensity_at(family, family.small);
    const auto large = intensity_at(family, family.large);
    if (small && large) {
      bands.push_back({std::string(family.name), std::string(family.kernel),
                       std::string(family.sizes),
                       std::min(small->write_allocate, large->write_allocate),
                       std::max(small->least, large->least)});
    }
  }
  std::stable_sort(bands.begin(), bands.end(),
                   [](const SpectrumBand& a, const SpectrumBand& b) { return a.low < b.low; });
  return bands;
}

}  // namespace ridge::predict
