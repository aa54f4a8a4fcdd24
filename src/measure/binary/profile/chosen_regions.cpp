#include "measure/binary/profile/chosen_regions.hpp"

namespace ridge::measure::binary {
namespace {

/// Of all instructions: what does less is hardly sampled, however long each takes.
constexpr double kLeastOfAll = 1e-6;

/// Executed, by all regions.
double instructions(const ProgramCode& code) {
  double sum = 0.0;
  for (const CodeModule& module : code.modules) {
    for (const ModuleWork& work : module.work) {
      sum += static_cast<double>(work.instructions);
    }
  }
  return sum;
}

bool has_flops(const ModuleWork& work) {
  return work.work.flops && work.work.flops->total() > 0;
}

}  // namespace

std::vector<bool> chosen_regions(const ProgramCode& code, const SampledTimes& times,
                                 std::span<const std::uint32_t> calling, bool times_elsewhere) {
  std::vector<bool> chosen(code.region_count, false);
  const double least = times_elsewhere ? kLeastOfAll * instructions(code) : 0.0;
  for (const CodeModule& module : code.modules) {
    for (std::size_t i = 0; i < module.work.size(); ++i) {
      const std::size_t region = module.first_region + i;
      const auto executed = static_cast<double>(module.work[i].instructions);
      chosen[region] = times.regions[region].samples_inclusive > 0 || has_flops(module.work[i]) ||
                       (times_elsewhere && executed > 0.0 && executed >= least);
    }
  }
  for (const std::uint32_t region : calling) {
    chosen.at(region) = true;
  }
  for (std::size_t region = chosen.size(); region-- > 0;) {
    if (chosen[region] && code.parents[region]) {
      chosen[*code.parents[region]] = true;
    }
  }
  return chosen;
}

}  // namespace ridge::measure::binary
