// Stencils, lattice Boltzmann and the Fourier transform.
#include <algorithm>
#include <array>
#include <cmath>

#include "predict/catalogue/kernel_tables.hpp"

namespace ridge::predict {
namespace {

constexpr KernelParameter kCoefficients{"coefficients", "different factors", "1"};
constexpr std::array kGrid2{KernelParameter{"nx", "points of a row (contiguous)", ""},
                            KernelParameter{"ny", "rows", "nx"}, kCoefficients};
constexpr std::array kGrid3{KernelParameter{"nx", "points of a row (contiguous)", ""},
                            KernelParameter{"ny", "rows of a plane", "nx"},
                            KernelParameter{"nz", "planes", "ny"}, kCoefficients};
constexpr std::array kLbm{KernelParameter{"n", "cells", ""},
                          KernelParameter{"flops", "flop for each cell (BGK: about 200)", "200"}};
constexpr std::array kFft{KernelParameter{"n", "complex points", ""}};

using P = const Parameters&;

/// Points that are updated; the halo around them is left out.
Amount points2(P p) {
  return p["nx"] * p["ny"];
}
Amount points3(P p) {
  return p["nx"] * p["ny"] * p["nz"];
}

template <int Neighbours, Amount (*Points)(P)>
WorkAmounts stencil_work(P p) {
  return {.add = (Neighbours - 1) * Points(p), .mul = p["coefficients"] * Points(p)};
}
template <int Neighbours>
std::string_view stencil_complaint(P p) {
  return p["coefficients"] > Neighbours ? "there are more coefficients than points" : "";
}

ByteAmounts grid_bytes(P p, Amount points, Amount loads) {
  const Amount bytes = p.element() * points;
  return {loads * bytes, bytes, bytes};
}
template <Amount (*Points)(P)>
ByteAmounts stencil_bytes(P p) {
  return grid_bytes(p, Points(p), 1);
}

/// A layer condition: so many bytes fit into the half of the cache that is counted on.
bool stays(Amount bytes, Amount cache) {
  return 2 * bytes <= cache;
}

template <int Neighbours>
ByteAmounts plane_below(P p, Amount cache) {
  const Amount rows = 3 * p["nx"] * p.element();
  const Amount loads = cache <= 0 ? Neighbours : stays(rows, cache) ? 1 : 3;
  return grid_bytes(p, points2(p), loads);
}

/// `Rows`: rows of the source that one point touches, 5 of 7 points, 9 of 27.
template <int Neighbours, int Rows>
ByteAmounts volume_below(P p, Amount cache) {
  const Amount row = p["nx"] * p.element();
  const Amount loads = cache <= 0                        ? Neighbours
                       : stays(3 * p["ny"] * row, cache) ? 1
                       : stays(Rows * row, cache)        ? 3
                                                         : Rows;
  return grid_bytes(p, points3(p), loads);
}

WorkAmounts lbm_work(P p) {
  return {.any = p["flops"] * p["n"]};
}
ByteAmounts lbm_bytes(P p) {
  const Amount bytes = 19 * p.element() * p["n"];
  return {bytes, bytes, bytes};
}
ByteAmounts lbm_below(P p, Amount /*cache*/) {
  return lbm_bytes(p);
}

WorkAmounts fft_work(P p) {
  const Amount butterflies = p["n"] * std::log2(p["n"]);
  return {.add = 3 * butterflies, .mul = 2 * butterflies};
}
ByteAmounts fft_bytes(P p) {
  const Amount bytes = 2 * p.element() * p["n"];
  return {bytes, bytes, bytes};
}
/// A cache of S points does log2 S of the log2 n steps in one pass.
ByteAmounts fft_below(P p, Amount cache) {
  const Amount in_cache = std::max<Amount>(2, cache / (2 * p.element()));
  const Amount passes =
      std::max<Amount>(1, std::ceil(std::log2(p["n"]) / std::log2(in_cache) - Amount(1e-12)));
  ByteAmounts bytes = fft_bytes(p);
  bytes.read *= passes;
  bytes.written *= passes;
  return bytes;
}
std::string_view fft_complaint(P p) {
  return p["n"] < 2 ? "n must be at least 2" : "";
}

constexpr std::string_view kStencilTraffic = "e (N read + N written), write-allocate e N; N points";
constexpr std::string_view kRows =
    "3 rows in half the cache: e N read; else e 3 N; registers: every point";
constexpr std::string_view kPlanes =
    "3 planes in half the cache: e N read; the rows of a point: e 3 N; else as many as rows; "
    "registers: every point";
constexpr std::string_view kStengel =
    "Stengel, Treibig, Hager, Wellein 2015, doi:10.1145/2751205.2751240 (layer conditions)";

}  // namespace

constexpr std::array<Kernel, kGridKernels> grid_kernels{{
    {"stencil5", "2-D, 5 points, one sweep", kGrid2, "4 N add + coefficients N mul",
     kStencilTraffic, kRows, kStengel, false, true, stencil_work<5, points2>,
     stencil_bytes<points2>, plane_below<5>, stencil_complaint<5>},
    {"stencil9", "2-D, 9 points, one sweep", kGrid2, "8 N add + coefficients N mul",
     kStencilTraffic, kRows, kStengel, false, true, stencil_work<9, points2>,
     stencil_bytes<points2>, plane_below<9>, stencil_complaint<9>},
    {"stencil7", "3-D, 7 points, one sweep", kGrid3, "6 N add + coefficients N mul",
     kStencilTraffic, kPlanes, kStengel, false, true, stencil_work<7, points3>,
     stencil_bytes<points3>, volume_below<7, 5>, stencil_complaint<7>},
    {"stencil27", "3-D, 27 points, one sweep", kGrid3, "26 N add + coefficients N mul",
     kStencilTraffic, kPlanes, kStengel, false, true, stencil_work<27, points3>,
     stencil_bytes<points3>, volume_below<27, 9>, stencil_complaint<27>},
    {"lbm-d3q19", "lattice Boltzmann, 19 directions, two lattices", kLbm, "flops n, of any kind",
     "e (19 n read + 19 n written), write-allocate e 19 n",
     "the same at every level: nothing is used twice",
     "Wellein, Zeiser, Hager, Donath 2006, doi:10.1016/j.compfluid.2005.02.008", false, false,
     lbm_work, lbm_bytes, lbm_below, nullptr},
    {"fft", "complex Fourier transform, radix 2, out of place", kFft,
     "5 n log2 n (3 n log2 n add, 2 n log2 n mul)",
     "2 e (n read + n written), write-allocate 2 e n",
     "passes = ceil(log2 n / log2 S) times read and written, S = points in the cache; twiddles "
     "left "
     "out",
     "Williams 2009 and CRD Roofline introduction (5 n log2 n / 48 n); Hong, Kung 1981", false,
     false, fft_work, fft_bytes, fft_below, fft_complaint},
}};

}  // namespace ridge::predict
