/* Touches fresh memory a page at a time, in an inner loop whose visits are far shorter than the
 * time between two samples, and sums it up once. */
#include <stdio.h>
#include <sys/mman.h>

enum { PAGES = 1 << 17, PAGE_DOUBLES = 4096 / sizeof(double) };

__attribute__((noinline)) static void touch(double* data) {
  for (long page = 0; page < PAGES; ++page) {
    for (long i = 0; i < PAGE_DOUBLES; i += 64) {
      data[page * PAGE_DOUBLES + i] = (double)i;
    }
  }
}

int main(void) {
  const unsigned long bytes = (unsigned long)PAGES * 4096;
  void* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    return 1;
  }
  madvise(pages, bytes, MADV_NOHUGEPAGE); /* one fault for each 4 KiB on every system */
  touch(pages);
  printf("%g\n", ((double*)pages)[64]);
  return 0;
}
