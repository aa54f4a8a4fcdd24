// The runs of a program as it is, as if they had been. For tests only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "measure/binary/profile/binary_profile.hpp"

namespace ridge::measure::binary::tests {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr pid_t kPid = 42;
inline const std::string kProgram = "/bin/program";

/// Flops in scalar additions, and a byte loaded and one stored for each of them.
inline ModuleWork work_of(std::uint64_t flops) {
  ModuleWork made;
  made.work.flops.emplace();
  if (flops > 0) {
    made.work.flops->add(Precision::fp64, OperationKind::add, 64, flops);
  }
  made.work.bytes_loaded = made.work.bytes_stored = flops;
  made.instructions = 1;
  return made;
}

inline ModuleWork work_of_bytes(std::uint64_t loaded) {
  ModuleWork made = work_of(0);
  made.work.bytes_loaded = loaded;
  made.work.bytes_stored = 0;
  return made;
}

inline Record record_of(std::uint32_t pid, std::size_t threads = 1) {
  Record record;
  record.pid = pid;
  record.complete = true;
  for (std::uint32_t i = 0; i < threads; ++i) {
    record.threads[i] = {};
  }
  return record;
}

/// One process that was counted and simulated; its regions follow. Place i lies in region i.
class Runs {
 public:
  Runs() {
    machine.name = "test";
    machine.caches = {{.level = Level::L1}, {.level = Level::L2}};
    machine.memories = {{Level::DRAM, {}}};
    engine.name = "valgrind";
    engine.simulates = true;
    timed.pid = kPid;
    timed.status.code = 0;
    timed.wall_seconds = 1.0;
    timed.method = platform::SamplingMethod::perf_events;
    timed.interval = std::chrono::milliseconds(1);
    counted.status.code = 0;
    counted.took = Seconds(5.0);
    counted.records = {record_of(kPid)};
    simulated.run = counted;
    simulated.run.records.front().simulated = true;
  }

  CodeModule& module(const std::string& path = kProgram) {
    CodeModule& made = code.modules.emplace_back();
    made.executed.path = path;
    made.first_region = code.region_count;
    return made;
  }

  /// In the last module; gives its number back. It did the same in the run for traffic.
  std::uint32_t region(const std::string& name, const ModuleWork& work,
                       std::optional<std::uint32_t> parent = {},
                       RegionKind kind = RegionKind::function) {
    if (code.modules.empty()) {
      module();
    }
    CodeModule& last = code.modules.back();
    ModuleRegion made;
    made.kind = kind;
    made.name = made.function = name;
    made.parent = parent ? std::optional(*parent - last.first_region) : std::nullopt;
    last.regions.regions.push_back(std::move(made));
    last.work.push_back(work);
    simulated.work.push_back(work);
    code.parents.push_back(parent);
    code.stands_for.push_back(code.region_count);
    code.region_of_place.push_back(code.region_count);
    return code.region_count++;
  }

  /// A thread that was seen first now.
  std::uint32_t thread(pid_t tid, pid_t pid = kPid) {
    auto& known = timed.samples.processes;
    if (std::ranges::find(known, pid) == known.end()) {
      known.push_back(pid);
    }
    const auto process = static_cast<std::uint32_t>(std::ranges::find(known, pid) - known.begin());
    timed.samples.threads.push_back({pid, tid, process, std::nullopt});
    clocks_.push_back(0);
    return static_cast<std::uint32_t>(clocks_.size() - 1);
  }

  /// One sample each millisecond, behind those of the thread so far.
  void spent(std::uint64_t milliseconds, std::uint32_t region, std::uint32_t in_thread = 0) {
    add(milliseconds, region, in_thread, false, false);
  }
  void slept(std::uint64_t milliseconds, std::uint32_t region, std::uint32_t in_thread = 0) {
    add(milliseconds, region, in_thread, true, false);
  }
  void spent_in_kernel(std::uint64_t milliseconds, std::uint32_t region) {
    add(milliseconds, region, 0, false, true);
  }

  /// What all levels let through of a region.
  void crosses(std::uint32_t region, std::uint64_t read, std::uint64_t written) {
    ridge_region_traffic& traffic = simulated.run.records.front().traffic[region + 1];
    for (ridge_bytes_crossed& crossed : traffic.crossed) {
      crossed = {read, written};
    }
    traffic.accesses = read + written;
  }

  [[nodiscard]] ProfileInput input() const {
    ProfileInput made;
    made.argv = {"./program", "x"};
    made.program_file = kProgram;
    made.date = "2026-01-02T03:04:05Z";
    made.machine = &machine;
    made.timed = &timed;
    made.engine = &engine;
    made.counted = has_counts ? &counted : nullptr;
    made.simulated = has_traffic ? &simulated : nullptr;
    made.code = &code;
    made.also = also;
    made.notes = notes;
    return made;
  }
  [[nodiscard]] Profile profile() const { return binary_profile(input()); }

  Machine machine;
  Engine engine;
  TimedRun timed;
  EngineRun counted;
  SimulatedRun simulated;
  ProgramCode code;
  std::vector<CachesElsewhere> also;
  std::vector<Note> notes;
  bool has_counts = true;
  bool has_traffic = false;

 private:
  void add(std::uint64_t milliseconds, std::uint32_t region, std::uint32_t in_thread, bool asleep,
           bool in_kernel) {
    if (clocks_.empty()) {
      thread(kPid);
    }
    for (std::uint64_t i = 0; i < milliseconds; ++i) {
      std::uint64_t& clock = clocks_.at(in_thread);
      SampledMoment moment;
      moment.begin = clock;
      moment.end = clock += kMillisecond;
      moment.weight = asleep ? 0 : kMillisecond;
      moment.place = region;
      moment.thread = in_thread;
      moment.asleep = asleep;
      moment.in_kernel = in_kernel;
      timed.samples.moments.push_back(moment);
    }
  }

  std::vector<std::uint64_t> clocks_;  ///< by thread [ns]
};

inline const Note* find_note(const std::vector<Note>& notes, std::string_view code) {
  const auto found =
      std::ranges::find_if(notes, [&](const Note& note) { return note.code == code; });
  return found == notes.end() ? nullptr : &*found;
}

}  // namespace ridge::measure::binary::tests
