#include "serialize/described/read.hpp"

namespace ridge::serialize {

double read_real(const Reader& value, const describe::Limits& limits) {
  if (limits.least == 0.0) {
    (void)(limits.least_is_excluded ? value.positive_real() : value.non_negative_real());
  }
  const double read = value.real();
  if (read < limits.least) {
    value.fail(fmt::format("is {}, below {}", read, limits.least));
  }
  if (read > limits.most) {
    value.fail(fmt::format("must be at most {}, is {}", limits.most, read));
  }
  return read;
}

}  // namespace ridge::serialize
