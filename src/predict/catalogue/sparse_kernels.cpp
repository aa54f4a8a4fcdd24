// Sparse matrices and the histogram.
#include <algorithm>
#include <array>
#include <cmath>

#include "predict/catalogue/kernel_tables.hpp"

namespace ridge::predict {
namespace {

constexpr KernelParameter kRows{"m", "rows", ""};
constexpr KernelParameter kNonzeros{"nnz", "non-zeros", ""};
constexpr KernelParameter kColumns{"n", "columns", "m"};
constexpr KernelParameter kAlpha{"alpha", "loads of x for each non-zero (default: each once)",
                                 "n/nnz", Domain::real};
constexpr KernelParameter kValue{"bv", "byte of a value", "e"};
constexpr KernelParameter kIndex{"bi", "byte of an index", "4"};
constexpr KernelParameter kReadsY{"y_read", "1: y = y + A x, 0: y = A x", "1", Domain::flag};

constexpr std::array kCsr{kRows, kNonzeros, kColumns, kAlpha, kValue, kIndex, kReadsY};
constexpr std::array kSell{kRows,
                           kNonzeros,
                           kColumns,
                           kAlpha,
                           KernelParameter{"beta", "part of the stored elements that is no fill-in",
                                           "1", Domain::fraction},
                           kValue,
                           kIndex,
                           kReadsY,
                           KernelParameter{"chunk", "rows of a chunk (C)", "32"}};
constexpr std::array kHistogram{
    KernelParameter{"n", "data", ""}, KernelParameter{"bins", "counters", "256"},
    KernelParameter{"bv", "byte of a datum", "e"}, KernelParameter{"bi", "byte of a counter", "4"}};

using P = const Parameters&;

WorkAmounts spmv_work(P p) {
  return {.fma = 2 * p["nnz"]};
}

/// x and y: the same in every format.
ByteAmounts vector_bytes(P p) {
  const Amount y = p["bv"] * p["m"];
  const bool reads = p["y_read"] > 0;
  return {p["bv"] * p["alpha"] * p["nnz"] + (reads ? y : 0), y, reads ? 0 : y};
}
ByteAmounts csr_bytes(P p) {
  ByteAmounts bytes = vector_bytes(p);
  bytes.read += p["nnz"] * (p["bv"] + p["bi"]) + p["bi"] * (p["m"] + 1);
  return bytes;
}
ByteAmounts sell_bytes(P p) {
  ByteAmounts bytes = vector_bytes(p);
  const Amount stored = p["nnz"] / p["beta"];
  const Amount chunks = std::ceil(p["m"] / p["chunk"]);
  bytes.read += stored * (p["bv"] + p["bi"]) + 2 * p["bi"] * chunks;
  return bytes;
}
/// Alpha counts an element of x that is read again anew; it is stored once.
template <ByteAmounts (*Least)(P)>
Amount stored_once(P p) {
  const ByteAmounts bytes = Least(p);
  const Amount x = p["bv"] * p["alpha"] * p["nnz"];
  return bytes.read + bytes.allocate - x + std::min(x, p["bv"] * p["n"]);
}
std::string_view sparse_complaint(P p) {
  return p["nnz"] > p["m"] * p["n"] ? "nnz exceeds m n" : "";
}

WorkAmounts histogram_work(P p) {
  return {.intops = p["n"]};
}
ByteAmounts histogram_bytes(P p) {
  const Amount counters = p["bins"] * p["bi"];
  return {p["n"] * p["bv"] + counters, counters, 0};
}

}  // namespace

constexpr std::array<Kernel, kSparseKernels> sparse_kernels{{
    {"spmv-csr", "y = y + A x, compressed sparse rows", kCsr, "2 nnz (nnz fma)",
     "nnz (bv + bi) + bi (m + 1) + bv alpha nnz + y_read bv m read, bv m written (without y_read: "
     "write-allocate bv m); per flop, 8-byte values: 6 + 4 alpha + 10/N_nzr, without y_read and "
     "write-allocate (GPU) 6 + 4 alpha + 6/N_nzr",
     "", "Hager 2022 (CSCS-USI); Kreutzer et al. 2014, doi:10.1137/130930352", false, false,
     spmv_work, csr_bytes, nullptr, sparse_complaint, nullptr, stored_once<csr_bytes>},
    {"spmv-sell", "y = y + A x, SELL-C-sigma", kSell, "2 nnz (nnz fma)",
     "nnz / beta (bv + bi) + 2 bi ceil(m / chunk) + bv alpha nnz + y_read bv m read, bv m written "
     "(without y_read: write-allocate bv m)",
     "", "Kreutzer et al. 2014, doi:10.1137/130930352; chunk pointers and lengths added", false,
     false, spmv_work, sell_bytes, nullptr, sparse_complaint, nullptr, stored_once<sell_bytes>},
    {"histogram", "counts of n data in bins", kHistogram, "0 flop; n integer additions",
     "bv n + bi bins read, bi bins written", "", "each datum read once, each counter kept", false,
     false, histogram_work, histogram_bytes, nullptr, nullptr},
}};

}  // namespace ridge::predict
