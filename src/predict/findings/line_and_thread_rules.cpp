// Findings from the use of lines, from reuse, and from several threads.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/memory.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

constexpr double kPoorUse = 0.5;
constexpr double kMuchBeyondL1 = 0.05;       // of the bytes loaded and stored
constexpr double kSaves = 0.5;               // of the misses
constexpr double kJust = 2.0;                // times the capacity that is there
constexpr double kUneven = 1.2;              // max / mean
constexpr double kManyInvalidations = 0.01;  // of the iterations ...
constexpr double kTakenInTurn = 0.5;         // ... or of the turns, in which a line is taken once
constexpr double kLeastInvalidations = 16.0;

/// Bytes that the first level reads from below; nullopt when unknown or next to nothing.
std::optional<double> beyond_l1(const Subject& subject) {
  const auto& caches = subject.machine.caches;
  const Level level = caches.size() > 1 ? caches[1].level : memory_level(subject.machine);
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
  // Strides and computed addresses say why; one finding is enough.
  if (!use || *use >= kPoorUse || !beyond_l1(subject) || strided_access(subject) ||
      indirect_access(subject)) {
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

std::optional<Gain> gain_of_full_lines(const Subject& subject, const Finding& /*finding*/) {
  const double use = subject.region.line_use.value_or(1.0);
  const auto levels = levels_of(subject.machine);
  if (levels.size() < 2 || use <= 0.0) {
    return std::nullopt;
  }
  // Beyond the next level a line may be used again for the rest: then nothing is saved there.
  Region first_only = subject.region;
  const auto all = with_traffic(subject, levels[1], use);
  const auto found = all.traffic.find(levels[1]);
  if (found == all.traffic.end()) {
    return std::nullopt;
  }
  first_only.traffic[levels[1]] = found->second;
  const auto gain = both(gain_with(subject, first_only), gain_with(subject, all));
  // Where no roof explains the time, waiting does: lines in order are fetched ahead.
  // And fewer lines are waited for.
  return gain ? gain : gain_up_to_roof(subject, all, 1.0 / use);
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
                   fmt::format("reuse just misses {}: {} would hold it, and {} fewer bytes "
                               "would come from below; smaller blocks or smaller types fit",
                               to_string(cache.level), size_text(wanted), percent_text(saved)),
                   {{"capacity_bytes", wanted},
                    {"cache_bytes", static_cast<double>(cache.size_bytes)},
                    {"saved_share", saved}},
                   {},
                   Origin::modelled};
  }
  return std::nullopt;
}

