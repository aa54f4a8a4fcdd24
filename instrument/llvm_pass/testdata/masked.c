/* Operations that only touch some of their lanes: the bytes and flops of the active ones count. */
#include <immintrin.h>
#include <stdio.h>

enum { kN = 1000 };
static double a[kN + 64], b[kN + 64];
static int flags[kN + 64];

#define NOINLINE __attribute__((noinline))

/* 4 n loaded for the flags; 8 loaded and 8 stored for each of the 334 multiples of 3. */
NOINLINE void if_in_loop(double* restrict x, const double* restrict y, const int* restrict f,
                         int n) {
  for (int i = 0; i < n; i++)
    if (f[i] == 0) x[i] = y[i];
}

/* 12 n loaded, 8 n stored, n flop */
NOINLINE void gathered(double* restrict x, const double* restrict y, const int* restrict at,
                       int n) {
  for (int i = 0; i < n; i++) x[i] = y[at[i]] * 2.0;
}

NOINLINE __m512d mask_load(const double* p, __mmask8 m) {
  return _mm512_maskz_loadu_pd(m, p);
}
NOINLINE void mask_store(double* p, __mmask8 m, __m512d v) {
  _mm512_mask_storeu_pd(p, m, v);
}
NOINLINE void compress(double* p, __mmask8 m, __m512d v) {
  _mm512_mask_compressstoreu_pd(p, m, v);
}
NOINLINE __m512d expand(const double* p, __mmask8 m) {
  return _mm512_maskz_expandloadu_pd(m, p);
}
NOINLINE __m256d avx_mask_load(const double* p, __m256i m) {
  return _mm256_maskload_pd(p, m);
}
NOINLINE __m256d avx_gather(const double* p, __m128i i, __m256d m) {
  return _mm256_mask_i32gather_pd(_mm256_setzero_pd(), p, i, m, 8);
}
NOINLINE __m512d gather512(const double* p, __m256i i, __mmask8 m) {
  return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), m, i, p, 8);
}
NOINLINE void scatter512(double* p, __m256i i, __mmask8 m, __m512d v) {
  _mm512_mask_i32scatter_pd(p, m, i, v, 8);
}
NOINLINE __m512d rounded(__m512d x, __m512d y) {
  return _mm512_fmadd_round_pd(x, y,
                               _mm512_add_round_pd(x, y, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC),
                               _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
NOINLINE __m128d masked_scalar(__m128d x, __m128d y, __mmask8 m) {
  return _mm_mask_add_round_sd(x, m, x, y, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
NOINLINE __m128d known_mask(__m128d x, __m128d y) {
  return _mm_mask_add_round_sd(x, 1, x, y, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
/* A select of all sums and x, in the IR. */
NOINLINE __m512d selected(__m512d x, __m512d y, __mmask8 m) {
  return _mm512_mask_add_pd(x, m, x, y);
}
NOINLINE __m512d not_selected(__m512d x, __m512d y, __mmask8 m) {
  return _mm512_mask_mul_pd(x, (__mmask8)~m, x, y);
}
NOINLINE __m128 dot(__m128 x, __m128 y) {
  return _mm_dp_ps(x, y, 0x71);
}
NOINLINE __m256d horizontal(__m256d x, __m256d y) {
  return _mm256_hadd_pd(x, y);
}
NOINLINE void streamed(double* p, __m512d v) {
  _mm512_stream_pd(p, v);
}

int main(void) {
  for (int i = 0; i < kN; i++) a[i] = i, b[i] = 2 * i, flags[i] = i % 3;
  volatile int five = 0x15;
  const __mmask8 m = (__mmask8)five;
  if_in_loop(a, b, flags, kN);
  gathered(b, a, flags, kN);
  __m512d v = mask_load(a, m);
  mask_store(b, m, v);
  compress(b, m, v);
  v = _mm512_add_pd(v, expand(a, m));
  const __m256i first_two = _mm256_setr_epi64x(-1, -1, 0, 0);
  __m256d w = avx_mask_load(a, first_two);
  w = _mm256_add_pd(w, avx_gather(a, _mm_setr_epi32(1, 2, 3, 4), _mm256_castsi256_pd(first_two)));
  const __m256i at = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  v = _mm512_add_pd(v, gather512(a, at, m));
  scatter512(b, at, m, v);
  v = not_selected(selected(rounded(v, v), v, m), v, m);
  const __m128d s =
      masked_scalar(masked_scalar(_mm512_castpd512_pd128(v), _mm_set1_pd(1), 1), _mm_set1_pd(1), 2);
  a[17] = known_mask(s, s)[0];
  const __m128 d = dot(_mm_set1_ps(1), _mm_set1_ps((float)five));
  w = horizontal(w, w);
  streamed((double*)(((size_t)(b + 8) + 63) & ~(size_t)63), v);
  printf("%g %g %g %g %g\n", a[17], b[3], s[0], (double)d[0], w[1]);
  return 0;
}
