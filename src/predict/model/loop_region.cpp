#include "predict/model/loop_region.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ridge::predict {
namespace {

constexpr unsigned kWidestBits = 512;

std::uint64_t count_of(double each) {
  return static_cast<std::uint64_t>(std::llround(each * kRegionIterations));
}

std::optional<OperationKind> kind_of(std::string_view what) {
  for (const OperationKind kind : {OperationKind::add, OperationKind::mul, OperationKind::fma,
                                   OperationKind::div, OperationKind::sqrt}) {
    if (to_string(kind) == what) {
      return kind;
    }
  }
  return std::nullopt;
}

Work work_of_loop(const LoopModel& model) {
  Work work;
  for (const ModelledOperation& operation : model.operations) {
    const auto kind = kind_of(operation.what);
    const auto precision = parse_precision(operation.precision);
    if (!kind || !precision) {
      work.other += count_of(operation.count);
      continue;
    }
    const double flops = operation.count * (*kind == OperationKind::fma ? 2.0 : 1.0);
    work.add(*precision, *kind, kWidestBits, count_of(flops));
  }
  return work;
}

}  // namespace

const ModelledTraffic* best_traffic(const LoopModel& model) {
  const ModelledTraffic* best = nullptr;
  for (const ModelledTraffic& traffic : model.traffic) {
    if (best == nullptr || traffic.method == TrafficMethod::simulation) {
      best = &traffic;
    }
  }
  return best;
}

Region region_of(const LoopModel& model, const Machine& machine) {
  Region region;
  region.kind = RegionKind::loop;
  region.name = model.function;
  region.flops = work_of_loop(model);
  double loaded = 0.0;
  double stored = 0.0;
  for (const ModelledAccess& access : model.accesses) {
    (access.is_write ? stored : loaded) += access.bytes;
  }
  region.bytes_loaded = count_of(loaded);
  region.bytes_stored = count_of(stored);
  if (const ModelledTraffic* traffic = best_traffic(model)) {
    for (const CrossingTraffic& crossing : traffic->crossings) {
      const Level level = is_memory_level(crossing.level) ? memory_level(machine) : crossing.level;
      region.traffic[level] += Traffic{count_of(crossing.read), count_of(crossing.written)};
    }
  }
  return region;
}

std::optional<double> iterations_per_line(const LoopModel& model, const Machine& machine) {
  unsigned widest = 0;
  for (const ModelledAccess& access : model.accesses) {
    widest = std::max(widest, access.bytes);
  }
  if (widest == 0) {
    return std::nullopt;
  }
  constexpr unsigned kUsualLine = 64;
  const unsigned line = machine.caches.empty() ? kUsualLine : machine.caches.front().line_bytes;
  const std::int64_t step = model.loops.empty() ? 1 : std::abs(model.loops.back().step);
  const double bytes = static_cast<double>(std::max<std::int64_t>(step, 1)) * widest;
  return std::max(1.0, line / bytes);
}

}  // namespace ridge::predict
