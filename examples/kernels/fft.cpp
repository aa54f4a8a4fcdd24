#include "kernels.hpp"

namespace {

// One butterfly: 10 flop (2 complex additions, 1 complex multiplication), 32 byte loaded, 32 byte
// stored.
void butterfly(const double* __restrict first, const double* __restrict second, double wr,
               double wi, double* __restrict sum, double* __restrict turned) {
  const double ar = first[0];
  const double ai = first[1];
  const double br = second[0];
  const double bi = second[1];
  sum[0] = ar + br;
  sum[1] = ai + bi;
  const double dr = ar - br;
  const double di = ai - bi;
  turned[0] = dr * wr - di * wi;
  turned[1] = dr * wi + di * wr;
}

}  // namespace

// n / 2 butterflies in each of log2(n) stages: 5 n log2(n) flop. Loaded: 16 n log2(n) byte and the
// twiddle factors, 16 (n - 1) byte; stored: 16 n log2(n) byte.
void kernels::fft(long stages, const double* __restrict in, const double* __restrict twiddle,
                  double* out, double* scratch) {
  const long half = 1L << (stages - 1);
  const double* from = in;
  for (long stage = 0; stage < stages; ++stage) {
    const long groups = half >> stage;
    const long members = 1L << stage;
    double* to = (stages - stage) % 2 == 1 ? out : scratch;  // the last stage ends in `out`
#pragma omp parallel for schedule(static)
    for (long g = 0; g < groups; ++g) {
      const double wr = twiddle[2 * g * members];
      const double wi = twiddle[2 * g * members + 1];
      for (long m = 0; m < members; ++m) {
        const double* first = from + 2 * (g * members + m);
        double* sum = to + 2 * (2 * g * members + m);
        butterfly(first, first + 2 * half, wr, wi, sum, sum + 2 * members);
      }
    }
    from = to;
  }
}
