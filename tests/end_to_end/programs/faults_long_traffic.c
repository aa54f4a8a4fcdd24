/* Short alone, long while its accesses are simulated. In its second run leaves the file `second` in
 * the folder of its first argument. With a second argument it ends in good order when interrupted.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 1 << 20, kPasses = 200 };

static double data[kLength];

static void end(int signal) {
  (void)signal;
  _exit(0);
}

static int is_second(const char* folder) {
  char first[4096], second[4096];
  snprintf(first, sizeof first, "%s/first", folder);
  snprintf(second, sizeof second, "%s/second", folder);
  const int again = access(first, F_OK) == 0;
  FILE* file = fopen(again ? second : first, "w");
  if (file) fclose(file);
  return again;
}

__attribute__((noinline)) static void pass(double* restrict x, long n, double by) {
  for (long i = 0; i < n; ++i) x[i] = x[i] * by + 1.0;
}

int main(int argc, char** argv) {
  if (argc > 2) signal(SIGINT, end);
  const int again = is_second(argv[1]);
  for (int i = 0; i < kPasses; ++i) pass(data, kLength, 0.5);
  return data[7] > 3.0 ? 1 + again : 0;
}
