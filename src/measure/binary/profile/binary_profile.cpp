#include "measure/binary/profile/binary_profile.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "abi/version.h"
#include "measure/binary/profile/binary_notes.hpp"
#include "measure/binary/profile/chosen_regions.hpp"
#include "measure/binary/profile/processes.hpp"
#include "measure/binary/profile/work_sum.hpp"
#include "measure/binary/stacks/callers.hpp"
#include "measure/code/names.hpp"
#include "measure/profile/region_lines.hpp"
#include "measure/profile/region_traffic.hpp"
#include "measure/profile/sampled_time.hpp"
#include "measure/profile/simulated_caches.hpp"

namespace ridge::measure::binary {
namespace {

double work_of(const RegionWork& work, bool in_flops) {
  return in_flops ? static_cast<double>(work.flops ? work.flops->total() : 0)
                  : static_cast<double>(work.bytes_loaded.value_or(0)) +
                        static_cast<double>(work.bytes_stored.value_or(0));
}

TrafficScale scale_of(const RegionWork& first, const RegionWork& second) {
  const bool in_flops = work_of(first, true) > 0.0 || work_of(second, true) > 0.0;
  return traffic_scale(work_of(first, in_flops), work_of(second, in_flops),
                       in_flops ? "flop" : "byte");
}

Region to_region(const ModuleRegion& from, const std::string& suffix) {
  Region region;
  region.kind = from.kind;
  region.name = from.name + suffix;
  region.function = from.function;
  region.file = from.file;
  region.line = from.line;
  region.column = from.column;
  region.wait = from.wait;
  if (from.loops.size() > 1) {
    region.notes.push_back(
        {"versions",
         fmt::format("{} versions of this loop (vector body, remainder, ...) are summed",
                     from.loops.size())});
  }
  return region;
}

/// In order of creation: thread numbers of the kernel grow. Empty unless there is one process whose
/// threads were all sampled: `threads` ran under the engine.
std::vector<std::uint32_t> thread_ordinals(const SampledCode& samples, std::size_t threads) {
  if (samples.processes.size() != 1 || samples.threads.size() != threads) {
    return {};
  }
  std::vector<std::uint32_t> order(threads);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return samples.threads[i].tid; });
  std::vector<std::uint32_t> ordinals(threads);
  for (std::uint32_t i = 0; i < threads; ++i) {
    ordinals[order[i]] = i;
  }
  return ordinals;
}

bool sees_the_kernel(const TimedRun& timed) {
  return timed.method && *timed.method != platform::SamplingMethod::perf_events_user_only;
}

std::size_t counted_threads(const EngineRun* counted) {
  return counted != nullptr && counted->records.size() == 1 ? counted->records[0].threads.size()
                                                            : 0;
}

class Builder {
 public:
  explicit Builder(const ProfileInput& input)
      : input_(input),
        timed_(*input.timed),
        code_(*input.code),
        times_(sampled_times(timed_.samples, code_.region_of_place, code_.parents)),
        callers_(callers(code_, region_stacks(code_, timed_.samples.stacks))),
        boundaries_(boundaries_of(*input.machine)),
        ordinals_(thread_ordinals(timed_.samples, counted_threads(input.counted))) {
    if (input.simulated != nullptr) {
      traffic_ =
          simulated_traffic(*input.simulated, code_.region_count + 1, boundaries_.size() - 1);
      lines_ = simulated_lines(input.simulated->run.records);
    }
  }

