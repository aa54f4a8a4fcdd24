#include "execute/entry.hpp"

#include <bit>

namespace ridge::execute {
namespace {

using Word = std::uint64_t;
using InRegisters = void (*)(Word, Word, Word, Word, Word, Word, double, double, double, double,
                             double, double, double, double);
using WithStack = void (*)(Word, Word, Word, Word, Word, Word, double, double, double, double,
                           double, double, double, double, Word, Word, Word, Word, Word, Word, Word,
                           Word, Word, Word, Word, Word, Word, Word, Word, Word);

}  // namespace

void Words::add_integer(std::uint64_t value) {
  if (integers_used_ < integers_.size()) {
    integers_[integers_used_++] = value;
  } else {
    add_stacked(value);
  }
}

void Words::add_fp64(double value) {
  if (reals_used_ < reals_.size()) {
    reals_[reals_used_++] = value;
  } else {
    add_stacked(std::bit_cast<std::uint64_t>(value));
  }
}

/// The low half of what a double would take.
void Words::add_fp32(float value) {
  add_fp64(std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(value)}));
}

void Words::add_stacked(std::uint64_t word) {
  if (stacked_ < stack_.size()) {
    stack_[stacked_] = word;
  }
  ++stacked_;
}

void Words::call(void* function) const {
  const auto& n = integers_;
  const auto& x = reals_;
  if (stacked_ == 0) {
    reinterpret_cast<InRegisters>(function)(n[0], n[1], n[2], n[3], n[4], n[5], x[0], x[1], x[2],
                                            x[3], x[4], x[5], x[6], x[7]);
    return;
  }
  const auto& s = stack_;
  reinterpret_cast<WithStack>(function)(n[0], n[1], n[2], n[3], n[4], n[5], x[0], x[1], x[2], x[3],
                                        x[4], x[5], x[6], x[7], s[0], s[1], s[2], s[3], s[4], s[5],
                                        s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14],
                                        s[15]);
}

}  // namespace ridge::execute
