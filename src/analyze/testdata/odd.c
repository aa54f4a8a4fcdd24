/* What is not to be read as something else than it is. */
#include <immintrin.h>
void irreducible(double* a, int n, int c) {
  int i = 0;
  if (c) goto b;
a:
  a[i] += 1;
  i++;
b:
  a[i] *= 2;
  i += 2;
  if (i < n) goto a;
}
void intrinsics(double* a, const double* b, int n) {
  for (int i = 0; i < n; i += 4) _mm256_storeu_pd(a + i, _mm256_add_pd(_mm256_loadu_pd(b + i), _mm256_set1_pd(1)));
}
void masked(double* a, const double* b, int n) {
  for (int i = 0; i < n; i += 8) _mm512_mask_storeu_pd(a + i, 0x7f, _mm512_maskz_loadu_pd(3, b + i));
}
void gather(double* a, const double* b, const int* x, int n) {
  for (int i = 0; i < n; i += 4) _mm256_storeu_pd(a + i, _mm256_i32gather_pd(b, _mm_loadu_si128((const __m128i*)(x + i)), 8));
}
void loop(void) { loop(); }
void self(int* p) {
  for (;;) {
    self(p);
  }
}
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
void sw(int* a, int n, int k) {
  for (int i = 0; i < n; i++) switch (k) {
      case 0:
        a[i] = 1;
        break;
      case 1:
        a[i] = 2;
      case 2:
        continue;
      default:
        return;
    }
}
void asmloop(int* a, int n) {
  for (int i = 0; i < n; i++) __asm__ volatile("nop" : "+r"(a[i]));
}
void vla(int n) {
  for (int i = 1; i < n; i++) {
    double t[i];
    t[i - 1] = i;
    __asm__ volatile("" ::"r"(t));
  }
}
void copy_struct(struct s { char c[64]; } * a, struct s* b, int n) {
  for (int i = 0; i < n; i++) a[i] = b[i];
}
void bits(struct f { unsigned a : 3, b : 5; } * p, int n) {
  for (int i = 0; i < n; i++) p[i].a = p[i].b;
}
void wide(__int128* a, int n) {
  for (int i = 0; i < n; i++) a[i] += 1;
}
void ld(long double* a, _Float16* h, int n) {
  for (int i = 0; i < n; i++) {
    a[i] += h[i];
  }
}
void un(
    union u {
      int i;
      double d;
    } * a,
    int n) {
  for (int i = 0; i < n; i++) a[i].d = 1;
}
void big(double* a, long n) {
  for (long i = 0; i < n; i++) a[i * 0x7fffffffffffL * 0x7fffffL] = 1;
}
void wrap8(char* a, unsigned char n) {
  for (unsigned char i = 0; i != n; i++) a[i] = 1;
}
void neg(double* a, int n) {
  for (int i = 0; i > -n; i--) a[-i] = 1;
}
void atomic(_Atomic int* a, int n) {
  for (int i = 0; i < n; i++) a[i]++;
}
