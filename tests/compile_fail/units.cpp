// Each case holds one line that must not compile, and the line beside it that must. The file is
// compiled as CASE with and without MUST_FAIL.
#include "core/quantity/units.hpp"

using namespace ridge;

constexpr Flops kFlops(8.0);
constexpr Bytes kBytes(4.0);
constexpr Seconds kSeconds(2.0);

#if CASE == 1  // a sum of two dimensions
#ifdef MUST_FAIL
auto value = kBytes + kSeconds;
#else
auto value = kBytes + kBytes;
#endif
#elif CASE == 2  // a difference of two dimensions
#ifdef MUST_FAIL
auto value = kFlops - kBytes;
#else
auto value = kFlops - kFlops;
#endif
#elif CASE == 3  // a comparison of two dimensions
#ifdef MUST_FAIL
bool value = kFlops < kBytes;
#else
bool value = kFlops < kFlops;
#endif
#elif CASE == 4  // the quotient has its own type
#ifdef MUST_FAIL
FlopsPerSecond value = kFlops / kBytes;
#else
FlopsPerByte value = kFlops / kBytes;
#endif
#elif CASE == 5  // intensity times bandwidth is performance
#ifdef MUST_FAIL
BytesPerSecond value = (kFlops / kBytes) * (kBytes / kSeconds);
#else
FlopsPerSecond value = (kFlops / kBytes) * (kBytes / kSeconds);
#endif
#elif CASE == 6  // a bare number is not a quantity
#ifdef MUST_FAIL
Bytes value = 4.0;
#else
Bytes value(4.0);
#endif
#elif CASE == 7  // a quantity is not a bare number
#ifdef MUST_FAIL
double value = kBytes;
#else
double value = kBytes / kBytes;
#endif
#elif CASE == 8  // integer operations are not floating-point work
#ifdef MUST_FAIL
Flops value = IntOps(1.0);
#else
IntOps value = IntOps(1.0);
#endif
#elif CASE == 9  // cycles are not seconds
#ifdef MUST_FAIL
Seconds value = Cycles(1.0) * Hertz(1.0);
#else
Seconds value = Cycles(1.0) / Hertz(1.0);
#endif
#elif CASE == 10  // accumulating another dimension
#ifdef MUST_FAIL
auto value = [] {
  Bytes sum;
  sum += kSeconds;
  return sum;
}();
#else
auto value = [] {
  Bytes sum;
  sum += kBytes;
  return sum;
}();
#endif
#else
#error "no such case"
#endif
