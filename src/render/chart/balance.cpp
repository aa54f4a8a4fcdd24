#include "render/chart/balance.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace ridge::render {
namespace {

/// A tenth above the mean: less is what any number of iterations that the threads do not divide
/// evenly gives.
constexpr double kUneven = 1.1;

std::string_view quantity_words(BalanceOf quantity) {
  return quantity == BalanceOf::cpu_seconds ? "CPU time" : to_string(quantity);
}

}  // namespace

std::string balance_words(const Region& region, bool unicode) {
  std::string line;
  for (const auto& part : {work_imbalance(region.thread_work), cpu_imbalance(region.thread_work)}) {
    if (part) {
      line += line.empty() ? fmt::format("busiest of {} threads: ", part->threads) : ", ";
      line += fmt::format("{:.2f}{} the mean {}", part->max_over_mean, unicode ? "\u00D7" : "x",
                          quantity_words(part->quantity));
    }
  }
  return line;
}

bool is_uneven(const Region& region) {
  const auto exceeds = [](const std::optional<Imbalance>& part) {
    return part && part->max_over_mean > kUneven;
  };
  return exceeds(work_imbalance(region.thread_work)) || exceeds(cpu_imbalance(region.thread_work));
}

}  // namespace ridge::render
