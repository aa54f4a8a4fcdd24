// Makes code while it runs, and names it as runtimes do for perf. Argument: turns, of one flop
// each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// again: addsd %xmm0, %xmm0; dec %rdi; jnz again; ret
static const unsigned char code[] = {0xF2, 0x0F, 0x58, 0xC0, 0x48, 0xFF, 0xCF, 0x75, 0xF7, 0xC3};

int main(int count, char** words) {
  void* memory =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char name[64];
  snprintf(name, sizeof name, "/tmp/perf-%d.map", (int)getpid());
  FILE* map = fopen(name, "w");
  if (count != 2 || memory == MAP_FAILED || map == NULL) {
    return 1;
  }
  memcpy(memory, code, sizeof code);
  fprintf(map, "%lx %zx doubled in a loop\n", (unsigned long)memory, sizeof code);
  fclose(map);
  ((void (*)(long))memory)(atol(words[1]));
  return 0;
}
