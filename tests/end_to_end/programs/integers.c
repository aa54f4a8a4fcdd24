/* integers N TURNS: two loops whose integer operations are known.
 * add_arrays: N additions of 64 bits a turn, 16 N byte loaded, 8 N stored.
 * xorshift: 6 N operations a turn, in one register. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void add_arrays(uint64_t* restrict sum, const uint64_t* a,
                                          const uint64_t* b, long n) {
  for (long i = 0; i < n; ++i) sum[i] = a[i] + b[i];
}

__attribute__((noinline)) uint64_t xorshift(uint64_t x, long n) {
  for (long i = 0; i < n; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return x;
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 100000;
  const long turns = argc > 2 ? atol(argv[2]) : 200;
  uint64_t* a = calloc(3 * (size_t)n, sizeof *a);
  if (a == NULL) return 1;
  uint64_t x = 88172645463325252u;
  for (long turn = 0; turn < turns; ++turn) {
    add_arrays(a, a + n, a + 2 * n, n);
    x = xorshift(x, n);
  }
  printf("%llu %llu\n", (unsigned long long)x, (unsigned long long)a[n / 2]);
  free(a);
  return 0;
}
