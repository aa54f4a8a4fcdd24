/* An interval timer whose handler runs instrumented loops: work(10). Prints how often the program
 * did work(100) beside, and how often the handler ran.
 *
 *     alarms within ALARMS      the handler interrupts the same loops
 *     alarms prof ALARMS        likewise, by the timer of profilers
 *     alarms stack ALARMS       on a stack of its own
 *     alarms jump ALARMS        it leaves by siglongjmp, over 0 to 6 frames */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "work.h"

static volatile sig_atomic_t alarms;
static volatile sig_atomic_t jumps;
static volatile double kept;
static sigjmp_buf back;

static void on_alarm(int number) {
  (void)number;
  kept = work(10);
  ++alarms;
  if (jumps) siglongjmp(back, 1);
}

__attribute__((noinline)) static void wait_below(int depth) {
  if (depth > 0) {
    wait_below(depth - 1);
    work_data[50] = 1.0; /* no tail call */
    return;
  }
  const int before = alarms;
  while (alarms == before) {
  }
}

static int set_timer(int timer, long microseconds) {
  const struct itimerval interval = {{0, microseconds}, {0, microseconds}};
  return setitimer(timer, &interval, NULL);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "within";
  const int wanted = argc > 2 ? atoi(argv[2]) : 100;
  const int prof = strcmp(how, "prof") == 0;
  const int timer = prof ? ITIMER_PROF : ITIMER_REAL;
  static char other_stack[1 << 16];
  volatile long rounds = 0;
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_alarm;
  if (strcmp(how, "stack") == 0) {
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
    if (sigaltstack(&stack, NULL) != 0) return 1;
    action.sa_flags = SA_ONSTACK;
  }
  jumps = strcmp(how, "jump") == 0;
  sigsetjmp(back, 1);
  if (alarms == 0 &&
      (sigaction(prof ? SIGPROF : SIGALRM, &action, NULL) != 0 || set_timer(timer, 1000) != 0))
    return 1;
  while (alarms < wanted) {
    if (prof || strcmp(how, "within") == 0) {
      kept = work(100);
      ++rounds;
    } else {
      wait_below(alarms % 7);
    }
  }
  jumps = 0;
  set_timer(timer, 0);
  printf("%ld %d\n", rounds, (int)alarms);
  return 0;
}
