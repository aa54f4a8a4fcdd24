#include "predict/findings/waiting_words.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "predict/findings/subject.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

constexpr double kUneven = 1.2;      // as load-imbalance
constexpr double kMostlyBusy = 0.5;  // of the time, without a CPU

constexpr double kExplains = 0.5;  // of the waiting

/// Of the regions of the same function that several threads ran.
struct Uneven {
  std::optional<Imbalance> most;
  double seconds = 0.0;  ///< that even work would spare
};

Uneven uneven_beside(const Region& waiting, const Profile& profile) {
  Uneven uneven;
  for (const Region& region : profile.regions) {
    if (region.function != waiting.function || region.process != waiting.process ||
        region.thread_work.empty()) {
      continue;
    }
    const auto own = work_imbalance(region.thread_work);
    if (own && (!uneven.most || own->max_over_mean > uneven.most->max_over_mean)) {
      uneven.most = own;
    }
    uneven.seconds += own ? judged_seconds(region) * (1.0 - 1.0 / own->max_over_mean) : 0.0;
  }
  return uneven;
}

}  // namespace

double spread_seconds(const Region& waiting, double threads) {
  const auto& cpu = waiting.cpu_seconds.self;
  // Threads that sleep while they wait take no CPU; one of them waited for the wall time.
  return std::max(judged_seconds(waiting), cpu ? cpu->value.value() : 0.0) / threads;
}

unsigned threads_of(const Profile& profile) {
  unsigned threads = 1;
  for (const Region& region : profile.regions) {
    threads = std::max(threads, region.threads);
  }
  return threads;
}

WaitingWords waiting_words(const Region& waiting, const Profile& profile) {
  const unsigned threads = threads_of(profile);
  const unsigned cpus = profile.machine.topology ? profile.machine.topology->threads : 0;
  if (cpus > 0 && threads > cpus) {
    return {"waits-oversubscribed",
            {fmt::format("{} threads share {} CPU{}", threads, cpus, cpus == 1 ? "" : "s"),
             fmt::format("OMP_NUM_THREADS={}", cpus), Reach::program},
            false};
  }
  const Uneven beside = uneven_beside(waiting, profile);
  const auto& uneven = beside.most;
  if (uneven && uneven->max_over_mean >= kUneven &&
      beside.seconds >= kExplains * spread_seconds(waiting, threads)) {
    return {"waits-imbalance",
            {fmt::format("the busiest of {} threads has {:.2f} times the mean of the {}",
                         uneven->threads, uneven->max_over_mean, to_string(uneven->quantity)),
             "another schedule (dynamic, guided), or smaller pieces", Reach::function,
             "load-imbalance"}};
  }
  if (const double waited = waited_share(waiting); waited >= kMostlyBusy) {
    return {"waits-busy",
            {fmt::format("a busy machine: {} of this time its threads had no CPU",
                         percent_text(waited)),
             "measure again with nothing else running", Reach::program},
            false};
  }
  if (uneven) {
    return {"waits-serial",
            {fmt::format("{}: serial parts, or starting and joining",
                         uneven->max_over_mean < kUneven
                             ? fmt::format("its {} threads do equal work", uneven->threads)
                             : "uneven work explains little of it"),
             "fuse neighbouring parallel loops; fewer barriers, shorter serial parts"}};
  }
  return {"waits-unknown",
          {"imbalance or serial parts: the work of its threads is not known",
           "another schedule, fewer barriers, fused parallel loops"}};
}

Finding waiting_finding(const Region& waiting, const Profile& profile) {
  const WaitingWords why = waiting_words(waiting, profile);
  Finding finding;
  finding.code = why.code;
  finding.text = fmt::format("{}; {}", why.words.reason, why.words.remedy);
  finding.evidence = {{"threads", static_cast<double>(threads_of(profile))},
                      {"waited_share", waited_share(waiting)}};
  if (waiting.cpu_seconds.self) {
    finding.evidence["thread_seconds"] = waiting.cpu_seconds.self->value.value();
  }
  if (const auto uneven = uneven_beside(waiting, profile).most) {
    finding.evidence["max_over_mean"] = uneven->max_over_mean;
  }
  finding.origin = Origin::measured;
  finding.gain_note = "what less of it saves is said of the whole program: next_steps";
  return finding;
}

}  // namespace ridge::predict
