// A program as it is whose work is known: built by a compiler of the distribution, never by
// ridge-cc. Arguments: elements, repetitions, then words of what else it does.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void triad(double* a, const double* b, const double* c, long n) {
  for (long i = 0; i < n; ++i) {
    a[i] = b[i] + 3.0 * c[i];
  }
}

__attribute__((noinline)) double dot(const double* a, const double* b, long n) {
  double sum = 0.0;
  for (long i = 0; i < n; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* As the runtime of gfortran does. */
static void say_and_end(int signal_number) {
  fputs("an illegal instruction\n", stderr);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

int main(int count, char** words) {
  const long n = atol(words[1]);
  const long repetitions = atol(words[2]);
  if (count > 3 && strcmp(words[3], "handle") == 0) {
    signal(SIGILL, say_and_end);
  }
  double* a = calloc(3 * (size_t)n, sizeof *a);
  for (long r = 0; r < repetitions; ++r) {
    triad(a, a + n, a + 2 * n, n);
  }
  printf("sum %g\n", dot(a, a + n, n));
  fflush(stdout);
  for (int i = 3; i < count; ++i) {
    if (strcmp(words[i], "fork") == 0) {
      const pid_t child = fork();
      if (child == 0) {
        triad(a, a + n, a + 2 * n, n);
        _exit(0);
      }
      waitpid(child, NULL, 0);
    } else if (strcmp(words[i], "read") == 0) {
      char line[64] = "";
      printf("read %s", fgets(line, sizeof line, stdin) != NULL ? line : "nothing\n");
      fflush(stdout);
    } else if (strcmp(words[i], "abort") == 0) {
      abort();
    } else if (strcmp(words[i], "exit") == 0) {
      _exit(7);
    }
  }
  free(a);
  return 0;
}
