#include "measure/binary/profile/binary_notes.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quantity/percent.hpp"
#include "core/quantity/saturating.hpp"

namespace ridge::measure::binary {
namespace {

/// With fewer samples one of them decides.
constexpr std::uint64_t kSamplesToJudge = 20;
/// What takes less of the time is not worth a word.
constexpr double kWorthAWord = 0.01;
constexpr std::size_t kNamed = 4;
/// Waiting for a CPU beyond this share of the wall time is worth a word.
constexpr double kBusyShare = 0.05;

void add(std::vector<Note>& notes, const char* code, std::string text) {
  notes.push_back({code, std::move(text)});
}

/// "a, b, c and 12 more"
std::string names(const std::set<std::string>& all) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : all) {
    if (shown++ == kNamed) {
      return text + fmt::format(" and {} more", all.size() - kNamed);
    }
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  }
  return text;
}

const char* words_of(platform::SamplingMethod method) {
  switch (method) {
    case platform::SamplingMethod::perf_events:
      return "time in the kernel belongs to the code that called it";
    case platform::SamplingMethod::perf_events_user_only:
      return "the kernel may not be sampled here (perf_event_paranoid), so the time of system "
             "calls "
             "and page faults is that of the code around them";
    case platform::SamplingMethod::ptrace:
      return "perf events are forbidden here, so the program was stopped for each sample (ptrace)";
  }
  return "";
}

void append_time_notes(std::vector<Note>& notes, const ProfileInput& input,
                       const SampledTimes& times, const Profile& profile) {
  const TimedRun& timed = *input.timed;
  notes.insert(notes.end(), timed.notes.begin(), timed.notes.end());
  if (!timed.method) {
    return;
  }
  if (times.samples == 0) {
    add(notes, "zero-time",
        "the program ended before the first sample: there are counts, but no times");
    return;
  }
  add(notes, "sampling",
      fmt::format("{} samples of the untouched program, one each {:.2g} ms of a thread's CPU time; "
                  "{} of the time in no region; {}",
                  times.samples, 1e-6 * static_cast<double>(timed.interval.count()),
                  percent_text(profile.time.unattributed_fraction), words_of(*timed.method)));
  if (times.waited.value_or(0.0) > kBusyShare * timed.wall_seconds) {
    add(notes, "machine-busy",
        fmt::format("the machine was busy: the threads of the program waited {:.2g} s in all for a "
                    "CPU, so wall times are longer and rates lower than alone",
                    *times.waited));
  }
  if (timed.lost > 0) {
    add(notes, "samples-lost",
        fmt::format("{} records of the sampler were lost: the machine was busy", timed.lost));
  }
  if (timed.throttled > 0) {
    add(notes, "samples-held-back",
        fmt::format("the kernel held back samples {} time{}, since they took too much of its time: "
                    "what ran then may have too little time here",
                    timed.throttled, timed.throttled == 1 ? "" : "s"));
  }
}

void append_engine_notes(std::vector<Note>& notes, const ProfileInput& input) {
  if (input.counted == nullptr) {
    return;
  }
  const EngineRun& counted = *input.counted;
  const double untouched = input.timed->wall_seconds;  // 0: another start was timed
  add(notes, "engine",
      fmt::format("work was counted by the engine {} in {:.2g} s{}", input.engine->name,
                  counted.took.value(),
                  untouched > 0.0 ? fmt::format(" ({:.2g} times the untouched run)",
                                                counted.took.value() / untouched)
                                  : ""));
  add(notes, "binary",
      "a program as it is: bytes are those of all memory operands, spilled registers and constants "
      "included; integer operations include those that make addresses");
  if (!input.engine->counts_libraries) {
    add(notes, "libraries-uncounted",
        "only the program's own file is counted: libraries have times and no work");
  }
}

void append_record_notes(std::vector<Note>& notes, const EngineRun& run) {
  std::set<std::string> said;
  std::set<std::string> uncounted;
  bool incomplete = run.records.empty();
  for (const Record& record : run.records) {
    said.insert(record.notes.begin(), record.notes.end());
    uncounted.insert(record.uncounted.begin(), record.uncounted.end());
    incomplete = incomplete || !record.complete;
  }
  for (const std::string& sentence : said) {
    add(notes, "engine-note", sentence);
  }
  if (!uncounted.empty()) {
    add(notes, "uncounted-code",
        fmt::format("the engine could not count {} function{}: {}", uncounted.size(),
                    uncounted.size() == 1 ? "" : "s", names(uncounted)));
  }
  for (const std::string& reason : run.damaged) {
    add(notes, "damaged", fmt::format("counts of a process cannot be read: {}", reason));
  }
  if (incomplete && run.damaged.empty()) {
    add(notes, "counts-incomplete",
        "the engine was ended before it had written all counts of a process");
  }
}

void append_unknown_notes(std::vector<Note>& notes, const ProgramCode& code) {
  std::map<std::string, std::uint64_t> unknown;
  for (const CodeModule& module : code.modules) {
    for (const ModuleWork& work : module.work) {
      for (const auto& [bytes, executions] : work.unknown) {
        unknown[bytes] = saturating_add(unknown[bytes], executions);
      }
    }
  }
  if (unknown.empty()) {
    return;
  }
  std::vector<std::string> parts;
  for (const auto& [bytes, executions] : unknown) {
    if (parts.size() < kNamed) {
      parts.push_back(fmt::format("{} ({} times)", bytes, executions));
    }
  }
  add(notes, "unknown-instructions",
      fmt::format("{} instruction{} that the decoder does not know ran, so what they did is in no "
                  "figure: {}",
                  unknown.size(), unknown.size() == 1 ? "" : "s", fmt::join(parts, ", ")));
}

