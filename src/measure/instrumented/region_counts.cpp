#include "measure/instrumented/region_counts.hpp"

#include <fmt/format.h>

#include "measure/profile/region_traffic.hpp"

namespace ridge::measure {
namespace {

/// What the machine code did to the flops of the IR, and what it does not tell.
void set_exactness(Region& region, const Counts& counts) {
  if (counts.ir_flops != counts.work.total()) {
    region.ir_flops = counts.ir_flops;
  }
  if (counts.least_flops < counts.most_flops) {
    region.flops_interval = WorkInterval{counts.least_flops, counts.most_flops};
  }
}

}  // namespace

bool is_uncounted_library(RegionKind kind, const Counts& counts) {
  return kind == RegionKind::library && counts.bytes_loaded == 0 && counts.bytes_stored == 0;
}

void set_counts(Region& region, const Counts& counts) {
  if (region.kind != RegionKind::library || counts.entries > 0) {
    region.entries = counts.entries;
  }
  if (region.kind == RegionKind::loop) {
    region.iterations = counts.iterations ? counts.iterations : counts.header_executions;
  }
  if (counts.intops > 0) {
    region.intops = counts.intops;
  }
  region.calls = counts.calls;
  region.opaque = counts.opaque;
  const bool counted = !is_uncounted_library(region.kind, counts);
  if (counted || counts.work.total() > 0) {
    region.flops = counts.work;
    set_exactness(region, counts);
  }
  if (counted) {
    region.bytes_loaded = counts.bytes_loaded;
    region.bytes_stored = counts.bytes_stored;
    region.bytes_non_temporal = counts.bytes_non_temporal;
    region.bytes_spilled = counts.spilled;
    set_counted_traffic(region);
  }
}

Region to_region(const MergedRegion& merged) {
  Region region;
  region.kind = merged.kind;
  region.wait = merged.wait;
  region.name = merged.name;
  region.function = merged.function;
  region.file = merged.file;
  region.line = merged.line;
  region.column = merged.column;
  set_counts(region, merged.counts);
  if (merged.kind != RegionKind::marker) {  // facts of one loop
    merged.counts.details.write_to(region);
  }
  if (!merged.not_vectorised.empty()) {
    region.not_vectorised = merged.not_vectorised;
  }
  if (!merged.inlined_at.empty()) {
    region.notes.push_back({"inlined-at", merged.inlined_at});
  }
  if (merged.versions > 1) {
    region.notes.push_back(
        {"versions",
         fmt::format("{} versions of this loop (vector body, remainder, ...) are summed",
                     merged.versions)});
  }
  if (merged.counts.bytes_non_temporal > 0) {
    region.notes.push_back({"non-temporal", fmt::format("{} byte stored past the caches",
                                                        merged.counts.bytes_non_temporal)});
  }
  return region;
}

}  // namespace ridge::measure
