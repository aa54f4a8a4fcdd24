/* Loops as people write them, one function each. */
#include <stddef.h>
#include <stdint.h>
struct particle {
  double x, y, z;
  float mass;
  int kind;
};
struct cell {
  double f[19];
  int flags;
};
double table[100][200];
struct {
  double a[64], b[64];
  int n;
} shared;
int N;

void structures(struct particle* p, int n) {
  for (int i = 0; i < n; i++) {
    p[i].x += p[i].mass * p[i].z;
    p[i].kind = 1;
  }
}
void populations(struct cell* cells, const struct cell* from, int n) {
  for (int c = 0; c < n; c++)
    for (int k = 0; k < 19; k++) cells[c].f[k] = from[c].f[k] * 0.5;
}
void rows(double (*a)[300], int n, int m) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) a[j][i] = table[j][i] * 2.0;
}
void globals(void) {
  for (int i = 0; i < N; i++) shared.a[i] += shared.b[i];
}
void unsigned_counter(double* a, const double* b, unsigned n) {
  for (unsigned i = 0; i < n; i += 3) a[i] = b[i + 1];
}
void packed(double* a, unsigned n, unsigned m) {
  for (unsigned j = 1; j < m; j++)
    for (unsigned i = 0; i <= j; i++) a[j * n + i] += 1.0;
}
double sum(const double* a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
int find(const int* a, int n, int key) {
  for (int i = 0; i < n; i++)
    if (a[i] == key) return i;
  return -1;
}
void masked_rows(const int* mask, double* a, int n, int m) {
  for (int j = 0; j < n; j++)
    if (mask[j])
      for (int i = 0; i < m; i++) a[j * m + i] = 0;
}
void jumps(double* a, int n) {
  int i = 0;
again:
  a[i] += 1.0;
  i++;
  if (i < n) goto again;
}
size_t length(const char* s) {
  size_t n = 0;
  while (s[n] != 0) n++;
  return n;
}
void clamped(double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    int l = i > 0 ? i - 1 : 0;
    a[i] = b[l];
  }
}
void halves(double* a, const double* b, int n) {
  for (int i = 0; i < n / 2; i++) a[i] = b[2 * i] + b[2 * i + 1];
}
void blocked(double* a, int n, int B) {
  for (int ii = 0; ii < n; ii += B)
    for (int i = ii; i < (ii + B < n ? ii + B : n); i++) a[i] *= 2;
}
void blocked32(double* a, int n) {
  for (int ii = 0; ii < n; ii += 32)
    for (int i = ii; i < ii + 32 && i < n; i++) a[i] *= 2;
}
struct vec {
  double* values;
  long count;
};
void may_alias(struct vec* v, long* out) {
  for (long i = 0; i < v->count; i++) out[i] = v->values[i];
}
void parts(const double _Complex* z, double* r, int n) {
  for (int i = 0; i < n; i++) r[i] = __real__ z[i] * __imag__ z[i];
}
double callee(double, int);
void calls(double* a, int n, double (*f)(double)) {
  for (int i = 0; i < n; i++) a[i] = callee(a[i], i) + f(a[i]) + __builtin_sin(a[i]);
}
void byte_fill(char* a, int n) {
  for (int i = 0; i < n; i++) a[i] = 0;
}
void copying(double* restrict a, const double* restrict b, int n) {
  for (int i = 0; i < n; i++) a[i] = b[i];
}
void scatter(double* y, const int* idx, const double* x, int n) {
  for (int i = 0; i < n; i++) y[idx[i]] += x[i];
}
void modulo(double* y, const double* x, int n, int m) {
  for (int i = 0; i < n; i++) y[i] = x[i % m];
}
void down(double* a, int n) {
  for (int i = n - 1; i >= 0; i--) a[i] = a[i] + 1;
}
void two_counters(double* a, const double* b, int n) {
  int k = 5;
  for (int i = 0; i < n; i++) {
    a[i] = b[k];
    k += 2;
  }
}
void same_name(double* a, int n) {
  for (int i = 0; i < n; i++) {
    int j = i;
    for (int k = 0; k < j; k++) a[k] += i;
  }
}
void changed(double* a, int n) {
  int m = n;
  for (int i = 0; i < m; i++) a[i] = 0;
  m = 2 * n + 1;
  for (int i = 0; i < m; i++) a[i] = 1;
  n = n - 2;
  for (int i = 0; i < n; i++) a[i] = 2;
}
void continues(double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    if (b[i] < 0) continue;
    a[i] = b[i];
  }
}
void forever(volatile int* a) {
  for (;;) *a = 1;
}
void stripe(double* a, int n, int s) {
  for (int i = 0; i < n; i += s) a[i] = 0;
}
void pointer_end(double* first, double* last) {
  for (double* p = first; p != last; ++p) *p = 0;
}
void pp(double** a, int n, int m) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) a[j][i] = 0;
}
void do_while(double* a, int n) {
  int i = 0;
  do {
    a[i] = 0;
    i += 4;
  } while (i < n);
}
int recursive(int* a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] + recursive(a + i, n - 1);
  return s;
}
void three(double a[restrict 10][20][30]) {
  for (int k = 1; k < 9; k++)
    for (int j = 1; j < 19; j++)
      for (int i = 1; i < 29; i++) a[k][j][i] = a[k - 1][j + 1][i - 1];
}
void fft_like(double* a, int n) {
  for (int len = 1; len < n; len *= 2)
    for (int i = 0; i < len; i++) a[i] += a[i + len];
}

void up_to_the_end(double* restrict p, const double* restrict q, long n) {
  double* end = p + n;
  while (p < end) *p++ = 2.0 * *q++;
}
