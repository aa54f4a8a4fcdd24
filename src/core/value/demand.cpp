#include "core/value/demand.hpp"

#include <array>

namespace ridge {
namespace {

struct PrecisionBytes {
  std::string_view name;
  unsigned bytes;
};
constexpr std::array kPrecisions{PrecisionBytes{"fp64", 8}, PrecisionBytes{"fp32", 4},
                                 PrecisionBytes{"tf32", 4}, PrecisionBytes{"fp16", 2},
                                 PrecisionBytes{"bf16", 2}, PrecisionBytes{"fp8", 1},
                                 PrecisionBytes{"int8", 1}};

}  // namespace

std::optional<unsigned> element_bytes(std::string_view precision) {
  for (const PrecisionBytes& known : kPrecisions) {
    if (known.name == precision) {
      return known.bytes;
    }
  }
  return std::nullopt;
}

std::vector<std::string> known_precisions() {
  std::vector<std::string> names;
  for (const PrecisionBytes& known : kPrecisions) {
    names.emplace_back(known.name);
  }
  return names;
}

namespace {

bool has_work_and_traffic(const Demand& demand) {
  return demand.work.flops() > 0 && demand.least.total(false) > 0;
}

}  // namespace

std::optional<DemandRatio> intensity_of(const Demand& demand) {
  if (!has_work_and_traffic(demand)) {
    return std::nullopt;
  }
  const auto flops = static_cast<double>(demand.work.flops());
  return DemandRatio{flops / static_cast<double>(demand.least.total(false)),
                     flops / static_cast<double>(demand.least.total(true))};
}

std::optional<DemandRatio> balance_of(const Demand& demand) {
  if (!has_work_and_traffic(demand)) {
    return std::nullopt;
  }
  const auto flops = static_cast<double>(demand.work.flops());
  return DemandRatio{static_cast<double>(demand.least.total(false)) / flops,
                     static_cast<double>(demand.least.total(true)) / flops};
}

}  // namespace ridge
