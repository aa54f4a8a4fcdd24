/* AVX-512 with and without masks, each form in a function of its own. masked N: how often and with
   how many lanes each runs follows from N (avx512_test.py). */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>

enum { kDoubles = 8, kFloats = 16, kPeriod = 5 };

/* Whole vectors without a mask, the rest with one. */
__attribute__((noinline)) void remainder_fma(double* y, const double* x, double a, long n) {
  const __m512d factor = _mm512_set1_pd(a);
  long i = 0;
  for (; i + kDoubles <= n; i += kDoubles) {
    const __m512d sum = _mm512_fmadd_pd(factor, _mm512_loadu_pd(x + i), _mm512_loadu_pd(y + i));
    _mm512_storeu_pd(y + i, sum);
  }
  const __mmask8 rest = (__mmask8)((1U << (n - i)) - 1);
  const __m512d values = _mm512_maskz_loadu_pd(rest, x + i);
  const __m512d before = _mm512_maskz_loadu_pd(rest, y + i);
  _mm512_mask_storeu_pd(y + i, rest, _mm512_mask3_fmadd_pd(factor, values, before, rest));
}

/* Lanes with x > 1. */
__attribute__((noinline)) void masked_divide(double* y, const double* x, long n) {
  for (long i = 0; i + kDoubles <= n; i += kDoubles) {
    const __m512d values = _mm512_loadu_pd(x + i);
    const __mmask8 large = _mm512_cmp_pd_mask(values, _mm512_set1_pd(1.0), _CMP_GT_OQ);
    const __m512d before = _mm512_loadu_pd(y + i);
    _mm512_storeu_pd(y + i, _mm512_mask_div_pd(before, large, before, values));
  }
}

__attribute__((noinline)) void masked_root(float* y, const float* x, long n) {
  for (long i = 0; i + kFloats <= n; i += kFloats) {
    const __m512 values = _mm512_loadu_ps(x + i);
    const __mmask16 large = _mm512_cmp_ps_mask(values, _mm512_set1_ps(1.0F), _CMP_GT_OQ);
    _mm512_storeu_ps(y + i, _mm512_maskz_sqrt_ps(large, values));
  }
}

/* A mask of one lane, with explicit rounding. */
__attribute__((noinline)) void masked_scalar(double* y, const double* x, long n) {
  __m128d sum = _mm_setzero_pd();
  for (long i = 0; i < n; ++i) {
    const __m128d value = _mm_load_sd(x + i);
    const __mmask8 large = _mm_cmp_sd_mask(value, _mm_set_sd(1.0), _CMP_GT_OQ);
    sum = _mm_mask_add_round_sd(sum, large, sum, value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  }
  _mm_store_sd(y, sum);
}

/* One mask that is known when compiling, and one that is not. */
__attribute__((noinline)) void known_mask(double* y, const double* x, long n) {
  __m128d all = _mm_setzero_pd();
  __m128d some = all;
  for (long i = 0; i < n; ++i) {
    const __m128d value = _mm_load_sd(x + i);
    const __mmask8 large = _mm_cmp_sd_mask(value, _mm_set_sd(1.0), _CMP_GT_OQ);
    all = _mm_mask_add_round_sd(all, 1, all, value, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    some = _mm_mask_add_sd(some, large, some, value);
  }
  _mm_store_sd(y, all);
  _mm_store_sd(y + 1, some);
}

/* The compiler makes the mask. */
__attribute__((noinline)) void if_converted(double* restrict y, const double* restrict x, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] = x[i] > 1.0 ? y[i] * x[i] : y[i];
  }
}

/* Loads and stores of the last vector have a mask, its arithmetic has none: all lanes run. */
__attribute__((noinline)) void predicated(double* restrict y, const double* restrict x, long n) {
#pragma clang loop vectorize_predicate(enable) vectorize_width(4) interleave_count(1)
  for (long i = 0; i < n; ++i) {
    y[i] = x[i] * 3.0;
  }
}

__attribute__((noinline)) void unmasked(double* restrict y, const double* restrict x, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] = y[i] / x[i] + x[i] * 3.0;
  }
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 0;
  double* x = calloc((size_t)n + 1, sizeof *x);
  double* y = calloc((size_t)n + 1, sizeof *y);
  float* u = calloc((size_t)n + 1, sizeof *u);
  float* v = calloc((size_t)n + 1, sizeof *v);
  for (long i = 0; i < n; ++i) {
    x[i] = i % kPeriod < 2 ? 1.5 : 0.5;
    y[i] = 1.0;
    u[i] = i % kPeriod < 2 ? 2.5F : 0.25F;
  }
  remainder_fma(y, x, 3.0, n);
  masked_divide(y, x, n);
  masked_root(v, u, n);
  masked_scalar(y, x, n);
  known_mask(y, x, n);
  if_converted(y, x, n);
  predicated(y, x, n);
  unmasked(y, x, n);
  printf("%g %g\n", y[0] + y[n / 2], (double)v[0]);
  return 0;
}
