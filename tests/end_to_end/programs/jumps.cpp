// Leaves frames by exceptions and by longjmp, 1000 times each; 2 * 10 flop in each turn.
#include <csetjmp>
#include <cstdio>
#include <stdexcept>

#include "work.h"

namespace {

std::jmp_buf back;

[[gnu::noinline]] void throw_from_below(int depth) {
  if (depth == 0) throw std::runtime_error("below");
  throw_from_below(depth - 1);
  std::puts("never");
}

[[gnu::noinline]] void jump_from_below(int depth) {
  if (depth == 0) std::longjmp(back, 1);
  jump_from_below(depth - 1);
  std::puts("never");
}

}  // namespace

int main() {
  volatile double sum = 0.0;  // volatile: lives across longjmp
  for (volatile int turn = 0; turn < 1000; turn = turn + 1) {
    try {
      throw_from_below(turn % 7);
    } catch (const std::runtime_error&) {
      work_data[5] = 1.0;
    }
    if (setjmp(back) == 0) jump_from_below(turn % 7);
    sum = work(10);
  }
  std::printf("%.1f\n", sum);
  return 0;
}
