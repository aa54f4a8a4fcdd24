// Regions for tests of what is done with their figures.
#pragma once

#include <cstdint>
#include <string>

#include "core/value/profile.hpp"

namespace ridge::measure {

inline SampledTime sampled(double seconds) {
  return {Seconds(seconds), Seconds(0.9 * seconds), Seconds(1.1 * seconds), 100};
}

/// Every figure that a region can have; `scale` makes those of two regions differ.
inline Region full_region(std::uint32_t id, RegionKind kind, const std::string& name,
                          std::uint64_t scale) {
  Region region;
  region.id = id;
  region.kind = kind;
  region.name = name;
  region.function = name;
  region.threads = 2;
  region.time_seconds = {sampled(1.0 * static_cast<double>(scale)), sampled(2.0)};
  region.cpu_seconds = {sampled(2.0 * static_cast<double>(scale)), sampled(4.0)};
  region.waited_seconds = Seconds(0.5);
  region.asleep_seconds = Seconds(0.3);
  region.kernel_seconds = Seconds(0.2);
  region.page_faults = PageFaults{5, 4, 6, 1, Seconds(0.01)};
  region.partial = true;
  region.entries = 3 * scale;
  region.iterations = 300 * scale;
  region.trip_counts = TripCounts{90, 110};
  work_of(region).add(Precision::fp64, OperationKind::fma, 256, 800 * scale);
  work_of(region).other = 7;
  region.fusible_flops = 20;
  region.intops = 11 * scale;
  region.calls = {{"exp", 4}};
  region.opaque = {{"dgemm", 2}};
  region.bytes_loaded = 1600 * scale;
  region.bytes_stored = 800 * scale;
  region.bytes_non_temporal = 80;
  region.bytes_overwritten = 40;
  region.accesses = {{AccessPattern::unit, false, 8, 1600}};
  region.gathered = Traffic{16, 8};
  region.masked = MaskedOperations{4, 16, 9};
  region.chain = {{ChainOperation::fma, Precision::fp64, true, 300}};
  region.not_vectorised = "unsafe dependence";
  region.traffic = {{"L1", {1600 * scale, 800 * scale}}, {"DRAM", {640 * scale, 320 * scale}}};
  region.least_traffic = {{"DRAM", {600, 300}}};
  region.traffic_mode = TrafficMode::sampled;
  region.traffic_interval = {{"DRAM", {900, 1000}}};
  region.traffic_at_share = {{"1/2", {700, 350}}};
  region.traffic_elsewhere = {{"zen4", {{"DRAM", {1, 2}}}}};
  region.line_use = 0.75;
  region.memory_nodes = {{0, 1, 12}};
  region.miss_curve = {{1024, 640}};
  region.sharing = LineSharing{4, 3, 1, 50, 60};
  region.thread_work = {{0, 500, 1000, 200, sampled(1.0)}, {1, 300, 1400, 100, sampled(1.0)}};
  region.notes = {{"versions", "2 versions of this loop are summed"}};
  return region;
}

}  // namespace ridge::measure
