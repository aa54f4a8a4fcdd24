/* A loop that nobody waits for: a handler ends the program in the midst of it. Its counters hold
 * all of its turns when it begins, as where the compiler knows their number.
 *
 *     endless TURNS STEP */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void on_alarm(int number) {
  (void)number;
  _exit(0);
}

__attribute__((noinline)) static double add_up(double step, long turns) {
  double sum = 0.0;
  for (long turn = 0; turn < turns; ++turn) sum += step; /* 1 flop */
  return sum;
}

int main(int argc, char** argv) {
  const struct itimerval soon = {{0, 0}, {0, 200000}};
  signal(SIGALRM, on_alarm);
  if (argc < 3 || setitimer(ITIMER_REAL, &soon, NULL) != 0) return 1;
  printf("%g\n", add_up(atof(argv[2]), atol(argv[1])));
  return 2;
}
