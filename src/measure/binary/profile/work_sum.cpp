#include "measure/binary/profile/work_sum.hpp"

#include <optional>

#include "core/quantity/saturating.hpp"

namespace ridge::measure::binary {
namespace {

void add_known(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& more) {
  if (more) {
    sum = saturating_add(sum.value_or(0), *more);
  }
}

}  // namespace

void WorkSum::add(const RegionWork& work) {
  if (work.flops) {
    sum_.flops = sum_.flops.value_or(Work{});
    *sum_.flops += *work.flops;
    const std::uint64_t flops = work.flops->total();
    const WorkInterval interval = work.flops_interval.value_or(WorkInterval{flops, flops});
    low_ = saturating_add(low_, interval.low);
    high_ = saturating_add(high_, interval.high);
  }
  add_known(sum_.intops, work.intops);
  add_known(sum_.bytes_loaded, work.bytes_loaded);
  add_known(sum_.bytes_stored, work.bytes_stored);
  add_known(sum_.bytes_non_temporal, work.bytes_non_temporal);
  for (const auto& [name, count] : work.calls) {
    sum_.calls[name] = saturating_add(sum_.calls[name], count);
  }
  for (const auto& [name, count] : work.opaque) {
    sum_.opaque[name] = saturating_add(sum_.opaque[name], count);
  }
}

RegionWork WorkSum::finish() const {
  RegionWork work = sum_;
  if (low_ < high_) {
    work.flops_interval = WorkInterval{low_, high_};
  }
  return work;
}

}  // namespace ridge::measure::binary
