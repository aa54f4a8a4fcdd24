// Inverse questions: which value of a parameter gives a kernel this traffic, work or code balance.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "predict/catalogue/kernels.hpp"

namespace ridge::predict {

/// What a kernel is asked to have. Traffic is the least one, without write-allocate.
struct KernelGoal {
  enum class Quantity { traffic, work, balance, intensity };
  Quantity quantity = Quantity::traffic;
  double value = 0.0;  ///< byte, flop, byte/flop, flop/byte; positive
};
[[nodiscard]] std::string_view to_string(KernelGoal::Quantity quantity);

/// The value of the parameter `unknown`, any real number of its domain, with which the kernel
/// reaches the goal; the other parameters are given or have their fallbacks. The amount must rise
/// or fall with the parameter throughout. Errors: `bad_input` for a parameter that does not exist
/// or that is given as well, an amount that does not depend on it, a goal out of reach (with what
/// is in reach), and those of size_kernel.
[[nodiscard]] Result<double> solve_parameter(const Kernel& kernel,
                                             const std::vector<Assignment>& given,
                                             std::string_view precision, std::string_view unknown,
                                             const KernelGoal& goal);

}  // namespace ridge::predict
