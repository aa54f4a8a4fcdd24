// Findings from the use of lines, from reuse, and from several threads.
#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "predict/finding_rules.hpp"

namespace ridge::predict {
namespace {

constexpr double kPoorUse = 0.5;
constexpr double kMuchBeyondL1 = 0.05;       // of the bytes loaded and stored
constexpr double kSaves = 0.5;               // of the misses
constexpr double kJust = 2.0;                // times the capacity that is there
constexpr double kUneven = 1.2;              // max / mean
constexpr double kManyInvalidations = 0.01;  // of the iterations
constexpr double kKibi = 1024.0;

double asked_bytes(const Region& region) {
  return static_cast<double>(region.bytes_loaded) + static_cast<double>(region.bytes_stored);
}

/// Bytes that the first level reads from below; nullopt when unknown or next to nothing.
std::optional<double> beyond_l1(const Subject& subject) {
  const auto& caches = subject.machine.caches;
  const std::string level = caches.size() > 1 ? caches[1].level : std::string("DRAM");
  const auto found = subject.region.traffic.find(level);
  if (found == subject.region.traffic.end()) {
    return std::nullopt;
  }
  const auto bytes = static_cast<double>(found->second.read);
  return bytes >= kMuchBeyondL1 * asked_bytes(subject.region) && bytes > 0.0 ? std::optional(bytes)
                                                                             : std::nullopt;
}

}  // namespace

std::optional<Finding> poor_line_use(const Subject& subject) {
  const auto& use = subject.region.line_use;
  if (!use || *use >= kPoorUse || !beyond_l1(subject)) {
    return std::nullopt;
  }
  return Finding{
      "poor-line-use",
      fmt::format("{} of each cache line is used while it is in the first level: the rest "
                  "is carried for nothing; put together what is used together",
                  percent_text(*use)),
      {{"line_use", *use}},
      {},
      subject.origins.traffic};
}

std::optional<Finding> reuse_just_misses(const Subject& subject) {
  const Region& region = subject.region;
  if (region.miss_curve.empty() || !beyond_l1(subject)) {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < subject.machine.caches.size(); ++i) {
    const Cache& cache = subject.machine.caches[i];
    const auto now = misses_with(region.miss_curve, cache.size_bytes);
    const auto better = capacity_that_saves(region.miss_curve, cache.size_bytes, kSaves);
    if (!now || !better || static_cast<double>(*now) < kMuchBeyondL1 * asked_bytes(region) ||
        static_cast<double>(better->capacity_bytes) >
            kJust * static_cast<double>(cache.size_bytes)) {
      continue;
    }
    const double wanted = static_cast<double>(better->capacity_bytes);
    const double saved =
        1.0 - share_of(static_cast<double>(better->misses_bytes), static_cast<double>(*now));
    return Finding{"reuse-just-misses",
                   fmt::format("reuse just misses {}: {:.0f} KiB would hold it, and {} fewer bytes "
                               "would come from below; smaller blocks or smaller types fit",
                               cache.level, wanted / kKibi, percent_text(saved)),
                   {{"capacity_bytes", wanted},
                    {"cache_bytes", static_cast<double>(cache.size_bytes)},
                    {"saved_share", saved}},
                   {},
                   Origin::modelled};
  }
  return std::nullopt;
}

std::optional<Finding> load_imbalance(const Subject& subject) {
  const auto uneven = work_imbalance(subject.region.thread_work);
  if (!uneven || uneven->max_over_mean < kUneven) {
    return std::nullopt;
  }
  Finding finding{
      "load-imbalance",
      fmt::format("the busiest of {} threads has {:.2f} times the mean of the {}: the "
                  "others wait for it; another schedule or smaller pieces even it out",
                  uneven->threads, uneven->max_over_mean, to_string(uneven->quantity)),
      {{"max_over_mean", uneven->max_over_mean}, {"threads", static_cast<double>(uneven->threads)}},
      {},
      subject.origins.flops};
  if (const auto time = cpu_imbalance(subject.region.thread_work)) {
    finding.evidence["cpu_max_over_mean"] = time->max_over_mean;
  }
  return finding;
}

std::optional<Finding> shared_lines(const Subject& subject) {
  const Region& region = subject.region;
  const auto iterations = static_cast<double>(region.iterations.value_or(region.entries));
  if (!region.sharing || iterations <= 0.0 ||
      static_cast<double>(region.sharing->invalidations) < kManyInvalidations * iterations) {
    return std::nullopt;
  }
  const LineSharing& shared = *region.sharing;
  const bool falsely = shared.falsely > shared.truly;
  return Finding{
      falsely ? "false-sharing" : "shared-writes",
      fmt::format("lines that several cores write: {} ({} at different words only), taken "
                  "from each other {:.3g} times: {}",
                  shared.lines, shared.falsely, static_cast<double>(shared.invalidations),
                  falsely ? "give each thread lines of its own (padding, another schedule)"
                          : "let each thread sum for itself and join at the end"),
      {{"lines", static_cast<double>(shared.lines)},
       {"false_lines", static_cast<double>(shared.falsely)},
       {"true_lines", static_cast<double>(shared.truly)},
       {"invalidations", static_cast<double>(shared.invalidations)}},
      {},
      subject.origins.traffic};
}

}  // namespace ridge::predict
