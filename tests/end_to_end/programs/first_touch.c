/* Touches fresh pages in one loop, reads them again and again in another. */
#include <stdio.h>
#include <sys/mman.h>

enum { ROUNDS = 2, BYTES = 1 << 27, COUNT = BYTES / 8, READS = 60 };

__attribute__((noinline)) static void touch(double* data) {
  for (long i = 0; i < COUNT; ++i) data[i] = (double)i;
}

__attribute__((noinline)) static double read_all(const double* data) {
  double sum = 0.0;
  for (int repeat = 0; repeat < READS; ++repeat) {
    for (long i = 0; i < COUNT; ++i) sum += data[i];
  }
  return sum;
}

int main(void) {
  double sum = 0.0;
  for (int round = 0; round < ROUNDS; ++round) {
    void* pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return 1;
    madvise(pages, BYTES, MADV_NOHUGEPAGE); /* one fault for each 4 KiB on every system */
    touch(pages);
    sum += read_all(pages);
    munmap(pages, BYTES);
  }
  printf("%g\n", sum);
  return 0;
}
