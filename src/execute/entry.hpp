// Calls of functions whose types are known only at run time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/result.hpp"

namespace ridge::execute {

/// Arguments in the order of the source. The classes of the calling convention: integers and
/// pointers, and floating-point numbers.
class Words {
 public:
  void add_integer(std::uint64_t value);
  void add_fp64(double value);
  void add_fp32(float value);

  /// More arguments in memory than a call can have here.
  [[nodiscard]] bool is_too_long() const { return stacked_ > kMostStacked; }

  /// Calls a function with these arguments; what it returns is dropped. In System V's convention
  /// for x86-64 (psABI 1.0, section 3.2.3) the first six integers and the first eight
  /// floating-point numbers go into registers of their own, and what remains lies on the stack, in
  /// order, eight bytes each. So every mixture of them is a call with six integers, eight
  /// floating-point numbers and then integers; a function does not see those that it does not have.
  void call(void* function) const;

 private:
  static constexpr std::size_t kMostStacked = 16;

  void add_stacked(std::uint64_t word);

  std::array<std::uint64_t, 6> integers_{};
  std::array<double, 8> reals_{};
  std::array<std::uint64_t, kMostStacked> stack_{};
  std::size_t integers_used_ = 0;
  std::size_t reals_used_ = 0;
  std::size_t stacked_ = 0;
};

}  // namespace ridge::execute
