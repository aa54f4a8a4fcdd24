#include "measure/instrumented/run_notes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abi/version.h"
#include "measure/instrumented/descendants.hpp"
#include "measure/instrumented/marker_notes.hpp"
#include "measure/profile/line_sample.hpp"

namespace ridge::measure {
namespace {

/// "0.77", "12", "100": no exponent for a percentage.
std::string two_digits(double percentage) {
  return percentage < 10.0 ? fmt::format("{:.2g}", percentage) : fmt::format("{:.0f}", percentage);
}

/// " (0.7 to 0.9 %)"; empty without samples.
std::string interval_words(const Profile& profile) {
  const auto interval = unattributed_interval(profile);
  return interval ? fmt::format(" ({} to {} %)", two_digits(100.0 * interval->low),
                                two_digits(100.0 * interval->high))
                  : std::string();
}

constexpr std::size_t kCompilersShown = 3;
/// Waiting for a CPU beyond this share of the sampled time is worth a word.
constexpr double kBusyShare = 0.05;

void add(std::vector<Note>& notes, std::string code, std::string text) {
  notes.push_back({std::move(code), std::move(text)});
}

std::uint32_t all_flags(const DecodedArena& arena) {
  std::uint32_t flags = 0;
  for (const RawProcess& process : arena.processes) {
    flags |= process.flags;
  }
  return flags;
}

void append_build_notes(std::vector<Note>& notes, const Profile& profile) {
  if (profile.program.compiler) {
    add(notes, "compiler",
        fmt::format("{}: not necessarily your production build", *profile.program.compiler));
    add(notes, "overhead",
        "times are those of the instrumented program: in our benchmark of ten kernels at most 16 % "
        "slower than the same build without instrumentation (median 1.1 %), up to 3 times on code "
        "made of tiny calls");
  }
}

void append_time_notes(std::vector<Note>& notes, const TimedRun& timed, const Profile& profile) {
  const SampleSet& samples = timed.samples;
  if (samples.ticks == 0) {
    add(notes, "zero-time",
        "the program ended before the first sample: there are counts, but no times");
  } else {
    add(notes, "sampling",
        fmt::format(
            "{} samples, one every {:.2g} ms; {} % of the time in no region{}", samples.ticks,
            1e3 * samples.sampled_seconds / static_cast<double>(samples.ticks),
            two_digits(100.0 * profile.time.unattributed_fraction), interval_words(profile)));
  }
  if (samples.waited_seconds.value_or(0.0) > kBusyShare * samples.sampled_seconds) {
    add(notes, "machine-busy",
        fmt::format("the machine was busy: the threads of the program waited {:.2g} s in all for a "
                    "CPU, so wall times are longer and rates lower than alone",
                    *samples.waited_seconds));
  }
}

void append_content_notes(std::vector<Note>& notes, const TimedRun& timed, const Profile& profile) {
  const bool is_explained = std::any_of(
      notes.begin(), notes.end(), [](const Note& note) { return note.code == "not-attached"; });
  if (timed.arena.processes.empty() && is_explained) {
    return;
  }
  if (timed.arena.processes.empty()) {
    add(notes, "nothing-instrumented",
        "no instrumented code ran: compile and link with ridge-cc or ridge-c++ what shall be "
        "measured");
    return;
  }
  const bool has_loop =
      std::any_of(profile.regions.begin(), profile.regions.end(),
                  [](const Region& region) { return region.kind == RegionKind::loop; });
  if (!has_loop) {
    add(notes, "no-loops", "no loop ran in instrumented code");
  }
}

void append_end_notes(std::vector<Note>& notes, const TimedRun& timed, const Profile& profile) {
  if (timed.status.signal) {
    add(notes, "ended-by-signal",
        fmt::format("the program was ended by signal {} ({})", *timed.status.signal,
                    strsignal(*timed.status.signal)));
  }
  const bool is_partial = std::any_of(profile.regions.begin(), profile.regions.end(),
                                      [](const Region& region) { return region.partial; });
  if (is_partial) {
    add(notes, "partial",
        "regions marked partial were still running at the end: their counts lag behind or run "
        "ahead of it, so no rate and no verdict is given for them");
  }
}

void append_descendant_notes(std::vector<Note>& notes, const TimedRun& timed) {
  if (timed.waited) {
    add(notes, "descendants-waited",
        "processes that the program had started ran on after its end and were measured too: the "
        "wall time is that of all");
  }
  if (!timed.left_measured.empty()) {
    add(notes, "descendants-left",
        fmt::format("{} still ran when Ridge stopped waiting (--wait-descendants): counts and time "
                    "are a lower bound",
                    name_list(timed.left_measured)));
  }
  if (!timed.left_others.empty()) {
    add(notes, "descendants-not-measured",
        fmt::format("{} ran on after the program's end and is not instrumented: not measured",
                    name_list(timed.left_others)));
  }
}

void append_problem_notes(std::vector<Note>& notes, const DecodedArena& arena, const char* run) {
  const std::uint32_t flags = all_flags(arena);
  if (arena.full || (flags & RIDGE_PROCESS_ARENA_FULL) != 0) {
    add(notes, "memory-full",
        fmt::format("{} run: no memory for some threads or modules, which are not counted", run));
  }
  if ((flags & RIDGE_PROCESS_COUNTERS_FULL) != 0) {
    add(notes, "counters-full",
        fmt::format("{} run: too many loops for the counters, some modules are not counted", run));
  }
  for (const RawProcess& process : arena.processes) {
    if ((process.flags & RIDGE_PROCESS_VERSION_MISMATCH) != 0) {
      add(notes, "version-mismatch",
          fmt::format(
              "process {} loaded code that was instrumented with interface version {}; this "
              "is version {}: that code is not counted",
              process.pid, process.mismatched_abi_version, static_cast<int>(RIDGE_ABI_VERSION)));
    }
    if (process.damaged_modules > 0) {
      add(notes, "damaged",
          fmt::format("process {}: {} module descriptions are damaged and left out", process.pid,
                      process.damaged_modules));
    }
    if (process.trace_lost > 0) {
      add(notes, "trace-lost",
          fmt::format("process {}: {} accesses could not be simulated", process.pid,
                      process.trace_lost));
    }
  }
}

/// `asked`: caches of other machines.
void append_elsewhere_notes(std::vector<Note>& notes, const std::vector<CachesElsewhere>& asked,
                            const Profile& profile) {
  std::vector<std::string> simulated;
  std::vector<std::string> missing;
  for (const CachesElsewhere& caches : asked) {
    const auto& known = profile.caches_elsewhere;
    const bool is_known = std::find(known.begin(), known.end(), caches) != known.end();
    (is_known ? simulated : missing).push_back(caches.name);
  }
  if (!simulated.empty()) {
    add(notes, "traffic-elsewhere",
        fmt::format("traffic on the caches of {} is simulated from the same accesses, each thread "
                    "on the core that it ran on here",
                    fmt::join(simulated, ", ")));
  }
  if (!missing.empty()) {
    add(notes, "no-traffic-elsewhere",
        fmt::format("no traffic on the caches of {}: not simulated, or no memory for it",
                    fmt::join(missing, ", ")));
  }
}

/// Levels whose interval is wider than the usual allowance by name, the others in one clause.
std::string order_words(const std::map<Level, TrafficInterval>& intervals) {
  constexpr double kUsual = 1.25;  ///< high over low of 10 % to both sides: 1.22
  std::string words;
  for (const auto& [level, interval] : intervals) {
    const auto low = static_cast<double>(interval.low);
    const auto high = static_cast<double>(interval.high);
    if (high > kUsual * low) {
      words +=
          fmt::format("{}{} {:.3g} to {:.3g} MB", words.empty() ? "; other runs may give " : ", ",
                      to_string(level), low / 1e6, high / 1e6);
    }
  }
  return words.empty() ? ", other runs may give up to 10 % less or more"
                       : words + ", depending on which thread runs a task";
}

void append_order_note(std::vector<Note>& notes, const Profile& profile) {
  if (std::any_of(profile.regions.begin(), profile.regions.end(),
                  [](const Region& region) { return !region.traffic_interval.empty(); })) {
    add(notes, "traffic-interval",
        "the threads of this program divide the work while they run (dynamic schedule, tasks, "
        "locks): traffic below L1 is one possible value" +
            order_words(profile.regions.front().traffic_interval));
  }
}

}  // namespace

std::optional<std::string> compiler_of(const DecodedArena& arena) {
  std::vector<std::string> different;
  for (const RawProcess& process : arena.processes) {
    for (const std::string& compiler : process.compilers) {
      if (std::find(different.begin(), different.end(), compiler) == different.end()) {
        different.push_back(compiler);
      }
    }
  }
  if (different.empty()) {
    return std::nullopt;
  }
  std::string text = different.front();
  for (std::size_t i = 1; i < std::min(different.size(), kCompilersShown); ++i) {
    text += " | " + different[i];
  }
  if (different.size() > kCompilersShown) {
    text += fmt::format(" | {} more", different.size() - kCompilersShown);
  }
  return text;
}

void append_run_notes(std::vector<Note>& notes, const TimedRun& timed, const DecodedArena* traffic,
                      const std::vector<CachesElsewhere>& also, const Profile& profile) {
  append_build_notes(notes, profile);
  append_time_notes(notes, timed, profile);
  append_content_notes(notes, timed, profile);
  append_end_notes(notes, timed, profile);
  append_descendant_notes(notes, timed);
  append_problem_notes(notes, timed.arena, "first");
  append_marker_notes(notes, timed.arena);
  append_elsewhere_notes(notes, also, profile);
  if (traffic != nullptr) {
    append_problem_notes(notes, *traffic, "second");
    add(notes, "traffic-model",
        "traffic below L1 is simulated; not modelled: prefetchers, address hashing, replacement "
        "other than LRU, page walks, physical indexing");
    if (auto note = sampling_note(simulated_traffic(*traffic))) {
      notes.push_back(std::move(*note));
    }
    append_order_note(notes, profile);
  }
}

}  // namespace ridge::measure