std::optional<Gain> gain_of_reuse(const Subject& subject, const Finding& finding) {
  const auto& caches = subject.machine.caches;
  const auto cache = std::find_if(caches.begin(), caches.end(), [&](const Cache& candidate) {
    return static_cast<double>(candidate.size_bytes) == finding.evidence.at("cache_bytes");
  });
  if (cache == caches.end()) {
    return std::nullopt;
  }
  const auto below = std::next(cache);
  const Level level = below == caches.end() ? memory_level(subject.machine) : below->level;
  if (!subject.region.traffic.contains(level)) {
    return std::nullopt;
  }
  return gain_with(subject, with_traffic(subject, level, 1.0 - finding.evidence.at("saved_share")));
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

std::optional<Gain> gain_of_balance(const Subject& subject, const Finding& finding) {
  const double work = finding.evidence.at("max_over_mean");
  const auto time = finding.evidence.find("cpu_max_over_mean");
  const auto most = gain_up_to_roof(subject, subject.region, work);
  if (!most || time == finding.evidence.end()) {
    return most;
  }
  // What the CPU times show is certain up to their own noise; the roof may allow less.
  return Gain{std::clamp(time->second, 1.0, most->most), most->most};
}

/// MPI waits in code of its own: there the rank with the most time waits for the others rather than
/// they for it.
bool is_library_code(const Region& region) {
  const auto suffix = region.name.find(".so");
  const std::string_view behind = suffix == std::string::npos
                                      ? std::string_view("no library")
                                      : std::string_view(region.name).substr(suffix + 3);
  const bool names_one = behind.empty() || behind.front() == '.' || behind.front() == '+';
  // Of these debug information may be installed, so that they have a file.
  constexpr std::array<std::string_view, 4> kOfTheSystem{" in ld-linux", " in libc.so",
                                                         " in libpthread.so", " in libmpi"};
  const bool is_of_the_system = std::ranges::any_of(kOfTheSystem, [&](std::string_view name) {
    return region.name.find(name) != std::string::npos;
  });
  return region.kind == RegionKind::library || is_of_the_system || (!region.file && names_one);
}

std::optional<Finding> rank_imbalance(const Subject& subject) {
  const Region& region = subject.region;
  // A record that was cut short has less time, and so has one more where ranks sleep or wait for
  // the kernel: neither is work that could be shared out.
  if (!region.ranks || !region.ranks->time_seconds || is_library_code(region) ||
      is_outside_code(subject.prediction) || region.partial || !subject.ranks_are_whole ||
      !subject.times_hold) {
    return std::nullopt;
  }
  const RankSpread& time = *region.ranks->time_seconds;
  const auto uneven = imbalance_of(time);
  if (!uneven || *uneven < kUneven) {
    return std::nullopt;
  }
  return Finding{
      "rank-imbalance",
      fmt::format("rank {} takes {:.2f} times the mean of the {} ranks: the others wait for it at "
                  "the next communication; smaller or other parts of the problem even it out",
                  time.most_rank, *uneven, time.ranks),
      {{"max_over_mean", *uneven},
       {"ranks", static_cast<double>(time.ranks)},
       {"slowest_rank", static_cast<double>(time.most_rank)}},
      {},
      subject.origins.time};
}

std::optional<Gain> gain_of_even_ranks(const Subject& subject, const Finding& finding) {
  const auto seconds = measured_seconds(subject.region);
  if (!seconds) {
    return std::nullopt;
  }
  // Ranks that one run measured need not have been there at once: then the region took longer than
  // its slowest rank, and would still do so.
  const RankSpread& time = *subject.region.ranks->time_seconds;
  const double even = *seconds - time.most + time.mean;
  const double uneven = finding.evidence.at("max_over_mean");
  return gain_up_to_roof(subject, subject.region,
                         even > 0.0 ? std::min(uneven, *seconds / even) : uneven);
}

std::optional<Finding> serial_part(const Subject& subject) {
  constexpr double kOneWaits = 0.5;  // threads, on average
  const Region& region = subject.region;
  if (!region.caused_wait_seconds || region.threads != 1) {
    return std::nullopt;
  }
  const double waited = region.caused_wait_seconds->value();
  const double own = self_seconds(region);
  constexpr double kMany = 10.0;
  if (own <= 0.0 || waited < kOneWaits * own) {
    return std::nullopt;
  }
  return Finding{
      "serial-part",
      fmt::format("one thread works while {:.{}f} others wait for it on average, {} in all; share "
                  "its work among threads, or let them do something else meanwhile",
                  waited / own, waited < kMany * own ? 1 : 0, amount_text(waited, "s")),
      {{"waited_seconds", waited}, {"waiting_threads", waited / own}},
      {},
      Origin::measured};
}

std::optional<Gain> gain_of_sharing_out(const Subject& subject, const Finding& finding) {
  const auto seconds = measured_seconds(subject.region);
  if (!seconds) {
    return std::nullopt;
  }
  const double threads = 1.0 + finding.evidence.at("waiting_threads");
  const double floor = own_needs(subject).machine_roof;
  const double roof = floor > 0.0 ? std::max(1.0, *seconds / floor) : threads;
  return Gain{1.0, std::min(threads, roof)};
}

namespace {

/// The simulated cores take turns of thousands of accesses, and a line changes hands once in each:
/// how often it does in truth is not known.
bool is_taken_in_turns(const LineSharing& shared) {
  const auto taken = static_cast<double>(shared.invalidations);
  return shared.turns && taken >= kLeastInvalidations &&
         taken >= kTakenInTurn * static_cast<double>(*shared.turns);
}

bool is_taken_often(const Region& region) {
  const auto iterations =
      static_cast<double>(region.iterations.value_or(region.entries.value_or(0)));
  return iterations > 0.0 &&
         (is_taken_in_turns(*region.sharing) ||
          static_cast<double>(region.sharing->invalidations) >= kManyInvalidations * iterations);
}

/// With `falsely`: more of the lines are written at different words only.
std::optional<Finding> sharing_of(const Subject& subject, bool falsely) {
  const Region& region = subject.region;
  if (!region.sharing || !is_taken_often(region) ||
      falsely != (region.sharing->falsely > region.sharing->truly)) {
    return std::nullopt;
  }
  const LineSharing& shared = *region.sharing;
  return Finding{
      falsely ? "false-sharing" : "shared-writes",
      fmt::format("lines that several cores write: {} ({} at different words only), taken "
                  "from each other {} times: {}",
                  shared.lines, shared.falsely,
                  count_text(static_cast<double>(shared.invalidations)),
                  falsely ? "give each thread lines of its own (padding, another schedule)"
                          : "let each thread sum for itself and join at the end"),
      {{"lines", static_cast<double>(shared.lines)},
       {"false_lines", static_cast<double>(shared.falsely)},
       {"true_lines", static_cast<double>(shared.truly)},
       {"invalidations", static_cast<double>(shared.invalidations)}},
      {},
      subject.origins.traffic};
}

}  // namespace

std::optional<Finding> false_sharing(const Subject& subject) {
  return sharing_of(subject, true);
}

std::optional<Finding> shared_writes(const Subject& subject) {
  return sharing_of(subject, false);
}

std::optional<Gain> gain_without_sharing(const Subject& subject, const Finding& /*finding*/) {
  const auto& caches = subject.machine.caches;
  if (caches.empty() || !latency_of_level(subject.machine, caches.back().level)) {
    return std::nullopt;
  }
  Region changed = subject.region;
  changed.sharing.reset();
  auto gain = gain_with(subject, changed);
  if (is_taken_in_turns(*subject.region.sharing)) {
    const auto most = gain_up_to_roof(subject, changed);
    gain = most ? both(gain, most) : gain;
  }
  if (gain) {
    gain->least = 1.0;  // stores may wait beside other work
  }
  return gain;
}

}  // namespace ridge::predict
