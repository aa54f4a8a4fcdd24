/* Takes so many MiB of address space, touches little of them, and works.
 *     faults_limit MIB */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? (size_t)atol(argv[1]) << 20 : 0;
  char* volatile memory = malloc(bytes); /* volatile: it must not be optimised away */
  if (memory == NULL) {
    puts("no memory");
    return 9;
  }
  memory[bytes / 2] = 1;
  const double sum = work(1000);
  free(memory);
  return sum > 0.0 ? 0 : 1;
}
