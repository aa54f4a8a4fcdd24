/* A handler that runs instrumented loops behind every single instruction of other instrumented
 * loops: the trap flag of the processor is on meanwhile. Prints how often it ran, and the depth of
 * the region stack before and after.
 *
 *     stepped N       interrupted: N turns of work(N + turn), 1 flop each; the handler does
 * work(11) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

static volatile long handled;
static volatile double kept;

static void on_trap(int number) {
  (void)number;
  kept = work(11);
  handled = handled + 1;
}

/* Of ridge_thread in abi/layout.h. */
__attribute__((noinline)) static unsigned long depth(void) {
  unsigned long** thread = dlsym(RTLD_DEFAULT, "ridge_current_thread");
  return thread != NULL && *thread != NULL ? **thread : 0;
}

__attribute__((noinline)) static double work_in_turns(long n) {
  double sum = 0.0;
  for (long turn = 0; turn < n; ++turn) sum += work(n + turn);
  return sum;
}

/* Without a red zone (-mno-red-zone): the stack is written to. */
__attribute__((noinline)) static double interrupted(long n) {
  __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
  const double sum = work_in_turns(n);
  __asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "cc", "memory");
  return sum;
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 10;
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_trap;
  kept = work(11); /* the thread is known: the runtime's own way in has all signals blocked */
  if (sigaction(SIGTRAP, &action, NULL) != 0) return 1;
  const unsigned long before = depth();
  const double sum = interrupted(n);
  printf("%a %ld %lu %lu\n", sum, handled, before, depth());
  return 0;
}
