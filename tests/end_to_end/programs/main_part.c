/* 2 * 100 flop here, 2 * 200 in a static library, 2 * 300 in a shared one. */
#include <stdio.h>

#include "work.h"

double static_part(long n);
double shared_part(long n);

int main(void) {
  printf("%.1f\n", work(100) + static_part(200) + shared_part(300));
  return 0;
}
