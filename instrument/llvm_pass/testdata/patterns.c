/* Loops whose accesses and chains are known: n iterations each, arguments that cannot be folded. */
#include <math.h>
#include <stdio.h>

enum { kN = 1003 };
#define NOINLINE __attribute__((noinline))

struct point {
  double x, y, z;
};
struct node {
  struct node* next;
  double value;
};

static double a[8 * kN], b[8 * kN];
static struct point points[kN];
static struct node nodes[kN];
static int at[kN];

NOINLINE void triad(double* restrict x, const double* restrict y, const double* restrict z, int n) {
  for (int i = 0; i < n; i++) x[i] = y[i] + 3.0 * z[i];
}
NOINLINE void update(double* restrict x, const double* restrict y, int n) {
  for (int i = 0; i < n; i++) x[i] += y[i];
}
/* stride 8 * rows, known when it runs */
NOINLINE void column(double* restrict x, const double* restrict y, int n, long rows) {
  for (int i = 0; i < n; i++) x[i] = y[i * rows];
}
/* stride 40 */
NOINLINE void every_fifth(double* restrict x, const double* restrict y, int n) {
  for (int i = 0; i < n; i++) x[i] = y[5 * i];
}
/* stride 24, one field of three used */
NOINLINE void one_field(double* restrict x, const struct point* restrict p, int n) {
  for (int i = 0; i < n; i++) x[i] = p[i].x;
}
NOINLINE void all_fields(double* restrict x, const struct point* restrict p, int n) {
  for (int i = 0; i < n; i++) x[i] = p[i].x + p[i].y + p[i].z;
}
NOINLINE void indirect(double* restrict x, const double* restrict y, const int* restrict index,
                       int n) {
  for (int i = 0; i < n; i++) x[i] = y[index[i]];
}
NOINLINE void same_place(volatile double* to, const double* restrict y, int n) {
  for (int i = 0; i < n; i++) *to = y[i];
}
/* one word of the frame */
NOINLINE double on_frame(const double* restrict y, int n) {
  volatile double kept = 0.0;
  for (int i = 0; i < n; i++) kept = kept + y[i];
  return kept;
}
/* its trip count is a difference of addresses, divided */
NOINLINE double to_the_end(const double* p, const double* end) {
  double sum = 0.0;
  for (; p < end; p += 3) sum += *p;
  return sum;
}
NOINLINE double chase(const struct node* p) {
  double sum = 0.0;
  for (; p; p = p->next) sum += p->value;
  return sum;
}
NOINLINE double sum(const double* y, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) s += y[i];
  return s;
}
/* a multiply and an addition, or one fma */
NOINLINE double recurrence(const double* y, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++) s = s * 0.999 + y[i];
  return s;
}
NOINLINE double divisions(const double* y, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++) s = y[i] / s;
  return s;
}
/* no chain: the sum starts anew where y is negative */
NOINLINE double restarted(const double* y, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    if (y[i] < 0.0) {
      s = 0.0;
      a[i] = s;
    } else {
      s += y[i];
    }
  }
  return s;
}

int main(void) {
  for (int i = 0; i < 8 * kN; i++) b[i] = i % 7 - 1.0;
  for (int i = 0; i < kN; i++) {
    at[i] = i * 7 % kN;
    points[i].x = points[i].y = points[i].z = i;
    nodes[i].value = i;
    nodes[i].next = i + 1 < kN ? &nodes[i + 1] : 0;
  }
  triad(a, b, b + kN, kN);
  update(a, b, kN);
  column(a, b, kN, 4);
  every_fifth(a, b, kN);
  one_field(a, points, kN);
  all_fields(a, points, kN);
  indirect(a, b, at, kN);
  same_place(a, b, kN);
  printf("%g %g\n", on_frame(b, kN), to_the_end(b, b + 3 * kN));
  double s = chase(nodes) + sum(b, kN) + recurrence(b, kN) + divisions(b, kN) + restarted(b, kN);
  printf("%g %g\n", s, a[5]);
  return 0;
}
