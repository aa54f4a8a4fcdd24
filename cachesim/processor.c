/* What the processor that simulates can do. */
#include "cachesim/line_access.h"

#ifdef __x86_64__
#include <cpuid.h>

static int has(uint32_t value, uint32_t bits) {
  return (value & bits) == bits;
}

/* The registers that the operating system saves. */
static uint32_t saved_state(void) {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

enum cachesim_vectors cachesim_widest_vectors(void) {
  enum { YMM_STATE = 6, ZMM_STATE = 0xe6 };
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
  uint32_t d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || !has(c, bit_OSXSAVE | bit_AVX)) {
    return CACHESIM_ANY_PROCESSOR;
  }
  const uint32_t state = saved_state();
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || !has(state, YMM_STATE) ||
      !has(b, bit_AVX2 | bit_BMI | bit_BMI2)) {
    return CACHESIM_ANY_PROCESSOR;
  }
  const uint32_t wide = bit_AVX512F | bit_AVX512DQ | bit_AVX512VL | bit_AVX512BW;
  return has(state, ZMM_STATE) && has(b, wide) ? CACHESIM_AVX512 : CACHESIM_AVX2;
}

#else

enum cachesim_vectors cachesim_widest_vectors(void) {
  return CACHESIM_ANY_PROCESSOR;
}

#endif
