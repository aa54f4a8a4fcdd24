#include "measure/instrumented/build_profile.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "abi/version.h"
#include "measure/code/names.hpp"
#include "measure/instrumented/arena.hpp"
#include "measure/instrumented/cut_regions.hpp"
#include "measure/instrumented/marker_notes.hpp"
#include "measure/instrumented/pair_processes.hpp"
#include "measure/instrumented/region_counts.hpp"
#include "measure/instrumented/region_times.hpp"
#include "measure/instrumented/regions.hpp"
#include "measure/instrumented/run_notes.hpp"
#include "measure/instrumented/thread_order.hpp"
#include "measure/instrumented/thread_work.hpp"
#include "measure/instrumented/traffic.hpp"
#include "measure/profile/region_lines.hpp"

namespace ridge::measure {
namespace {

/// Everything about one process on its way into the profile.
struct ProcessParts {
  RegionTable table;
  std::vector<RegionTimes> times;
  std::vector<std::optional<PageFaults>> faults;  ///< empty: the kernel's counts are unknown
  const ProcessSamples* samples = nullptr;
  std::optional<SecondRun> second;
  bool depends_on_order = false;  ///< the traffic
};

class Builder {
 public:
  Builder(const ProfileInput& input, RegionsOfRaw* of_raw)
      : input_(input), timed_(*input.timed), of_raw_(of_raw) {
    if (input.traffic != nullptr) {
      pairs_ = pair_processes(timed_.arena.processes, input.traffic->processes);
    }
  }

  Profile run() {
    profile_.ridge_version = ridge_version_text;
    profile_.date = input_.date;
    profile_.program.argv = input_.argv;
    profile_.program.exit_code = timed_.status.code;
    profile_.program.signal = timed_.status.signal;
    profile_.program.wall_seconds = Seconds(timed_.wall_seconds);
    profile_.program.compiler = compiler_of(timed_.arena);
    profile_.machine = *input_.machine;
    profile_.time.sampled_seconds = Seconds(timed_.samples.sampled_seconds);
    if (timed_.samples.sampled_seconds > 0.0) {
      profile_.time.unattributed_fraction =
          std::max(0.0, 1.0 - timed_.samples.attributed_seconds / timed_.samples.sampled_seconds);
    }
    profile_.regions.push_back(program_start());
    add_root_process();
    for (std::size_t i = 0; i < timed_.arena.processes.size(); ++i) {
      add_process(i);
    }
    finish_program();
    keep_simulated_caches();
    profile_.notes = input_.notes;
    append_run_notes(profile_.notes, timed_, input_.traffic, input_.also, profile_);
    return std::move(profile_);
  }

 private:
  /// Those of which some region has traffic.
  void keep_simulated_caches() {
    for (const CachesElsewhere& caches : input_.also) {
      const auto& regions = profile_.regions;
      if (std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
            return region.traffic_elsewhere.contains(caches.name);
          })) {
        profile_.caches_elsewhere.push_back(caches);
      }
    }
  }

  Region program_start() const {
    Region program;
    program.kind = RegionKind::program;
    program.name = input_.argv.empty() ? "" : std::string(file_name(input_.argv.front()));
    program.function = program.name;
    program.entries = 1;
    program.threads = std::max(1U, timed_.samples.most_threads);
    program.time_seconds.self = exact_time(timed_.wall_seconds, timed_.samples.ticks);
    program.time_seconds.inclusive = program.time_seconds.self;
    program.page_faults = timed_.page_faults;
    if (timed_.samples.waited_seconds) {
      program.waited_seconds = Seconds(*timed_.samples.waited_seconds);
    }
    if (timed_.cpu_seconds) {
      program.cpu_seconds.self = exact_time(*timed_.cpu_seconds, timed_.samples.ticks);
      program.cpu_seconds.inclusive = program.cpu_seconds.self;
    }
    return program;
  }

