#include "measure/binary/runs/plan.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "measure/profile/simulated_caches.hpp"

namespace ridge::measure::binary {
namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

ridge_plan header_of(const PlannedTraffic& traffic) {
  ridge_plan plan{};
  plan.magic = RIDGE_PLAN_MAGIC;
  plan.version = RIDGE_RECORD_VERSION;
  plan.region_count = traffic.region_count;
  plan.caches = traffic.caches;
  plan.traffic_mode = traffic.mode;
  plan.sample_mask = traffic.sample_mask;
  plan.elsewhere_count = static_cast<std::uint32_t>(
      std::min<std::size_t>(traffic.elsewhere.size(), RIDGE_ELSEWHERE_MAX));
  for (std::uint32_t i = 0; i < plan.elsewhere_count; ++i) {
    plan.elsewhere[i] = simulated_levels(traffic.elsewhere[i]);
  }
  return plan;
}

}  // namespace

std::vector<std::byte> plan_bytes(const PlannedTraffic& traffic,
                                  std::span<const PlannedModule> modules) {
  ridge_plan plan = header_of(traffic);
  plan.module_count = static_cast<std::uint32_t>(modules.size());
  std::string text;
  std::vector<std::byte> of_modules;
  std::vector<std::byte> of_ranges;
  for (const PlannedModule& module : modules) {
    append(of_modules, ridge_plan_module{text.size(), plan.range_count, module.ranges.size()});
    text += module.path;
    text.push_back('\0');
    plan.range_count += module.ranges.size();
    for (const PlannedRange& range : module.ranges) {
      assert(range.region > 0 && range.region < traffic.region_count);
      append(of_ranges, ridge_plan_range{range.begin, range.end, range.region, 0});
    }
  }
  text.resize((text.size() + 7) / 8 * 8, '\0');
  plan.text_bytes = text.size();
  std::vector<std::byte> bytes;
  append(bytes, plan);
  bytes.insert(bytes.end(), of_modules.begin(), of_modules.end());
  bytes.insert(bytes.end(), of_ranges.begin(), of_ranges.end());
  const auto* words = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), words, words + text.size());
  return bytes;
}

}  // namespace ridge::measure::binary
