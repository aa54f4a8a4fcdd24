#include "predict/findings/waiting_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "core/value/region_names.hpp"
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

/// One cause of waiting, as a profile with causes tells it.
struct Cause {
  std::string_view code;
  Seconds WaitCauses::* seconds;
  std::string_view name;
  std::string_view remedy;
};
constexpr std::string_view kOversubscribed = "waits-oversubscribed";
constexpr std::array kCauses{
    Cause{"waits-imbalance", &WaitCauses::imbalance, "uneven work",
          "another schedule (dynamic, guided), or smaller pieces"},
    Cause{"waits-serial", &WaitCauses::serial, "one thread that works alone",
          "share that part among threads, or let the others pass it (nowait)"},
    Cause{kOversubscribed, &WaitCauses::oversubscribed, "more threads than CPUs",
          "no more threads than CPUs that the program may use (OMP_NUM_THREADS)"},
    Cause{"waits-busy", &WaitCauses::busy, "a busy machine",
          "measure again with nothing else running"},
    Cause{"waits-unknown", &WaitCauses::unexplained,
          "starting and joining, or code that no sample saw",
          "fewer and longer parallel regions: fuse neighbouring loops"},
};

double seconds_of(const Cause& cause, const WaitCauses& causes) {
  return (causes.*cause.seconds).value();
}

double sum_of(const WaitCauses& causes) {
  double sum = 0.0;
  for (const Cause& cause : kCauses) {
    sum += seconds_of(cause, causes);
  }
  return sum;
}

const Cause& most_of(const WaitCauses& causes) {
  return *std::max_element(kCauses.begin(), kCauses.end(), [&](const Cause& a, const Cause& b) {
    return seconds_of(a, causes) < seconds_of(b, causes);
  });
}

const Region* parent_of(const Region& region, const Profile& profile) {
  const auto found =
      std::find_if(profile.regions.begin(), profile.regions.end(), [&](const Region& other) {
        return region.parent && other.id == *region.parent && other.process == region.process;
      });
  return found == profile.regions.end() ? nullptr : &*found;
}

/// Whether it is in the parallel region that begins at the line of the waiting: a function may have
/// several.
bool is_of_same_body(const Region& region, const Region& waiting, const Profile& profile) {
  const Region* at = &region;
  while (at != nullptr && at->kind != RegionKind::function) {
    at = parent_of(*at, profile);
  }
  return at != nullptr && at->line == waiting.line && at->file == waiting.file;
}

/// The region that most was waited for, of the same parallel region, or, where the waiting is not
/// at the end of one, of the same function; nullptr: none is known.
const Region* most_waited_for(const Region& waiting, const Profile& profile) {
  const Region* most = nullptr;
  for (const Region& region : profile.regions) {
    const bool counts = region.caused_wait_seconds && region.process == waiting.process &&
                        region.function == waiting.function &&
                        (waiting.wait != WaitKind::join || !waiting.line ||
                         is_of_same_body(region, waiting, profile));
    if (counts && (most == nullptr || *region.caused_wait_seconds > *most->caused_wait_seconds)) {
      most = &region;
    }
  }
  return most;
}

/// Ranks have threads of their own, so fewer of these do not help where ranks alone are too many.
StepWords too_few_cpus(unsigned threads, unsigned cpus, const Profile& profile) {
  const unsigned ranks = profile.parallel ? std::max(1U, profile.parallel->measured) : 1;
  const std::string share = fmt::format("share {} CPU{}", cpus, cpus == 1 ? "" : "s");
  if (ranks > cpus) {
    return {fmt::format("{} ranks {}", ranks, share),
            fmt::format("at most {} rank{} on this machine", cpus, cpus == 1 ? "" : "s"),
            Reach::program};
  }
  const std::string whose = ranks > 1 ? fmt::format(" of {} ranks", ranks) : "";
  return {fmt::format("{} threads{} {}", threads, whose, share),
          fmt::format("OMP_NUM_THREADS={}", cpus / ranks), Reach::program};
}

