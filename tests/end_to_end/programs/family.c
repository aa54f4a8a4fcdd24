/* family fork: a child does 2 * 3000 flop, its parent 2 * 1000.
 * family exec PROGRAM ARGUMENTS...: 2 * 1000 flop, then another program. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

int main(int argc, char** argv) {
  double sum = work(1000);
  if (argc > 2 && strcmp(argv[1], "exec") == 0) {
    execv(argv[2], argv + 2);
    return 9;
  }
  const pid_t child = fork();
  if (child == 0) {
    sum = work(3000);
    printf("child %.1f\n", sum);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("parent %.1f\n", sum);
  return WEXITSTATUS(status);
}
