// Findings on pages that the kernel brings in while a region runs.
#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

constexpr double kShareOfTime = 0.1;
constexpr double kLeastKernelSeconds = 0.1;  // the kernel counts in hundredths of a second
constexpr double kLeastFaults = 100.0;
/// A page of 2 MiB takes a slow machine so long to clear: more is work of another kind.
constexpr double kMostSecondsPerFault = 500e-6;
constexpr double kPageBytes =
    4096.0;  // the smallest; larger ones make a region touch more, not less
constexpr double kAgain = 2.0;
constexpr double kSomeFromDisk = 0.05;

/// Faults count inner visits too short to tell apart: so must the time.
std::optional<double> cpu_seconds_around(const Region& region) {
  constexpr std::uint64_t kEnoughSamples = 20;
  const auto& time =
      region.cpu_seconds.inclusive ? region.cpu_seconds.inclusive : region.cpu_seconds.self;
  return time && time->samples >= kEnoughSamples ? std::optional(time->value.value())
                                                 : std::nullopt;
}

double kernel_share(const Region& region, double cpu_seconds) {
  return std::min(1.0, share_of(region.page_faults->kernel_seconds.value(), cpu_seconds));
}

/// Different bytes that the region touches in the whole run; nullopt when not simulated.
std::optional<double> distinct_bytes(const Subject& subject) {
  const Traffic* least = find_level(subject.region.least_traffic, memory_level(subject.machine));
  return least != nullptr ? std::optional(static_cast<double>(least->read)) : std::nullopt;
}

std::string_view what_to_do(const PageFaults& faults, const std::optional<double>& distinct) {
  const auto all = static_cast<double>(faults.value);
  if (static_cast<double>(faults.major) >= kSomeFromDisk * all) {
    return "some wait for a disk: read the data before, or keep them in memory";
  }
  if (distinct && all * kPageBytes > kAgain * *distinct) {
    return "more pages than its data have: memory goes back to the system and comes anew; keep the "
           "buffers, or let malloc keep them (mallopt: M_MMAP_THRESHOLD, M_TRIM_THRESHOLD)";
  }
  return "memory is touched for the first time here: touch it before the part that counts, with "
         "the "
         "threads that use it, or use huge pages";
}

}  // namespace

std::optional<Finding> page_faults(const Subject& subject) {
  const Region& region = subject.region;
  const auto cpu = cpu_seconds_around(region);
  if (!region.page_faults || !cpu) {
    return std::nullopt;
  }
  const auto faults = static_cast<double>(region.page_faults->value);
  const double kernel = region.page_faults->kernel_seconds.value();
  if (faults < kLeastFaults || kernel < kLeastKernelSeconds ||
      kernel > kMostSecondsPerFault * faults || kernel < kShareOfTime * *cpu) {
    return std::nullopt;
  }
  const double share = kernel_share(region, *cpu);
  const auto distinct = distinct_bytes(subject);
  Finding finding{
      "page-faults",
      fmt::format("{} page faults: the kernel takes {} of its CPU time, {} for "
                  "each; {}",
                  count_text(faults), percent_text(share), amount_text(kernel / faults, "s"),
                  what_to_do(*region.page_faults, distinct)),
      {{"faults", faults},
       {"faults_low", static_cast<double>(region.page_faults->low)},
       {"faults_high", static_cast<double>(region.page_faults->high)},
       {"major", static_cast<double>(region.page_faults->major)},
       {"kernel_seconds", kernel},
       {"share", share},
       {"seconds_per_fault", kernel / faults}},
      {},
      subject.origins.time};
  if (distinct) {
    finding.evidence["distinct_bytes"] = *distinct;
  }
  return finding;
}

std::optional<Gain> gain_without_faults(const Subject& subject, const Finding& finding) {
  const auto cpu = cpu_seconds_around(subject.region);
  const double share = finding.evidence.at("share");
  if (!cpu || share >= 1.0) {
    return std::nullopt;
  }
  // What certainly happened here.
  const double certain = finding.evidence.at("faults_low") / finding.evidence.at("faults");
  Gain gain{1.0 / (1.0 - share * certain), 1.0 / (1.0 - share)};
  const auto seconds = measured_seconds(subject.region);
  const double floor = own_needs(subject).floor();
  if (seconds && floor > 0.0) {
    gain.most = std::clamp(gain.most, 1.0, std::max(1.0, *seconds / floor));
  }
  gain.least = std::min(gain.least, gain.most);
  return gain;
}

}  // namespace ridge::predict
