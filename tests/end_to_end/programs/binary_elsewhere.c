/* Sleeps, reads zeros from the kernel, and computes: SLEEPS of 25 ms, READS of 1 MB. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char zeros[1 << 20];

static double computed(long turns) {
  double x = 1.0;
  for (long i = 0; i < turns; ++i) {
    x = x * 0.999999 + 1e-6;
  }
  return x;
}

int main(int count, char** words) {
  const long sleeps = count > 1 ? atol(words[1]) : 0;
  const long reads = count > 2 ? atol(words[2]) : 0;
  const struct timespec moment = {0, 25000000};
  for (long i = 0; i < sleeps; ++i) {
    nanosleep(&moment, NULL);
  }
  const int file = open("/dev/zero", O_RDONLY);
  long got = 0;
  for (long i = 0; i < reads; ++i) {
    got += read(file, zeros, sizeof zeros);
  }
  printf("%ld %g\n", got, computed(20000000));
  return 0;
}
