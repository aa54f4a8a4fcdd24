/* Little work, and then nothing for four seconds. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  static double a[1000];
  double sum = 0.0;
  for (int i = 0; i < 1000; ++i) {
    a[i] = i;
    sum += a[i];
  }
  printf("%g\n", sum);
  sleep(4);
  return 0;
}
