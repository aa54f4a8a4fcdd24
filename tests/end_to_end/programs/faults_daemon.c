/* Does all its work where its parent has gone.
 *     faults_daemon HOW [FOLDER]
 * HOW: daemon (double fork, session of its own), child (one fork), stays (as daemon, until
 * FOLDER/go is there) */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

/* 2 * 200 * 1000000 flop: long enough to be sampled. */
static int do_work(void) {
  double sum = 0.0;
  for (int i = 0; i < 200; ++i) {
    sum += work(1000000);
    (void)getppid(); /* a call, so that work() is not moved out of the loop */
  }
  return sum > 0.0 ? 0 : 1;
}

static int stay(const char* folder) {
  char path[4096];
  double sum = 0.0;
  snprintf(path, sizeof(path), "%s/go", folder);
  alarm(120); /* whatever becomes of the test, it does not stay for ever */
  while (access(path, F_OK) != 0) sum += work(100000);
  return sum > 0.0 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (fork() != 0) return 3;
  if (strcmp(argv[1], "child") != 0) {
    setsid();
    if (fork() != 0) return 0;
  }
  return argc > 2 ? stay(argv[2]) : do_work();
}