  Profile run() {
    set_head();
    profile_.regions.push_back(program_start());
    chosen_ = chosen_regions(code_, times_, input_.calling_regions, input_.times_elsewhere);
    for (const CodeModule& module : code_.modules) {
      add_module(module);
    }
    add_rest();
    finish_program();
    profile_.notes = input_.notes;
    append_binary_notes(profile_.notes, input_, times_, profile_);
    if (input_.simulated != nullptr) {
      if (auto note = sampling_note({&traffic_})) {
        profile_.notes.push_back(std::move(*note));
      }
    }
    return std::move(profile_);
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers(const Profile& profile) const {
    std::vector<std::uint32_t> found(profile.regions.size(), kNoRegion);
    for (std::uint32_t number = 0; number < ids_.size(); ++number) {
      if (chosen_[number]) {
        found[ids_[number]] = number;
      }
    }
    return found;
  }

 private:
  void set_head() {
    profile_.ridge_version = ridge_version_text;
    profile_.date = input_.date;
    profile_.program.argv = input_.argv;
    profile_.program.exit_code = timed_.status.code;
    profile_.program.signal = timed_.status.signal;
    profile_.program.wall_seconds = Seconds(timed_.wall_seconds);
    profile_.machine = *input_.machine;
    profile_.processes =
        processes_of(timed_, input_.argv,
                     input_.counted != nullptr ? std::span<const Record>(input_.counted->records)
                                               : std::span<const Record>(),
                     input_.process_work);
    if (times_.samples > 0) {
      profile_.time.sampled_seconds = Seconds(timed_.wall_seconds);
      profile_.time.unattributed_fraction =
          std::clamp(1.0 - times_.attributed / timed_.wall_seconds, 0.0, 1.0);
    }
  }

  Region program_start() const {
    Region program;
    program.kind = RegionKind::program;
    program.name = input_.argv.empty() ? "" : std::string(file_name(input_.argv.front()));
    program.function = program.name;
    program.entries = 1;
    program.threads = std::max(1U, times_.most_threads);
    program.time_seconds.self = exact_time(timed_.wall_seconds, times_.samples);
    program.time_seconds.inclusive = program.time_seconds.self;
    if (times_.waited) {
      program.waited_seconds = Seconds(*times_.waited);
    }
    if (timed_.usage) {
      const double cpu = timed_.usage->user_seconds + timed_.usage->kernel_seconds;
      const std::uint64_t faults = timed_.usage->minor_faults + timed_.usage->major_faults;
      program.cpu_seconds.self = exact_time(cpu, times_.samples);
      program.cpu_seconds.inclusive = program.cpu_seconds.self;
      program.page_faults = PageFaults{faults, faults, faults, timed_.usage->major_faults,
                                       Seconds(timed_.usage->kernel_seconds)};
    }
    return program;
  }

  [[nodiscard]] bool is_counted(const CodeModule& module) const {
    return input_.counted != nullptr &&
           (input_.engine->counts_libraries || is_program(module.executed.path));
  }
  [[nodiscard]] bool is_program(const std::string& path) const {
    return path == input_.program_file;
  }

  void add_module(const CodeModule& module) {
    ids_.resize(code_.region_count, 0);
    for (std::uint32_t i = 0; i < module.regions.regions.size(); ++i) {
      const std::uint32_t number = module.first_region + i;
      const ModuleWork& work = module.work[i];
      total_.add(work.work);
      if (!chosen_[number]) {
        add_to_rest(module, work, number);
        continue;
      }
      const ModuleRegion& from = module.regions.regions[i];
      Region region = to_region(from, suffix_of(module, from));
      region.id = ids_[number] = static_cast<std::uint32_t>(profile_.regions.size());
      if (code_.parents[number]) {
        region.parent = ids_[*code_.parents[number]];
      }
      set_times(region, times_.regions[number]);
      set_callers(region, number);
      set_work(region, module, i);
      set_traffic_of(region, number, work.work);
      profile_.regions.push_back(std::move(region));
    }
  }

  /// Where a region is; names of libraries, and of code without symbols, say so already.
  [[nodiscard]] std::string suffix_of(const CodeModule& module, const ModuleRegion& region) const {
    const std::string& path = module.executed.path;
    const bool is_said = is_program(path) || path.empty() || region.kind == RegionKind::library ||
                         region.name.starts_with(file_name(path));
    return is_said ? std::string() : fmt::format(" in {}", file_name(path));
  }

  void set_callers(Region& region, std::uint32_t number) const {
    for (const CallingRegion& caller : callers_[number]) {
      const CodeModule& module = module_of(code_, caller.region);
      const ModuleRegion& from = module.regions.regions[caller.region - module.first_region];
      region.callers.push_back(
          {from.function + suffix_of(module, from), from.file, from.line, caller.share});
    }
  }

  void add_to_rest(const CodeModule& module, const ModuleWork& work, std::uint32_t number) {
    if (is_counted(module)) {
      rest_.add(work.work);
      rest_regions_.push_back(number);
    }
  }

  void set_times(Region& region, const RegionSeconds& times) const {
    region.time_seconds.self =
        sampled_time(times.wall, times.samples, times_.samples, timed_.wall_seconds);
    region.time_seconds.inclusive = sampled_time(times.wall_inclusive, times.samples_inclusive,
                                                 times_.samples, timed_.wall_seconds);
    region.cpu_seconds.self =
        sampled_time(times.cpu, times.cpu_samples, times_.cpu_samples, times_.cpu);
    region.cpu_seconds.inclusive = sampled_time(times.cpu_inclusive, times.cpu_samples_inclusive,
                                                times_.cpu_samples, times_.cpu);
    if (times_.waited) {
      region.waited_seconds = Seconds(times.waited);
    }
    if (times.samples > 0) {
      region.asleep_seconds = Seconds(times.asleep);
    }
    if (times.cpu_samples > 0 && sees_the_kernel(timed_)) {
      region.kernel_seconds = Seconds(times.kernel);
    }
    if (times.share > 0.0) {
      region.share_seconds = Seconds(times.share);
    }
    region.threads = std::max(1U, times.threads);
  }

  void set_work(Region& region, const CodeModule& module, std::uint32_t index) const {
    const ModuleWork& work = module.work[index];
    const RegionSeconds& times = times_.regions[module.first_region + index];
    if (!is_counted(module)) {
      return;
    }
    if (work.instructions == 0) {
      if (auto note = other_code_note(times)) {
        region.notes.push_back(std::move(*note));
      }
      return;
    }
    static_cast<RegionWork&>(region) = work.work;
    static_cast<RegionEvidence&>(region) = work.evidence;
    set_counted_traffic(region);
    region.notes.insert(region.notes.end(), work.notes.begin(), work.notes.end());
    region.partial = lacks_processes(input_);
    set_thread_work(region, work, times);
  }

  void set_thread_work(Region& region, const ModuleWork& work, const RegionSeconds& times) const {
    if (work.threads.size() < 2 || region.wait) {
      return;  // how often a waiting thread looks says nothing of who had more to do
    }
    region.thread_work = work.threads;
    for (const auto& [thread, seconds] : times.cpu_by_thread) {
      if (ordinals_.empty()) {
        break;
      }
      const auto own =
          std::ranges::find(region.thread_work, ordinals_[thread], &ThreadWork::thread);
      if (own != region.thread_work.end()) {
        own->cpu_seconds = sampled_time(seconds, times.samples_by_thread.at(thread),
                                        times_.cpu_samples, times_.cpu);
      }
    }
  }

  void set_traffic_of(Region& region, std::uint32_t number, const RegionWork& first) const {
    if (input_.simulated == nullptr || !region.bytes_loaded) {
      return;
    }
    const TrafficScale scale = scale_of(first, input_.simulated->work.at(number).work);
    if (scale.note) {
      region.notes.push_back(*scale.note);
    }
    if (!scale.factor) {
      return;
    }
    const std::uint32_t id = number + 1;
    set_traffic(region, all_lines(traffic_, id), *scale.factor, boundaries_, true);
    if (const auto lines = lines_.find(id); lines != lines_.end()) {
      set_lines(region, lines->second, traffic_.traffic[id].accesses, *input_.machine);
    }
    set_elsewhere(region, {id}, *scale.factor);
    region.traffic_mode = is_sampled(traffic_, id) ? TrafficMode::sampled : TrafficMode::exact;
    if (auto note = distrust(traffic_, id)) {
      region.notes.push_back(std::move(*note));
    }
  }

  void set_elsewhere(Region& region, const std::set<std::uint32_t>& ids, double factor) const {
    for (std::uint32_t i = 0; i < input_.also.size(); ++i) {
      if (const auto traffic = traffic_elsewhere(input_.simulated->run.records, i, ids)) {
        set_traffic_elsewhere(region, *traffic, factor, input_.also[i]);
      }
    }
  }

  /// What has neither flops nor samples.
  void add_rest() {
    const RegionWork work = rest_.finish();
    if (rest_regions_.empty() || !work.bytes_loaded) {
      return;
    }
    Region region;
    region.kind = RegionKind::function;
    region.id = static_cast<std::uint32_t>(profile_.regions.size());
    region.name =
        fmt::format("{} functions and loops without flops or samples", rest_regions_.size());
    region.function = region.name;
    static_cast<RegionWork&>(region) = work;
    set_counted_traffic(region);
    set_traffic_of_rest(region);
    profile_.regions.push_back(std::move(region));
  }

  void set_traffic_of_rest(Region& region) const {
    if (input_.simulated == nullptr) {
      return;
    }
    ridge_region_traffic sum{};
    WorkSum second;
    bool sampled = false;
    for (const std::uint32_t number : rest_regions_) {
      add_traffic(sum, all_lines(traffic_, number + 1));
      sampled = sampled || is_sampled(traffic_, number + 1);
      second.add(input_.simulated->work.at(number).work);
    }
    const TrafficScale scale = scale_of(region, second.finish());
    if (scale.note) {
      region.notes.push_back(*scale.note);
    }
    if (scale.factor) {
      set_traffic(region, sum, *scale.factor, boundaries_, false);
      region.traffic_mode = sampled ? TrafficMode::sampled : TrafficMode::exact;
    }
  }

  void finish_program() {
    Region& program = profile_.regions.front();
    const auto entries = program.entries;
    if (input_.counted != nullptr) {
      static_cast<RegionWork&>(program) = total_.finish();
      program.entries = entries;
      set_counted_traffic(program);
    }
    program.partial = !timed_.left.empty() || lacks_processes(input_);
    if (input_.simulated == nullptr) {
      return;
    }
    WorkSum second;
    for (const ModuleWork& work : input_.simulated->work) {
      second.add(work.work);
    }
    const TrafficScale scale = scale_of(program, second.finish());
    if (scale.note) {
      program.notes.push_back(*scale.note);
    }
    if (!scale.factor) {
      return;
    }
    ridge_region_traffic sum{};
    bool sampled = false;
    for (std::size_t id = 0; id < traffic_.traffic.size(); ++id) {
      add_traffic(sum, all_lines(traffic_, id));
      sampled = sampled || is_sampled(traffic_, id);
    }
    set_traffic(program, sum, *scale.factor, boundaries_, false);
    program.traffic_mode = sampled ? TrafficMode::sampled : TrafficMode::exact;
    set_elsewhere(program, {}, *scale.factor);
    for (const CachesElsewhere& caches : input_.also) {
      if (program.traffic_elsewhere.contains(caches.name)) {
        profile_.caches_elsewhere.push_back(caches);
      }
    }
  }

  const ProfileInput& input_;
  const TimedRun& timed_;
  const ProgramCode& code_;
  SampledTimes times_;
  std::vector<std::vector<CallingRegion>> callers_;  ///< by region
  std::vector<Level> boundaries_;
  std::vector<std::uint32_t> ordinals_;
  SimulatedTraffic traffic_;
  std::map<std::uint64_t, ridge_region_lines> lines_;
  std::vector<bool> chosen_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> rest_regions_;
  WorkSum rest_;
  WorkSum total_;
  Profile profile_;
};

}  // namespace

Profile binary_profile(const ProfileInput& input, std::vector<std::uint32_t>* numbers) {
  Builder builder(input);
  Profile profile = builder.run();
  if (numbers != nullptr) {
    *numbers = builder.numbers(profile);
  }
  return profile;
}

}  // namespace ridge::measure::binary