/// What was timed and not counted, where that is a part of the time to speak of.
void append_other_code(std::vector<Note>& notes, const Profile& profile) {
  double seconds = 0.0;
  std::set<std::string> which;
  for (const Region& region : profile.regions) {
    if (std::ranges::any_of(region.notes,
                            [](const Note& note) { return note.code == "other-code"; })) {
      seconds += region.share_seconds.value_or(Seconds{}).value();
      which.insert(region.name);
    }
  }
  const double wall = profile.program.wall_seconds.value();
  if (wall > 0.0 && seconds > kWorthAWord * wall) {
    add(notes, "other-code",
        fmt::format("{} of the time was spent in code that did not run under the engine ({}): "
                    "libraries choose their code by what the processor can. Its time stands "
                    "without work; --same-code times what is counted",
                    percent_text(seconds / wall), names(which)));
  }
}

void append_end_notes(std::vector<Note>& notes, const TimedRun& timed) {
  if (timed.status.signal) {
    add(notes, "ended-by-signal",
        fmt::format("the program was ended by signal {} ({})", *timed.status.signal,
                    strsignal(*timed.status.signal)));
  }
  if (timed.waited) {
    add(notes, "descendants-waited",
        "processes that the program had started ran on after its end and were measured too: the "
        "wall time is that of all");
  }
  if (!timed.left.empty()) {
    std::set<std::string> left;
    for (const auto& process : timed.left) {
      left.insert(fmt::format("{} ({})", process.name, process.pid));
    }
    add(notes, "descendants-left",
        fmt::format("{} still ran when Ridge stopped waiting (--wait-descendants): time is a lower "
                    "bound, and there are no counts",
                    names(left)));
  }
}

struct Processes {
  std::size_t sampled = 0;
  std::size_t counted = 0;
  std::size_t lost = 0;  ///< began to be counted, and left no counts
};

Processes processes_of(const ProfileInput& input) {
  Processes found;
  found.sampled = input.timed->samples.processes.size();
  if (input.counted != nullptr) {
    std::set<std::uint32_t> pids;
    for (const Record& record : input.counted->records) {
      pids.insert(record.pid);
    }
    found.counted = pids.size();
    found.lost = lost_processes(input.counted->records);
  }
  return found;
}

void append_process_notes(std::vector<Note>& notes, const ProfileInput& input) {
  const Processes processes = processes_of(input);
  const std::size_t all = std::max(processes.sampled, processes.counted);
  if (all > 1) {
    add(notes, "processes-summed",
        fmt::format("figures of {} processes are summed, region by region", all));
  }
  if (lacks_processes(input)) {
    add(notes, "processes-uncounted",
        fmt::format("of {} processes {} left counts: those that are killed, and those that an "
                    "engine cannot follow, leave none. Counts are a lower bound, and no rate is "
                    "given",
                    all, processes.counted - processes.lost));
  }
}

/// Code that changed while it ran, or whose file did.
void append_changed_notes(std::vector<Note>& notes, const ProgramCode& code) {
  std::set<std::string> changed;
  for (const CodeModule& module : code.modules) {
    if (module.executed.changed) {
      changed.insert(module.executed.path.empty() ? "code made at run time" : module.executed.path);
    }
  }
  if (!changed.empty()) {
    add(notes, "code-changed",
        fmt::format("code that ran is not that of the file, or changed while it ran, in {}: names "
                    "and lines may be those of other code, and work is that of the code which ran "
                    "most often at each address",
                    names(changed)));
  }
}

}  // namespace

bool lacks_processes(const ProfileInput& input) {
  if (input.counted == nullptr || !input.engine->counts_libraries) {
    return false;  // forks count with their parent, and other programs are not counted anyway
  }
  const Processes processes = processes_of(input);
  return processes.lost > 0 || processes.counted < processes.sampled;
}

std::optional<Note> other_code_note(const RegionSeconds& times) {
  if (times.samples < kSamplesToJudge) {
    return std::nullopt;
  }
  return Note{"other-code",
              "timed, but it did not run under the engine: the program chose other code there"};
}

void append_binary_notes(std::vector<Note>& notes, const ProfileInput& input,
                         const SampledTimes& times, const Profile& profile) {
  append_time_notes(notes, input, times, profile);
  append_engine_notes(notes, input);
  if (input.counted != nullptr) {
    append_record_notes(notes, *input.counted);
    append_unknown_notes(notes, *input.code);
    append_changed_notes(notes, *input.code);
    append_other_code(notes, profile);
  }
  append_end_notes(notes, *input.timed);
  append_process_notes(notes, input);
  if (input.simulated != nullptr) {
    std::uint64_t lost = 0;
    for (const Record& record : input.simulated->run.records) {
      lost = saturating_add(lost, record.lost_accesses);
    }
    if (lost > 0) {
      add(notes, "trace-lost", fmt::format("{} accesses could not be simulated", lost));
    }
    add(notes, "traffic-model",
        "traffic below L1 is simulated; not modelled: prefetchers, address hashing, replacement "
        "other than LRU, page walks, physical indexing");
  }
}

}  // namespace ridge::measure::binary