  /// A launcher is part of the run although it counts nothing itself.
  void add_root_process() {
    const auto& processes = timed_.arena.processes;
    const bool is_counted = std::any_of(processes.begin(), processes.end(),
                                        [&](const auto& known) { return known.pid == timed_.pid; });
    if (!is_counted) {
      profile_.processes.push_back(
          {timed_.pid, input_.argv, timed_.status.code, timed_.status.signal, std::nullopt});
    }
  }

  /// After an exec several records share a process id: the last one has the exit code.
  bool is_last_with_its_pid(std::size_t index) const {
    const auto& processes = timed_.arena.processes;
    return std::none_of(processes.begin() + static_cast<std::ptrdiff_t>(index) + 1, processes.end(),
                        [&](const auto& later) { return later.pid == processes[index].pid; });
  }

  void add_process(std::size_t index) {
    const RawProcess& raw = timed_.arena.processes[index];
    Process process;
    process.pid = raw.pid;
    process.argv = raw.arguments;
    process.rank = raw.rank ? std::optional(static_cast<int>(*raw.rank)) : std::nullopt;
    if (raw.pid == timed_.pid && is_last_with_its_pid(index)) {
      process.exit_code = timed_.status.code;
      process.signal = timed_.status.signal;
    }
    profile_.processes.push_back(process);
    ProcessParts parts = take_apart(index);
    add_regions(raw, parts);
  }

  ProcessParts take_apart(std::size_t index) {
    const RawProcess& raw = timed_.arena.processes[index];
    ProcessParts parts;
    parts.table = merge_regions(raw);
    for (const ProcessSamples& candidate : timed_.samples.processes) {
      parts.samples = candidate.record == raw.record ? &candidate : parts.samples;
    }
    parts.times =
        parts.samples != nullptr
            ? parts.samples->samples.resolve(parts.table, cpus_of(*parts.samples, timed_.samples))
            : std::vector<RegionTimes>(parts.table.regions.size());
    if (parts.samples != nullptr) {
      parts.faults =
          page_faults(parts.table, parts.times, *parts.samples, process_seconds(*parts.samples));
    }
    if (!pairs_.empty() && pairs_[index]) {
      parts.second.emplace(input_.traffic->processes[*pairs_[index]]);
      parts.depends_on_order = depends_on_order(parts.table, *parts.second);
      is_interval_ = is_interval_ || parts.depends_on_order;
    }
    return parts;
  }

  /// Never executed code stays out of the file, except what encloses something that ran.
  static std::vector<bool> choose_regions(ProcessParts& parts) {
    auto& regions = parts.table.regions;
    std::vector<bool> chosen(regions.size(), false);
    for (std::size_t i = regions.size(); i-- > 0;) {
      const RegionTimes& times = parts.times[i];
      const bool was_seen =
          times.ticks_inclusive > 0 || times.cpu_samples_inclusive > 0 || times.waits.sum() > 0.0;
      const bool is_library = regions[i].kind == RegionKind::library;
      chosen[i] = chosen[i] || was_seen ||
                  (is_library ? regions[i].counts.work.total() > 0 : !regions[i].counts.empty());
      const auto parent = regions[i].parent;
      if (parent && chosen[i]) {
        chosen[*parent] = true;
      } else if (parent && is_library) {
        fold_call(regions[i].counts, regions[*parent].counts);
        chosen[*parent] = chosen[*parent] || !regions[*parent].counts.empty();
      }
    }
    return chosen;
  }

  /// The names of calls into a library that took no time belong to the caller.
  static void fold_call(Counts& call, Counts& caller) {
    Counts named;
    named.calls.swap(call.calls);
    named.opaque.swap(call.opaque);
    caller += named;
  }