WaitingWords words_of_causes(const Region& waiting, const WaitCauses& causes,
                             const Profile& profile) {
  const Cause& most = most_of(causes);
  const std::string share = percent_text(seconds_of(most, causes) / sum_of(causes));
  if (most.code == kOversubscribed || most.code == "waits-busy") {
    const unsigned cpus = profile.machine.topology ? profile.machine.topology->threads : 0;
    const unsigned threads = threads_of(profile);
    const bool is_known = most.code == kOversubscribed && cpus > 0 && threads > cpus;
    return {std::string(most.code),
            is_known ? too_few_cpus(threads, cpus, profile)
                     : StepWords{fmt::format("{}: {} of the waiting", most.name, share),
                                 std::string(most.remedy), Reach::program},
            false};
  }
  if (waiting.wait == WaitKind::lock && most.code == "waits-serial") {
    return {
        "waits-lock",
        {fmt::format("threads wait for a lock that another one holds: {} of the waiting", share),
         "shorter critical sections, a lock for each part, or a reduction", Reach::function,
         "serial-part"}};
  }
  const std::string_view family = most.code == "waits-imbalance" ? "load-imbalance"
                                  : most.code == "waits-serial"  ? "serial-part"
                                                                 : "";
  return {std::string(most.code),
          {fmt::format("{}: {} of the waiting", most.name, share), std::string(most.remedy),
           Reach::function, std::string(family)},
          most.code != "waits-unknown"};
}

/// "uneven work 62 %, a busy machine 38 %", most first.
std::string causes_text(const WaitCauses& causes) {
  constexpr double kSaid = 0.005;  // of the waiting
  auto sorted = kCauses;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Cause& a, const Cause& b) {
    return seconds_of(a, causes) > seconds_of(b, causes);
  });
  std::string text;
  for (const Cause& cause : sorted) {
    const double share = seconds_of(cause, causes) / sum_of(causes);
    if (share >= kSaid) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cause.name, percent_text(share));
    }
  }
  return text;
}

void add_causes(Finding& finding, const Region& waiting, const WaitCauses& causes,
                const Profile& profile, const WaitingWords& why) {
  finding.evidence["imbalance_seconds"] = causes.imbalance.value();
  finding.evidence["serial_seconds"] = causes.serial.value();
  finding.evidence["oversubscribed_seconds"] = causes.oversubscribed.value();
  finding.evidence["busy_seconds"] = causes.busy.value();
  finding.evidence["unexplained_seconds"] = causes.unexplained.value();
  finding.text = fmt::format("threads waited {} here in all: {}", amount_text(sum_of(causes), "s"),
                             causes_text(causes));
  constexpr double kSaid = 0.5;  // of the waiting
  const Region* most = most_waited_for(waiting, profile);
  if (most != nullptr && most->caused_wait_seconds->value() >= kSaid * sum_of(causes)) {
    finding.text +=
        fmt::format("; most of it for {}", name_with_place(brief_name(most->name), *most));
  }
  finding.text += fmt::format("; {}", why.words.remedy);
}

}  // namespace

double spread_seconds(const Region& waiting, double threads) {
  if (const auto& causes = waiting.wait_causes) {
    return (causes->imbalance + causes->serial).value() / threads;
  }
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
  if (waiting.wait_causes && sum_of(*waiting.wait_causes) > 0.0) {
    return words_of_causes(waiting, *waiting.wait_causes, profile);
  }
  const unsigned threads = threads_of(profile);
  const unsigned cpus = profile.machine.topology ? profile.machine.topology->threads : 0;
  if (cpus > 0 && threads > cpus) {
    return {std::string(kOversubscribed), too_few_cpus(threads, cpus, profile), false};
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
  if (waiting.wait_causes && sum_of(*waiting.wait_causes) > 0.0) {
    add_causes(finding, waiting, *waiting.wait_causes, profile, why);
  }
  finding.origin = Origin::measured;
  finding.gain_note = "what less of it saves is said of the whole program: next_steps";
  return finding;
}

}  // namespace ridge::predict
