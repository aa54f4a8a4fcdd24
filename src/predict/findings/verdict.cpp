#include "predict/findings/verdict.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/findings/roof_words.hpp"
#include "predict/findings/subject.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/judged_time.hpp"

namespace ridge::predict {
namespace {

constexpr std::uint64_t kEnoughSamples = 20;
constexpr double kMostly = 0.5;  // of its time, or of its CPU time

RegionVerdict said(VerdictKind kind, std::string text, std::string resource = {}) {
  return {kind, std::move(resource), std::move(text), false};
}

/// Sleepers are looked at by the clock, so that few looks are a short sleep and no chance.
std::optional<RegionVerdict> asleep(const Region& region) {
  const Seconds wall = region.time_seconds.self->value;
  if (!region.asleep_seconds || *region.asleep_seconds < kMostly * wall) {
    return std::nullopt;
  }
  return said(VerdictKind::asleep,
              fmt::format("its threads sleep for {} of its time: they wait for input, a lock, "
                          "another thread or a given moment",
                          percent_text(std::min<double>(1.0, *region.asleep_seconds / wall))));
}

std::optional<RegionVerdict> in_the_kernel(const Region& region) {
  const auto& cpu = region.cpu_seconds.self;
  if (!region.kernel_seconds || !cpu || cpu->value <= Seconds(0.0) ||
      !is_well_known(*cpu, kEnoughSamples) || *region.kernel_seconds < kMostly * cpu->value) {
    return std::nullopt;
  }
  return said(
      VerdictKind::kernel,
      fmt::format("{} of its CPU time is spent in the kernel, in system calls or page "
                  "faults: no roof speaks of that",
                  percent_text(std::min<double>(1.0, *region.kernel_seconds / cpu->value))));
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
  if (!judged.by_cpu && cpu && cpu->value.value() < kMostly * wall) {
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

std::string_view what_tells_traffic(const Region& region) {
  const bool dropped = std::any_of(region.notes.begin(), region.notes.end(),
                                   [](const Note& note) { return note.code == "traffic-dropped"; });
  return dropped ? "the runs did different work: give the program a fixed amount (steps, not "
                   "seconds)"
                 : "a run without --no-traffic, to its end, tells";
}

std::optional<RegionVerdict> verdict_of(const Region& region, const std::optional<Bound>& code,
                                        const Machine& machine, bool memory_may_bind) {
  const auto judged = judged_time(region);
  if (!judged || judged->time.value <= Seconds(0.0)) {
    return std::nullopt;
  }
  // What is seen of the time itself needs no counts.
  if (auto elsewhere = asleep(region)) {
    return elsewhere;
  }
  if (auto elsewhere = in_the_kernel(region)) {
    return elsewhere;
  }
  if (region.kind == RegionKind::library) {
    return said(VerdictKind::library, "a library, whose work is not counted");
  }
  if (region.partial) {
    return said(
        VerdictKind::partial,
        "no verdict: it was cut midway, and its counts are not those of its time; a run to its "
        "end tells");
  }
  if (!is_well_known(judged->time, kEnoughSamples)) {
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
                fmt::format("no verdict: memory may bind it, and its traffic is not known; {}",
                            what_tells_traffic(region)));
  }
  RegionVerdict verdict = under_its_roof(region, *code, machine, *judged);
  verdict.by_cpu_time = judged->by_cpu;
  if (judged->by_cpu) {
    verdict.text += ", by CPU time: the machine was busy";
  }
  return verdict;
}

}  // namespace ridge::predict
