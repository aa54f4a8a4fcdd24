/* ending HOW [N]: does 2 * 1000 flop, then ends as told. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

static int ends_by(const char* how, const char* name) {
  return strcmp(how, name) == 0;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "return";
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  printf("%.1f\n", work(1000));
  fflush(stdout);
  if (ends_by(how, "exit")) exit(number);
  if (ends_by(how, "_exit")) _exit(number);
  if (ends_by(how, "abort")) abort();
  if (ends_by(how, "kill")) kill(getpid(), number);
  if (ends_by(how, "trap")) __builtin_trap();
  if (ends_by(how, "wait")) pause();
  return number;
}
