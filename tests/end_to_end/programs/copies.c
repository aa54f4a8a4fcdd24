/* copies ROUNDS: memcpy and memset of many lengths, at odd places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 22, PIECES = 997 };

static char from[BYTES];
static char to[BYTES];

__attribute__((noinline)) static void copy(int round) {
  size_t at = 0;
  for (int piece = 0; at + 8192 < BYTES; ++piece) {
    const size_t length = 1 + (size_t)(piece * 7919 + round) % 8191;
    memcpy(to + at + 3, from + at + 5, length);
    at += length;
  }
}

__attribute__((noinline)) static void fill(int round) {
  size_t at = 0;
  for (int piece = 0; at + 8192 < BYTES; ++piece) {
    const size_t length = 1 + (size_t)(piece * 104729 + round) % 8191;
    memset(from + at + 1, round, length);
    at += length;
  }
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; ++round) {
    copy(round);
    fill(round);
  }
  printf("%d\n", to[PIECES]);
  return 0;
}
