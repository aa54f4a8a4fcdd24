#include <stddef.h>

double plane[1000][1000];
struct cells {
  double *x, *y;
  int count;
};

void jacobi(double* restrict b, const double* restrict a, int N, int M) {
  for (int j = 1; j < M - 1; j++)
    for (int i = 1; i < N - 1; i++) b[j * N + i] = 0.25 * (a[j * N + i - 1] + a[j * N + i + 1] + a[(j - 1) * N + i] + a[(j + 1) * N + i]);
}

void variable_extents(int N, double a[N][N], double b[N][N]) {
  for (int j = 1; j < N - 1; j++)
    for (int i = 1; i < N - 1; i++) b[j][i] = a[j][i - 1] + plane[j][i];
}

void spmv(int n, const int* row, const int* col, const double* val, const double* x, double* y) {
  for (int r = 0; r < n; r++) {
    double s = 0;
    for (int k = row[r]; k < row[r + 1]; k++) s += val[k] * x[col[k]];
    y[r] = s;
  }
}

void downwards(double* a, long n) {
  for (long i = n - 1; i >= 0; i -= 2) a[i] *= 2.0;
}

void triangle(double* a, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) a[i * n + j] += 1.0;
}

void pointers(double* p, double* q, int n) {
  while (n--) *p++ = *q++ + 1.0;
}

void members(struct cells* c) {
  for (int i = 0; i < c->count; i++) c->x[i] = c->y[i] / 3.0;
}

double external(double);

void conditional(float* a, const float* b, int n) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0.0f) a[i] = b[i] + (float)external(b[i]);
}

void two_nests(double* a, int n) {
  for (int i = 0; i < n; i++) a[i] = 0.0;
  for (int i = 0; i < n; i++) a[2 * i] = 1.0;
}

struct node {
  struct node* next;
  double value;
};

double chase(const struct node* node) {
  double sum = 0.0;
  for (; node != NULL; node = node->next) sum += node->value;
  return sum;
}
