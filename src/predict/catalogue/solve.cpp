#include "predict/catalogue/solve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::predict {
namespace {

constexpr Amount kLargest = 9007199254740992.0L;  // 2^53
constexpr Amount kLeast = 1e-12L;                 // where a domain excludes 0
constexpr Amount kExact = 1e-15L;                 // relative
constexpr Amount kRounding = 1e-12L;              // relative, of a goal that was written down
constexpr int kHalvings = 256;

struct Range {
  Amount low = 0;
  Amount high = kLargest;
};

Range range_of(Domain domain) {
  switch (domain) {
    case Domain::size:
      return {1, kLargest};
    case Domain::offset:
    case Domain::real:
      return {0, kLargest};
    case Domain::positive:
      return {kLeast, kLargest};
    case Domain::fraction:
      return {kLeast, 1};
    case Domain::flag:
      break;
  }
  return {0, 1};
}

Amount amount_of(const Kernel& kernel, const Parameters& parameters,
                 KernelGoal::Quantity quantity) {
  const ByteAmounts least = kernel.least(parameters);
  const WorkAmounts counts = kernel.work(parameters);
  const Amount bytes = least.read + least.written;
  const Amount work = counts.add + counts.mul + counts.fma + counts.div + counts.sqrt + counts.any;
  switch (quantity) {
    case KernelGoal::Quantity::traffic:
      return bytes;
    case KernelGoal::Quantity::work:
      return work;
    case KernelGoal::Quantity::balance:
      return bytes / work;
    case KernelGoal::Quantity::intensity:
      break;
  }
  return work / bytes;
}

/// How far a value misses the goal, relative.
class Miss {
 public:
  Miss(const Kernel& kernel, const std::vector<Assignment>& given, std::string_view precision,
       std::string_view unknown, const KernelGoal& goal)
      : kernel_(kernel), given_(given), precision_(precision), unknown_(unknown), goal_(goal) {}

  [[nodiscard]] Result<Amount> amount(Amount value) const {
    return parameters_with(kernel_, given_, precision_, {unknown_, value})
        .map([&](const Parameters& parameters) {
          return amount_of(kernel_, parameters, goal_.quantity);
        });
  }
  /// Of a value whose parameters were fine once.
  [[nodiscard]] Amount operator()(Amount value) const {
    return amount(value).value_or(0) / goal_.value - 1;
  }

 private:
  const Kernel& kernel_;
  const std::vector<Assignment>& given_;
  std::string_view precision_;
  std::string_view unknown_;
  const KernelGoal& goal_;
};

/// One step between two values: exact where the amount is linear in the parameter.
Amount by_line(const Miss& miss, Amount low) {
  const Amount at_low = miss(low);
  const Amount rise = miss(low + 1) - at_low;
  return rise == 0 ? low : low - at_low / rise;
}

Amount by_halving(const Miss& miss, Range range) {
  const bool rises = miss(range.high) > miss(range.low);
  for (int i = 0; i < kHalvings; ++i) {
    const Amount middle = range.low + (range.high - range.low) / 2;
    ((miss(middle) < 0) == rises ? range.low : range.high) = middle;
  }
  return range.low + (range.high - range.low) / 2;
}

Result<const KernelParameter*> parameter_named(const Kernel& kernel, std::string_view name,
                                               const std::vector<Assignment>& given) {
  const auto found =
      std::find_if(kernel.parameters.begin(), kernel.parameters.end(),
                   [&](const KernelParameter& parameter) { return parameter.name == name; });
  if (found == kernel.parameters.end()) {
    return fail(ErrorCode::bad_input,
                fmt::format("kernel {} has no parameter `{}` to solve for", kernel.name,
                            name.substr(0, 60)),
                fmt::format("its parameters are {}", fmt::join(parameter_names(kernel), ", ")));
  }
  if (std::any_of(given.begin(), given.end(),
                  [&](const Assignment& assignment) { return assignment.name == name; })) {
    return fail(ErrorCode::bad_input, fmt::format("{} is given and to be solved for", name),
                fmt::format("leave out -D {}", name));
  }
  return &*found;
}

}  // namespace

std::string_view to_string(KernelGoal::Quantity quantity) {
  switch (quantity) {
    case KernelGoal::Quantity::traffic:
      return "traffic";
    case KernelGoal::Quantity::work:
      return "work";
    case KernelGoal::Quantity::balance:
      return "balance";
    case KernelGoal::Quantity::intensity:
      break;
  }
  return "intensity";
}

Result<double> solve_parameter(const Kernel& kernel, const std::vector<Assignment>& given,
                               std::string_view precision, std::string_view unknown,
                               const KernelGoal& goal) {
  const auto parameter = parameter_named(kernel, unknown, given);
  if (!parameter) {
    return tl::make_unexpected(parameter.error());
  }
  const Range range = range_of((*parameter)->domain);
  const Miss miss(kernel, given, precision, unknown, goal);
  const auto least = miss.amount(range.low);
  const auto most = miss.amount(range.high);
  for (const auto* end : {&least, &most}) {
    if (!*end) {
      return tl::make_unexpected(end->error());
    }
  }
  if (!std::isfinite(*least) || !std::isfinite(*most) || *least == *most) {
    return fail(ErrorCode::bad_input, fmt::format("the {} of kernel {} does not depend on {}",
                                                  to_string(goal.quantity), kernel.name, unknown));
  }
  const auto [low, high] = std::minmax(*least, *most);
  if (goal.value < low * (1 - kRounding) || goal.value > high * (1 + kRounding)) {
    return fail(ErrorCode::bad_input,
                fmt::format("no {} gives kernel {} a {} of {:g}", unknown, kernel.name,
                            to_string(goal.quantity), goal.value),
                fmt::format("from {:g} to {:g} is in reach", static_cast<double>(low),
                            static_cast<double>(high)));
  }
  const Amount straight = by_line(miss, range.low);
  const bool linear =
      straight >= range.low && straight <= range.high && std::abs(miss(straight)) <= kExact;
  return static_cast<double>(linear ? straight : by_halving(miss, range));
}

}  // namespace ridge::predict
