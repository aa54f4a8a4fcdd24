/* Appends a line to the file it is given. */
#include <stdio.h>

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "a") : NULL;
  if (!file) return 1;
  fputs("ran\n", file);
  return fclose(file) != 0;
}
