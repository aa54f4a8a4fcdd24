#include "platform/load_burst.hpp"

#include <cstddef>

#include "platform/clock.hpp"

namespace ridge::platform {

std::uint64_t load_burst_ticks() {
  constexpr std::size_t kTwoLines = 128;
  alignas(kTwoLines) const std::byte lines[kTwoLines] = {};
  int turns = 50;
  const std::uint64_t before = ticks_before();
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      ".rept 50\n"
      "movaps (%[lines]), %%xmm1\n"
      "movaps 16(%[lines]), %%xmm2\n"
      "movaps 64(%[lines]), %%xmm3\n"
      "movaps 80(%[lines]), %%xmm4\n"
      ".endr\n"
      "dec %[turns]\n"
      "jnz 1b\n"
      : [turns] "+r"(turns)
      : [lines] "r"(lines), "m"(lines)
      : "cc", "xmm1", "xmm2", "xmm3", "xmm4");
  return ticks_after() - before;
}

}  // namespace ridge::platform
