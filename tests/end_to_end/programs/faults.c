/* Loops with one known fault each, and one without: faults NAME REPEATS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
enum { kRow = 512, kSmall = 1000, kNodes = 1 << 18 };

struct body {
  double mass, x, y, z, vx, vy, vz, charge;
};
struct node {
  struct node* next;
  double value[7];
};

static double a[kRow * kRow], b[kRow * kRow], c[kRow * kRow];
static struct body bodies[kSmall];
static int order[kSmall];

NOINLINE void column_walk(double* restrict to, const double* restrict from, long n) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++) to[i * n + j] = 2.0 * from[i * n + j];
}
NOINLINE void one_field(double* restrict to, const struct body* restrict from, long n) {
  for (long i = 0; i < n; i++) to[i] = 2.0 * from[i].mass;
}
NOINLINE double recurrence(const double* from, long n) {
  double s = 1.0;
  for (long i = 0; i < n; i++) s = s * 0.999 + from[i];
  return s;
}
NOINLINE double ordered_sum(const double* from, long n) {
  double s = 0.0;
  for (long i = 0; i < n; i++) s += from[i];
  return s;
}
NOINLINE void divide(double* restrict to, const double* restrict x, const double* restrict y,
                     long n) {
  for (long i = 0; i < n; i++) to[i] = x[i] / y[i];
}
NOINLINE uint64_t chase(const struct node* from) {
  uint64_t count = 0;
  for (const struct node* p = from; p; p = p->next) count++;
  return count;
}
NOINLINE void aliased(double* to, const double* from, const int* index, long n) {
  for (long i = 0; i < n; i++) to[index[i]] = to[i] + from[i];
}
NOINLINE void gathered(double* restrict to, const double* restrict from, const int* restrict index,
                       long n) {
  for (long i = 0; i < n; i++) to[i] = from[index[i]];
}
NOINLINE void clean_triad(double* restrict x, const double* restrict y, const double* restrict z,
                          long n) {
  for (long i = 0; i < n; i++) x[i] = y[i] + 3.0 * z[i];
}

/* One chain through all nodes in an order that no prefetcher guesses. */
static struct node* make_chain(void) {
  struct node* nodes = calloc(kNodes, sizeof *nodes);
  uint32_t* next = malloc(kNodes * sizeof *next);
  if (!nodes || !next) abort();
  for (uint32_t i = 0; i < kNodes; i++) next[i] = i;
  uint64_t random = 88172645463325252u;
  for (uint32_t i = kNodes - 1; i > 0; i--) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    const uint32_t j = (uint32_t)(random % (i + 1));
    const uint32_t kept = next[i];
    next[i] = next[j];
    next[j] = kept;
  }
  for (uint32_t i = 0; i + 1 < kNodes; i++) nodes[next[i]].next = &nodes[next[i + 1]];
  struct node* first = &nodes[next[0]];
  free(next);
  return first;
}

/* The kernels by name, in the order of the cases of `main`. */
static const char* const kernels[] = {"column_walk", "one_field", "recurrence",
                                      "ordered_sum", "divide",    "chase",
                                      "aliased",     "gathered",  "clean_triad"};

static int kernel_named(const char* name) {
  const int count = sizeof kernels / sizeof *kernels;
  for (int i = 0; i < count; i++)
    if (!strcmp(name, kernels[i])) return i;
  return -1;
}

/* The name is looked up once: comparing it in the loop took as long as a short kernel. */
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int kernel = kernel_named(argv[1]);
  const long repeats = atol(argv[2]);
  for (int i = 0; i < kRow * kRow; i++) b[i] = c[i] = 1.0 + i % 3;
  for (int i = 0; i < kSmall; i++) order[i] = i * 7 % kSmall, bodies[i].mass = i;
  double sum = 0.0;
  const struct node* chain = kernel == 5 ? make_chain() : NULL;
  for (long r = 0; r < repeats; r++) {
    switch (kernel) {
      case 0:
        column_walk(a, b, kRow);
        break;
      case 1:
        one_field(a, bodies, kSmall);
        break;
      case 2:
        sum += recurrence(b, kSmall);
        break;
      case 3:
        sum += ordered_sum(b, kSmall);
        break;
      case 4:
        divide(a, b, c, kSmall);
        break;
      case 5:
        sum += (double)chase(chain);
        break;
      case 6:
        aliased(a, b, order, kSmall);
        break;
      case 7:
        gathered(a, b, order, kSmall);
        break;
      case 8:
        clean_triad(a, b, c, kSmall);
        break;
      default:
        return 2;
    }
  }
  printf("%g %g\n", sum, a[7]);
  return 0;
}