  void add_regions(const RawProcess& raw, ProcessParts& parts) {
    const auto process = static_cast<std::uint32_t>(profile_.processes.size() - 1);
    const auto chosen = choose_regions(parts);
    const auto cut = cut_regions(raw, parts.table);
    std::vector<std::uint32_t> ids(parts.table.regions.size(), 0);
    for (std::uint32_t i = 0; i < parts.table.regions.size(); ++i) {
      const MergedRegion& merged = parts.table.regions[i];
      const bool is_marker = merged.kind == RegionKind::marker;
      if (!is_marker) {
        total_ += merged.counts;
      }
      if (!chosen[i]) {
        continue;
      }
      Region region = to_region(merged);
      region.id = ids[i] = static_cast<std::uint32_t>(profile_.regions.size());
      region.process = process;
      if (merged.parent) {
        region.parent = ids[*merged.parent];
      }
      region.partial = cut.contains(i);
      if (parts.samples != nullptr) {
        (is_marker ? fill_marker_times : fill_times)(region, parts.times[i], parts.samples->samples,
                                                     process_seconds(*parts.samples));
      }
      region.page_faults = i < parts.faults.size() ? parts.faults[i] : std::nullopt;
      region.thread_work =
          thread_work(parts.table, i, parts.times[i],
                      parts.samples != nullptr ? &parts.samples->samples : nullptr);
      add_traffic_of(region, merged, parts);
      if (is_marker) {
        const std::uint32_t first = parts.table.of_marker.front();
        complete_marker(region, raw.markers[i - first],
                        {!cut.empty(), raw.threads.size() > 1,
                         parts.second && !parts.second->placed().empty()});
      }
      is_partial_ = is_partial_ || region.partial;
      profile_.regions.push_back(std::move(region));
    }
    if (of_raw_ != nullptr) {
      auto& regions = of_raw_->emplace_back();
      for (const std::uint32_t at : parts.table.of_raw) {
        regions.push_back(at != kNoRegion && chosen[at] ? ids[at] : kNoRegion);
      }
    }
    if (parts.second && parts.second->simulated()) {
      add_placed(*parts.second);
      add_traffic(total_traffic_, parts.second->total());
      add_elsewhere(parts.second->elsewhere());
      has_traffic_ = true;
      is_sampled_ = is_sampled_ || parts.second->sampled();
    }
  }

  /// A process without tasks has one traffic, however those of others are placed.
  void add_placed(const SecondRun& process) {
    const bool has_tasks = !process.placed().empty();
    if (has_tasks && placed_.empty()) {
      placed_.assign(process.placed().size(), total_traffic_);
    }
    for (std::size_t how = 0; how < placed_.size(); ++how) {
      add_traffic(placed_[how], has_tasks ? process.placed()[how] : process.total());
    }
  }

  /// A process without its part leaves the program without the whole.
  void add_elsewhere(const std::vector<std::optional<ridge_region_traffic>>& process) {
    elsewhere_.resize(input_.also.size(), ridge_region_traffic{});
    for (std::size_t i = 0; i < elsewhere_.size(); ++i) {
      const bool known = i < process.size() && process[i] && elsewhere_[i];
      if (known) {
        add_traffic(*elsewhere_[i], *process[i]);
      } else {
        elsewhere_[i].reset();
      }
    }
  }

  PlacedTasks placed_tasks(const std::vector<ridge_region_traffic>& placed, double factor,
                           const Region& region) const {
    if (placed.empty()) {
      return {};
    }
    return {placed_traffic(placed, factor, *input_.machine),
            left_in_caches(region, *input_.machine)};
  }

  void set_elsewhere(Region& region, const ProcessParts& parts, const SecondRun::Entry& second,
                     double factor) const {
    const auto& known = parts.second->elsewhere();
    for (std::size_t i = 0; i < input_.also.size() && i < known.size(); ++i) {
      if (known[i]) {
        set_traffic_elsewhere(region, second.elsewhere[i], factor, input_.also[i]);
      }
    }
  }

  double process_seconds(const ProcessSamples& samples) const {
    return timed_.samples.ticks == 0
               ? 0.0
               : timed_.samples.sampled_seconds * static_cast<double>(samples.samples.ticks()) /
                     static_cast<double>(timed_.samples.ticks);
  }

