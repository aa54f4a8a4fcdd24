/* Works until it is interrupted, and then ends in good order. */
#include <signal.h>
#include <stdio.h>

#include "work.h"

static volatile sig_atomic_t stop;

static void on_interrupt(int number) {
  stop = number;
}

int main(void) {
  double sum = 0.0;
  signal(SIGINT, on_interrupt);
  signal(SIGTERM, on_interrupt);
  puts("ready");
  fflush(stdout);
  while (!stop) sum += work(1000);
  puts(sum > 0.0 ? "interrupted" : "never ran");
  return 7;
}
