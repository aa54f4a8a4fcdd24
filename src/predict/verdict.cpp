#include "predict/verdict.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "predict/ceilings.hpp"
#include "predict/finding_rules.hpp"
#include "predict/judged_time.hpp"
#include "predict/roof_words.hpp"
#include "predict/subject.hpp"

namespace ridge::predict {
namespace {

constexpr std::uint64_t kEnoughSamples = 20;
constexpr double kMostlyOff = 0.5;  // of its time no thread runs
constexpr double kNearlyAll = 0.99;

bool traffic_is_known(const Region& region) {
  return std::any_of(region.traffic.begin(), region.traffic.end(),
                     [](const auto& entry) { return entry.first != "L1"; });
}

/// Nearly all bytes are accessed in loops without gaps, or at an address that stays the same, and
/// an entry is long enough that what else lies in its first and last lines does not count.
bool walks_without_gaps(const Region& region) {
  constexpr double kLongEntry = 4096.0;
  double without = 0.0;
  for (const AccessTerm& term : region.accesses) {
    const bool no_gaps =
        term.pattern == AccessPattern::unit || term.pattern == AccessPattern::invariant;
    without += no_gaps ? static_cast<double>(term.bytes) : 0.0;
  }
  const double asked = asked_bytes(region);
  return without >= kNearlyAll * asked &&
         asked >= kLongEntry * static_cast<double>(std::max<std::uint64_t>(1, region.entries));
}

RegionVerdict said(VerdictKind kind, std::string text, std::string resource = {}) {
  return {kind, std::move(resource), std::move(text), false};
}

std::string share_of_roof(const Region& region, const Bound& code, const Machine& machine) {
  return fmt::format("{} of its {}", percent_text(*code.fraction),
                     roof_words(region, code, machine));
}

/// Of a region whose roof is known.
RegionVerdict under_its_roof(const Region& region, const Bound& code, const Machine& machine,
                             const JudgedTime& judged) {
  const std::string resource = resource_of(code.ceiling);
  const std::string share = share_of_roof(region, code, machine);
  if (*code.fraction >= kFarBelowRoof) {
    return resource == "compute"
               ? said(VerdictKind::arithmetic, fmt::format("arithmetic binds it: {}", share),
                      resource)
               : said(VerdictKind::bandwidth,
                      fmt::format("{} bandwidth binds it: {}", resource, share), resource);
  }
  const auto& cpu = region.cpu_seconds.self;
  const double wall = judged.time.value.value();
  if (!judged.by_cpu && cpu && cpu->value.value() < kMostlyOff * wall) {
    return said(VerdictKind::blocked,
                fmt::format("no thread of it runs for {} of its time: it waits for input, locks or "
                            "a CPU",
                            percent_text(1.0 - cpu->value.value() / wall)));
  }
  if (has_uncounted_calls(region)) {
    return said(VerdictKind::calls,
                fmt::format("calls of {} take its time; their work is not in the counts",
                            most_called(region)));
  }
  return said(VerdictKind::latency,
              fmt::format("far below every roof, {}: latency or dependencies bind it", share));
}

}  // namespace

bool memory_may_bind(const Region& region, const Machine& machine, unsigned threads,
                     const std::vector<Limit>& limits) {
  if (traffic_is_known(region) || asked_bytes(region) <= 0.0) {
    return false;
  }
  if (!walks_without_gaps(region)) {
    return true;
  }
  const Traffic most{region.bytes_loaded + region.bytes_stored, region.bytes_stored};
  std::vector<Note> unused;
  const auto memory = boundary_limit(most, memory_level(machine), machine, threads, unused);
  return !memory || std::none_of(limits.begin(), limits.end(), [&](const Limit& limit) {
    return limit.seconds >= memory->seconds;
  });
}

bool memory_may_bind(const Region& region, const Machine& machine,
                     const Microarchitecture* microarchitecture) {
  const auto choice = choose_threads(machine, region.threads);
  std::vector<Note> unused;
  return choice &&
         memory_may_bind(region, machine, choice->used,
                         code_limits(region, machine, microarchitecture, choice->used, unused));
}

std::optional<RegionVerdict> verdict_of(const Region& region, const std::optional<Bound>& code,
                                        const Machine& machine, bool memory_may_bind) {
  const auto judged = judged_time(region);
  if (!judged || judged->time.value <= Seconds(0.0)) {
    return std::nullopt;
  }
  if (region.kind == RegionKind::library) {
    return said(VerdictKind::library, "a library, whose work is not counted");
  }
  if (judged->time.samples < kEnoughSamples) {
    return said(VerdictKind::few_samples,
                fmt::format("no verdict: {} sample{} of its time {} too few", judged->time.samples,
                            judged->time.samples == 1 ? "" : "s",
                            judged->time.samples == 1 ? "is" : "are"));
  }
  if (!code || !code->fraction) {
    return said(VerdictKind::no_roof, "no verdict: no ceiling is known for what it does");
  }
  // What reaches a roof is bound by it, whatever else there is.
  if (memory_may_bind && *code->fraction < kAtRoof) {
    return said(VerdictKind::no_traffic,
                "no verdict: memory may bind it, and its traffic is not known; a run without "
                "--no-traffic, to its end, tells");
  }
  RegionVerdict verdict = under_its_roof(region, *code, machine, *judged);
  verdict.by_cpu_time = judged->by_cpu;
  if (judged->by_cpu) {
    verdict.text += ", by CPU time: the machine was busy";
  }
  return verdict;
}

}  // namespace ridge::predict
