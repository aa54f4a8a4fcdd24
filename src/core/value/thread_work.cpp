#include "core/value/thread_work.hpp"

#include <algorithm>
#include <cmath>

namespace ridge {
namespace {

template <class Amount>
std::optional<Imbalance> imbalance(const std::vector<ThreadWork>& threads, BalanceOf quantity,
                                   Amount amount) {
  double sum = 0.0;
  double most = 0.0;
  for (const ThreadWork& thread : threads) {
    const double own = amount(thread);
    sum += own;
    most = std::max(most, own);
  }
  if (threads.size() < 2 || !(sum > 0.0) || !std::isfinite(sum)) {
    return std::nullopt;
  }
  const double ratio = most / (sum / static_cast<double>(threads.size()));
  return Imbalance{quantity, std::max(ratio, 1.0), static_cast<unsigned>(threads.size())};
}

}  // namespace

std::string_view to_string(BalanceOf quantity) {
  switch (quantity) {
    case BalanceOf::flops:
      return "flops";
    case BalanceOf::bytes:
      return "bytes";
    case BalanceOf::iterations:
      return "iterations";
    case BalanceOf::cpu_seconds:
      return "cpu_seconds";
  }
  return "";
}

std::optional<Imbalance> work_imbalance(const std::vector<ThreadWork>& threads) {
  const auto of = [&](BalanceOf quantity, std::uint64_t ThreadWork::* member) {
    return imbalance(threads, quantity,
                     [&](const ThreadWork& thread) { return static_cast<double>(thread.*member); });
  };
  auto found = of(BalanceOf::flops, &ThreadWork::flops);
  found = found ? found : of(BalanceOf::bytes, &ThreadWork::bytes);
  return found ? found : of(BalanceOf::iterations, &ThreadWork::iterations);
}

std::optional<Imbalance> cpu_imbalance(const std::vector<ThreadWork>& threads) {
  std::uint64_t samples = 0;
  for (const ThreadWork& thread : threads) {
    samples += thread.cpu_seconds ? thread.cpu_seconds->samples : 0;
  }
  if (samples < kBalanceSamples * threads.size()) {
    return std::nullopt;
  }
  return imbalance(threads, BalanceOf::cpu_seconds, [](const ThreadWork& thread) {
    return thread.cpu_seconds ? thread.cpu_seconds->value.value() : 0.0;
  });
}

}  // namespace ridge
