#include "measure/instrumented/code/lane_pairing.hpp"

#include <cstdint>

namespace ridge::measure {
namespace {

OperationCounts of_kind(const OperationCounts& counts, const KindOfWork& kind) {
  OperationCounts found;
  for (const auto& [key, flops] : counts.by_key()) {
    if (KindOfWork{key.precision, key.kind} == kind) {
      found.add(key, flops);
    }
  }
  return found;
}

std::set<KindOfWork> kinds_of(const OperationCounts& counts) {
  std::set<KindOfWork> kinds;
  for (const auto& [key, flops] : counts.by_key()) {
    kinds.insert({key.precision, key.kind});
  }
  return kinds;
}

}  // namespace

LanePairing pair_lanes(const WorkRange& work, const OperationCounts& with_lanes) {
  LanePairing pairing;
  for (const KindOfWork& kind : kinds_of(work.most.masked)) {
    const OperationCounts in_code = of_kind(work.most.masked, kind);
    const OperationCounts counted = of_kind(with_lanes, kind);
    const std::uint64_t found = in_code.total();
    const bool copies_agree = of_kind(work.least.masked, kind).total() == found;
    if (copies_agree && found >= counted.total()) {
      pairing.counted.insert(kind);
      if (found > counted.total()) {
        pairing.open += beyond(in_code, counted);
      }
    } else {
      pairing.open += in_code;
    }
  }
  return pairing;
}

}  // namespace ridge::measure
