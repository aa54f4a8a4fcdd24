// Vectors and dense matrices.
#include <algorithm>
#include <array>
#include <cmath>

#include "predict/catalogue/kernel_tables.hpp"

namespace ridge::predict {
namespace {

constexpr std::array kLength{KernelParameter{"n", "elements", ""}};
constexpr std::array kBodies{
    KernelParameter{"n", "bodies", ""},
    KernelParameter{"block", "bodies that share a load of another one (lanes, threads)", "256"}};
constexpr std::array kGemv{KernelParameter{"m", "rows", ""}, KernelParameter{"n", "columns", "m"}};
constexpr std::array kGemm{KernelParameter{"n", "columns of C and B", ""},
                           KernelParameter{"m", "rows of C and A", "n"},
                           KernelParameter{"k", "columns of A, rows of B", "n"}};
constexpr std::array kBlocked{KernelParameter{"n", "columns of C and B", ""},
                              KernelParameter{"m", "rows of C and A", "n"},
                              KernelParameter{"k", "columns of A, rows of B", "n"},
                              KernelParameter{"block", "edge of the square blocks", "64"}};

using P = const Parameters&;

/// Streams without reuse: what the loop asks for crosses every boundary.
template <ByteAmounts (*Least)(P)>
ByteAmounts streaming(P p, Amount /*cache*/) {
  return Least(p);
}

ByteAmounts streams(P p, Amount read, Amount written, Amount allocate) {
  const Amount bytes = p.element() * p["n"];
  return {read * bytes, written * bytes, allocate * bytes};
}

WorkAmounts one_mul(P p) {
  return {.mul = p["n"]};
}
WorkAmounts one_add(P p) {
  return {.add = p["n"]};
}
WorkAmounts one_fma(P p) {
  return {.fma = 2 * p["n"]};
}
ByteAmounts scal_bytes(P p) {
  return streams(p, 1, 1, 0);
}
ByteAmounts axpy_bytes(P p) {
  return streams(p, 2, 1, 0);
}
ByteAmounts dot_bytes(P p) {
  return streams(p, 2, 0, 0);
}
ByteAmounts sum_bytes(P p) {
  return streams(p, 1, 0, 0);
}
ByteAmounts triad_bytes(P p) {
  return streams(p, 2, 1, 1);
}

WorkAmounts gemv_work(P p) {
  return {.fma = 2 * p["m"] * p["n"]};
}
ByteAmounts gemv_bytes(P p) {
  const Amount e = p.element();
  return {e * (p["m"] * p["n"] + p["n"] + p["m"]), e * p["m"], 0};
}

Amount gemm_flops(P p) {
  return 2 * p["m"] * p["n"] * p["k"];
}
WorkAmounts gemm_work(P p) {
  return {.fma = gemm_flops(p)};
}
ByteAmounts gemm_bytes(P p) {
  const Amount e = p.element();
  const Amount c = e * p["m"] * p["n"];
  return {e * p["k"] * (p["m"] + p["n"]), c, c};
}

/// 2 m n k / sqrt(S) elements of A and B are the least that any order of the products can do with.
/// How many products the registers block is not known: the least stands there.
ByteAmounts gemm_below(P p, Amount cache) {
  ByteAmounts bytes = gemm_bytes(p);
  if (cache > 0) {
    const Amount e = p.element();
    bytes.read =
        std::max(bytes.read, e * gemm_flops(p) / std::sqrt(std::max<Amount>(1, cache / e)));
  }
  return bytes;
}

/// A row of C at a time: for each element a row of A times a column of B.
ByteAmounts naive_below(P p, Amount cache) {
  constexpr Amount kLine = 64;
  const Amount e = p.element();
  ByteAmounts bytes = gemm_bytes(p);
  const Amount a = e * p["m"] * p["k"];
  const Amount all_of_b = e * p["k"] * p["n"];
  if (cache >= all_of_b + e * p["k"]) {
    return bytes;  // B stays
  }
  if (cache >= (kLine + e) * p["k"]) {
    bytes.read = a + p["m"] * all_of_b;  // the lines of a column stay until their last element
  } else if (cache > 0) {
    bytes.read = a + p["m"] * p["n"] * p["k"] * kLine;  // a line for each element of B
  } else {
    bytes = {e * gemm_flops(p), e * p["m"] * p["n"], 0};
  }
  return bytes;
}

// Of any GPU there is: the largest warp, and the most threads that one multiprocessor has at a time
// (2048 of CUDA's compute capabilities 7.0 to 9.0, 40 wavefronts of 64 of AMD's GCN and CDNA 1).
constexpr Amount kWidestWarp = 64;
constexpr Amount kMostThreads = 2560;

/// One thread for each element of C, neighbours in a row. A warp reads an element of A once and a
/// piece of a row of B. T threads of a multiprocessor, in the best shape a square of C, share what
/// they read at a time: 2 m n k / sqrt(T) elements.
ByteAmounts naive_on_gpu(P p, GpuBoundary boundary, Amount cache) {
  const Amount e = p.element();
  ByteAmounts bytes = gemm_bytes(p);
  const Amount products = p["m"] * p["n"] * p["k"];
  if (boundary == GpuBoundary::registers) {
    return {e * (products + products / std::min(kWidestWarp, p["n"])), e * p["m"] * p["n"], 0};
  }
  const Amount coalesced = e * 2 * products / std::sqrt(kMostThreads);
  const Amount best = gemm_below(p, cache).read;
  bytes.read =
      std::max(bytes.read, boundary == GpuBoundary::device ? std::min(best, coalesced) : coalesced);
  return bytes;
}

ByteAmounts blocked_bytes(P p) {
  const Amount e = p.element();
  const Amount c = e * p["m"] * p["n"];
  return {e * gemm_flops(p) / p["block"], c, c};
}
ByteAmounts blocked_below(P p, Amount cache) {
  const bool fits = 3 * p["block"] * p["block"] * p.element() <= cache;
  return fits ? blocked_bytes(p) : naive_below(p, cache);
}
ByteAmounts blocked_on_gpu(P p, GpuBoundary boundary, Amount cache) {
  const bool fits =
      boundary != GpuBoundary::registers && 3 * p["block"] * p["block"] * p.element() <= cache;
  return fits ? blocked_bytes(p) : naive_on_gpu(p, boundary, cache);
}
Amount matrices(P p) {
  return p.element() * (p["m"] * p["k"] + p["k"] * p["n"] + p["m"] * p["n"]);
}
std::string_view blocked_complaint(P p) {
  const Amount least = std::min({p["m"], p["n"], p["k"]});
  return p["block"] > least ? "block must not exceed m, n and k" : "";
}

WorkAmounts nbody_work(P p) {
  const Amount pairs = p["n"] * p["n"];
  return {.add = 3 * pairs, .mul = 3 * pairs, .fma = 12 * pairs, .div = pairs, .sqrt = pairs};
}
ByteAmounts nbody_bytes(P p) {
  const Amount coordinates = 3 * p.element() * p["n"];
  return {4 * p.element() * p["n"], coordinates, coordinates};
}
ByteAmounts nbody_below(P p, Amount cache) {
  ByteAmounts bytes = nbody_bytes(p);
  if (cache < bytes.read) {
    bytes.read *= std::max<Amount>(1, p["n"] / p["block"]);
  }
  return bytes;
}

/// What data each core needs, and how they go through registers and GPUs.
constexpr Kernel sharing(Kernel kernel, bool blocks_registers,
                         ByteAmounts (*on_gpu)(P, GpuBoundary, Amount) = nullptr,
                         Amount (*working_set)(P) = nullptr) {
  kernel.shared_data = true;
  kernel.blocks_registers = blocks_registers;
  kernel.below_on_gpu = on_gpu;
  kernel.working_set = working_set;
  return kernel;
}

constexpr std::string_view kStream = "the same at every level: nothing is used twice";
constexpr std::string_view kUmea = "Myllykoski 2020 (Umea)";
constexpr std::string_view kSmith = "Smith, Lowery, Langou, van de Geijn 2019, arXiv:1702.02017";

}  // namespace

constexpr std::array<Kernel, kDenseKernels> dense_kernels{{
    {"scal", "x = a x (AX)", kLength, "n mul", "e (n read + n written)", kStream, kUmea, false,
     false, one_mul, scal_bytes, streaming<scal_bytes>, nullptr},
    {"axpy", "y = y + a x", kLength, "2 n (n fma)", "e (2 n read + n written)", kStream, "BLAS 1",
     false, false, one_fma, axpy_bytes, streaming<axpy_bytes>, nullptr},
    {"dot", "s = x . y", kLength, "2 n (n fma)", "e 2 n read", kStream, "BLAS 1", false, false,
     one_fma, dot_bytes, streaming<dot_bytes>, nullptr},
    {"reduction", "s = sum of x", kLength, "n add", "e n read", kStream, "BLAS 1", false, false,
     one_add, sum_bytes, streaming<sum_bytes>, nullptr},
    {"triad", "a = b + s c (STREAM)", kLength, "2 n (n fma)",
     "e (2 n read + n written), write-allocate e n", kStream, "McCalpin, STREAM; Williams 2009",
     false, false, one_fma, triad_bytes, streaming<triad_bytes>, nullptr},
    {"gemv", "y = y + A x, A is m x n", kGemv, "2 m n (m n fma)",
     "e (m n + n + m read + m written)", "", "BLAS 2", false, false, gemv_work, gemv_bytes, nullptr,
     nullptr},
    sharing({"gemm", "C = A B with the best possible blocking", kGemm, "2 m n k (m n k fma)",
             "e (m k + k n read + m n written), write-allocate e m n",
             "A and B: max(least, e 2 m n k / sqrt(S)), S = elements in the cache; registers: the "
             "same with theirs, or least where their size is not known",
             kSmith, true, false, gemm_work, gemm_bytes, gemm_below, nullptr},
            true),
    sharing({"gemm-naive", "C = A B as three loops, dot products of rows and columns", kGemm,
             "2 m n k (m n k fma)", "e (m k + k n read + m n written), write-allocate e m n",
             "B in the cache: least; 64-byte lines of a column: e (m k + m k n); else 64 m n k + e "
             "m k; registers: e 2 m n k; GPU, a thread for each element of C: registers e (m n k + "
             "m n k / 64), multiprocessor e 2 m n k / sqrt(2560), device at most that and at least "
             "that of gemm",
             kUmea, true, false, gemm_work, gemm_bytes, naive_below, nullptr},
            false, naive_on_gpu),
    sharing({"gemm-blocked", "C = A B in square blocks", kBlocked, "2 m n k (m n k fma)",
             "e (2 m n k / block read + m n written), write-allocate e m n",
             "3 block^2 e <= cache: the same; else as gemm-naive", kUmea, true, true, gemm_work,
             blocked_bytes, blocked_below, blocked_complaint},
            false, blocked_on_gpu, matrices),
    sharing({"nbody", "accelerations of n bodies, all pairs", kBodies,
             "20 n^2 (3 sub, 6 fma, 3 mul, 1 sqrt, 1 div for each pair)",
             "e (4 n read + 3 n written), write-allocate e 3 n",
             "bodies in the cache: least; else read again for each block: e 4 n max(1, n / block)",
             "Nyland, Harris, Prins 2007, GPU Gems 3, chapter 31 (20 flop for each pair)", false,
             false, nbody_work, nbody_bytes, nbody_below, nullptr},
            false),
}};

}  // namespace ridge::predict
