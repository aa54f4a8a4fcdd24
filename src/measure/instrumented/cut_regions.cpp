#include "measure/instrumented/cut_regions.hpp"

namespace ridge::measure {
namespace {

/// The outermost loop of its function around a region, the region itself included; kNoRegion
/// outside of loops.
std::uint32_t outermost_loop(const RegionTable& table, std::uint32_t at) {
  std::uint32_t outermost = kNoRegion;
  for (; at != kNoRegion && table.regions[at].kind != RegionKind::function;
       at = table.regions[at].parent.value_or(kNoRegion)) {
    outermost = table.regions[at].kind == RegionKind::loop ? at : outermost;
  }
  return outermost;
}

}  // namespace

std::set<std::uint32_t> cut_regions(const RawProcess& process, const RegionTable& table) {
  std::set<std::uint32_t> unfinished;
  for (const RawThread& thread : process.threads) {
    for (const std::uint32_t raw : thread.stack) {
      unfinished.insert(outermost_loop(table, table.find(raw)));
    }
  }
  unfinished.erase(kNoRegion);
  std::set<std::uint32_t> cut;
  for (std::uint32_t at = 0; at < table.regions.size(); ++at) {
    if (table.regions[at].deferred && unfinished.contains(outermost_loop(table, at))) {
      cut.insert(at);
    }
  }
  return cut;
}

}  // namespace ridge::measure