  void add_traffic_of(Region& region, const MergedRegion& merged, const ProcessParts& parts) {
    if (!parts.second || !parts.second->simulated() ||
        is_uncounted_library(region.kind, merged.counts)) {
      return;
    }
    const SecondRun::Entry* second = parts.second->find(merged.identity);
    if (second == nullptr) {
      region.notes.push_back({"traffic-dropped", "the second run did not get here: no traffic"});
      return;
    }
    const TrafficScale scale = traffic_scale(merged.counts, second->counts);
    if (scale.note) {
      region.notes.push_back(*scale.note);
    }
    if (scale.factor) {
      set_traffic_of(region, parts, *second, *scale.factor);
      region.traffic_mode = second->sampled ? TrafficMode::sampled : TrafficMode::exact;
      region.notes.insert(region.notes.end(), second->notes.begin(), second->notes.end());
    }
  }

  /// Of a marker only what crossed the boundaries is known.
  void set_traffic_of(Region& region, const ProcessParts& parts, const SecondRun::Entry& second,
                      double factor) const {
    const bool is_marker = region.kind == RegionKind::marker;
    set_traffic(region, second.traffic, factor, boundaries_of(*input_.machine), !is_marker);
    if (!is_marker) {
      set_lines(region, second.lines, second.exact_accesses, *input_.machine);
      set_memory_nodes(region, second.nodes);
      region.trip_counts = second.trips;
      set_elsewhere(region, parts, second, factor);
    }
    if (parts.depends_on_order) {
      set_traffic_intervals(
          region, is_marker ? PlacedTasks{} : placed_tasks(second.placed, factor, region));
    }
  }

  void finish_program() {
    Region& program = profile_.regions.front();
    set_counts(program, total_);
    program.entries = 1;
    program.partial = is_partial_ || !has_ended();
    if (!has_traffic_) {
      return;
    }
    Counts second;
    for (const RawProcess& process : input_.traffic->processes) {
      for (const RawRegion& region : process.regions) {
        second += region.counts;
      }
    }
    const TrafficScale scale = traffic_scale(total_, second);
    if (scale.note) {
      program.notes.push_back(*scale.note);
    }
    if (scale.factor) {
      set_traffic(program, total_traffic_, *scale.factor, boundaries_of(*input_.machine), false);
      if (is_interval_) {
        set_traffic_intervals(program, placed_tasks(placed_, *scale.factor, program));
      }
      program.traffic_mode = is_sampled_ ? TrafficMode::sampled : TrafficMode::exact;
      for (std::size_t i = 0; i < elsewhere_.size(); ++i) {
        if (elsewhere_[i]) {
          set_traffic_elsewhere(program, *elsewhere_[i], *scale.factor, input_.also[i]);
        }
      }
    }
  }

  /// The program and what it started.
  bool has_ended() const {
    return (timed_.status.code || timed_.status.signal) && timed_.left_measured.empty();
  }

  const ProfileInput& input_;
  const TimedRun& timed_;
  RegionsOfRaw* of_raw_;
  std::vector<std::optional<std::size_t>> pairs_;  ///< processes of the second run; empty: none
  Profile profile_;
  Counts total_;
  ridge_region_traffic total_traffic_{};
  std::vector<ridge_region_traffic> placed_;  ///< of the program, for each way to place its tasks
  std::vector<std::optional<ridge_region_traffic>> elsewhere_;  ///< in the order of input_.also
  bool has_traffic_ = false;
  bool is_sampled_ = false;
  bool is_interval_ = false;  ///< some traffic depends on the order of threads
  bool is_partial_ = false;
};

}  // namespace

Profile build_profile(const ProfileInput& input, RegionsOfRaw* of_raw) {
  return Builder(input, of_raw).run();
}

}  // namespace ridge::measure
