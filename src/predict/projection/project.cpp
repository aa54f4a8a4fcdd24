#include "predict/projection/project.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "predict/projection/common_levels.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

std::string memory_of(const Machine& machine) {
  return machine.memories.empty() ? "DRAM" : machine.memories.front().level;
}

double seconds_of(const Region& region) {
  return region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
}

/// Of all precisions the one with most work; empty without work.
std::string main_precision(const Profile& profile) {
  const Region* program = program_region(profile);
  std::pair<std::uint64_t, std::string> most{0, ""};
  for (const Precision precision :
       {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
    const std::uint64_t flops =
        program != nullptr ? program->flops.total(precision).value_or(0) : 0;
    if (flops > most.first) {
      most = {flops, std::string(to_string(precision))};
    }
  }
  return most.second;
}

/// All work in the best mix: what is compared where the pipes of one side are not known.
Work best_mix(const Work& work) {
  constexpr unsigned kBits = 512;
  Work best;
  for (const WorkTerm& term : work.terms) {
    best.add(term.precision, OperationKind::fma, kBits, term.flops);
  }
  return best;
}

struct Roof {
  Bound bound;
  double seconds = 0.0;
};

std::optional<Roof> timed_roof_of(const Region& region, const Machine& machine,
                                  const Microarchitecture* pipes,
                                  std::vector<Note>* notes = nullptr) {
  const auto axis = axis_of(region, machine);
  RegionPrediction prediction = roof_of(region, machine, pipes).prediction;
  if (notes != nullptr) {
    for (Note& note : prediction.notes) {
      if (note.code == "nearest-ceiling" || note.code == "no-ceiling" ||
          note.code == "threads-not-measured") {
        add_note(*notes, std::move(note.code), std::move(note.text));
      }
    }
  }
  if (!axis || !prediction.code || !(prediction.code->attainable > 0.0)) {
    return std::nullopt;
  }
  prediction.code->fraction.reset();
  return Roof{*prediction.code, axis->amount / prediction.code->attainable};
}

/// One machine, with what every region needs of it.
class Projector {
 public:
  Projector(const Profile& profile, const Microarchitecture* here, const ProjectionTarget& target,
            const ProjectionChoices& choices)
      : profile_(profile),
        here_(here),
        target_(target),
        choices_(choices),
        measured_(target.machine.measured ? &*target.machine.measured : nullptr) {
    choose_traffic();
    most_threads_ = 1;
    for (const Region& region : profile.regions) {
      most_threads_ = std::max(most_threads_, seconds_of(region) > 0.0 ? region.threads : 1U);
    }
    const Ceiling* one =
        find_bandwidth(profile.machine, {memory_of(profile.machine), Pattern::load, kWidestIsa, 1})
            .ceiling;
    if (one != nullptr && one->threads == 1) {
      memory_per_core_ = p90_of(one->value);
    }
  }

  MachineProjection run() {
    out_.machine = target_.machine.figures.key;
    out_.name = target_.machine.figures.name;
    out_.published = measured_ == nullptr;
    for (const Region& region : profile_.regions) {
      if (region.kind != RegionKind::program && seconds_of(region) > 0.0) {
        out_.regions.push_back(project(region));
      }
    }
    add_up();
    describe();
    return std::move(out_);
  }

 private:
  /// Of which caches the traffic is that is used: theirs if it was simulated.
  void choose_traffic() {
    const auto here = shared_by_cores(profile_.machine.caches);
    std::vector<Cache> there;
    if (measured_ != nullptr) {
      there = shared_by_cores(measured_->caches);
    } else if (target_.caches) {
      there = target_.caches->caches;
    }
    if (there.empty()) {
      return;
    }
    simulated_ = same_caches(here, there);
    for (const CachesElsewhere& caches : profile_.caches_elsewhere) {
      if (!simulated_ && same_caches(caches.caches, there)) {
        simulated_ = true;
        elsewhere_ = &caches;
      }
    }
  }

  [[nodiscard]] bool is_cpu() const { return target_.machine.figures.kind == MachineKind::cpu; }

  [[nodiscard]] unsigned cores_for(const Region& region) const {
    if (!is_cpu()) {
      return 1;
    }
    const bool widest = region.threads >= most_threads_;
    const unsigned wanted = choices_.cores && widest ? *choices_.cores : region.threads;
    const auto& known = target_.machine.figures.cores;
    const unsigned there =
        known ? std::max(1U, static_cast<unsigned>(known->value)) : std::max(1U, wanted);
    return measured_ != nullptr ? std::max(1U, wanted) : std::clamp(wanted, 1U, there);
  }

  /// Of the caches there where it was simulated for them, else of those here.
  [[nodiscard]] std::pair<const TrafficByLevel&, std::string> traffic_of(
      const Region& region) const {
    if (elsewhere_ != nullptr) {
      const auto found = region.traffic_elsewhere.find(elsewhere_->name);
      if (found != region.traffic_elsewhere.end()) {
        return {found->second, elsewhere_->memory};
      }
    }
    return {region.traffic, memory_of(profile_.machine)};
  }

  [[nodiscard]] Region region_there(const Region& region, unsigned cores,
                                    const std::string& memory) const {
    Region there = region;
    there.threads = cores;
    there.traffic.clear();
    const auto [levels, own_memory] = traffic_of(region);
    for (const auto& [level, traffic] : levels) {
      there.traffic[level == own_memory ? memory : level] = traffic;
    }
    if (const auto l1 = region.traffic.find("L1"); l1 != region.traffic.end()) {
      there.traffic["L1"] = l1->second;
    }
    return there;
  }

  [[nodiscard]] bool is_simulated(const Region& region) const {
    return simulated_ &&
           (elsewhere_ == nullptr || region.traffic_elsewhere.contains(elsewhere_->name));
  }

  /// The machine there with so many cores; a victim cache counts as one where the traffic is its.
  const Machine& machine_there(unsigned cores) {
    const auto [entry, is_new] = machines_.try_emplace(cores);
    if (is_new) {
      entry->second = measured_ != nullptr
                          ? *measured_
                          : published_machine(target_.machine, target_.caches,
                                              {cores, choices_.basis, memory_per_core_});
      if (!simulated_) {
        entry->second.caches = profile_.machine.caches;
      }
    }
    return entry->second;
  }

  [[nodiscard]] std::optional<std::string> missing_peak(const Region& region,
                                                        const Machine& machine) const {
    for (const WorkTerm& term : region.flops.terms) {
      const std::string_view precision = to_string(term.precision);
      if (term.flops > 0 && fastest_mix(machine, precision, machine.topology.cores) == nullptr) {
        return fmt::format("no {} peak known", precision);
      }
    }
    return std::nullopt;
  }

  ProjectedRegion project(const Region& region) {
    ProjectedRegion result;
    result.region = region.id;
    result.cores = cores_for(region);
    const Machine& machine = machine_there(result.cores);
    result.missing = missing_peak(region, machine);
    if (result.missing) {
      return result;
    }
    const std::string memory = memory_of(machine);
    Region there = region_there(region, result.cores, memory);
    Region here = region;
    const Microarchitecture* pipes =
        target_.machine.microarchitecture ? &*target_.machine.microarchitecture : nullptr;
    if (pipes == nullptr && measured_ == nullptr) {
      there.flops = best_mix(region.flops);
      here.flops = there.flops;
    }
    result.simulated = is_simulated(region);
    const auto roof = timed_roof_of(there, machine, pipes, &result.notes);
    if (!roof) {
      result.missing = "no work, or no rate for it";
      return result;
    }
    result.bound = roof->bound;
    result.ideal_seconds = roof->seconds;
    const double flops = static_cast<double>(region.flops.total());
    const auto traffic = there.traffic.find(memory);
    if (traffic != there.traffic.end() && traffic->second.total() > 0 && flops > 0.0) {
      result.intensity = flops / static_cast<double>(traffic->second.total());
    }
    calibrate(here, there, pipes, machine, result);
    return result;
  }

  /// Pipes count where they are known on both machines.
  void calibrate(const Region& here, const Region& there, const Microarchitecture* pipes,
                 const Machine& machine, ProjectedRegion& result) const {
    const Machine& own = profile_.machine;
    const bool both = pipes != nullptr && here_ != nullptr;
    const auto common_here =
        timed_roof_of(here, with_levels(own, common_levels(own, machine, memory_of(own))),
                      both ? here_ : nullptr);
    const auto common_there =
        timed_roof_of(there, with_levels(machine, common_levels(own, machine, memory_of(machine))),
                      both ? pipes : nullptr);
    if (!common_here || !common_there) {
      return;
    }
    result.fraction = common_here->seconds / seconds_of(here);
    result.seconds = seconds_of(here) * common_there->seconds / common_here->seconds;
    if (*result.fraction > 1.0) {
      add_note(result.notes, "above-roof-here",
               "it runs above its roof here, so the calibrated time is shorter than what the rates "
               "there allow");
    }
  }

  /// By the shares that regions have in the measured time; what is not projected lasts as long.
  void add_up() {
    double all = 0.0;
    double projected = 0.0;
    double ideal = 0.0;
    double calibrated = 0.0;
    bool simulated = true;
    for (const ProjectedRegion& region : out_.regions) {
      const double seconds = seconds_of(*find(region.region));
      const bool known = region.ideal_seconds && region.seconds;
      all += seconds;
      projected += known ? seconds : 0.0;
      ideal += known ? *region.ideal_seconds : seconds;
      calibrated += known ? *region.seconds : seconds;
      simulated = simulated && (region.simulated || !known);
    }
    const double wall = profile_.program.wall_seconds.value();
    out_.projected_share = all > 0.0 ? projected / all : 0.0;
    out_.simulated = simulated && projected > 0.0;
    if (projected > 0.0) {
      out_.ideal_seconds = wall * ideal / all;
      out_.seconds = wall * calibrated / all;
    }
  }

  [[nodiscard]] const Region* find(std::uint32_t id) const {
    const auto found = std::find_if(profile_.regions.begin(), profile_.regions.end(),
                                    [&](const Region& region) { return region.id == id; });
    return &*found;
  }

  void describe() {
    unsigned cores = 1;
    for (const ProjectedRegion& region : out_.regions) {
      cores = std::max(cores, region.cores);
    }
    const Machine& machine = machine_there(cores);
    out_.memory = memory_of(machine);
    if (const Ceiling* peak = fastest_mix(machine, main_precision(profile_), cores)) {
      out_.flops_per_second = p90_of(peak->value);
    }
    if (const Ceiling* load =
            find_bandwidth(machine, {out_.memory, Pattern::load, kWidestIsa, cores}).ceiling) {
      out_.bytes_per_second = p90_of(load->traffic_value.value_or(load->value));
    }
    for (const std::string& change : target_.machine.changes) {
      add_note(out_.notes, "what-if", fmt::format("what if {}", change));
    }
    note_traffic();
    note_cores(cores);
    note_levels(machine);
  }

  void note_traffic() {
    if (!out_.simulated) {
      add_note(out_.notes, "traffic-of-this-machine",
               std::string("the traffic is that of the caches that the program ran on") +
                   (target_.caches ? ": `ridge run --also MACHINE` simulates theirs" : ""));
    }
  }

  void note_cores(unsigned cores) {
    const auto& known = target_.machine.figures.cores;
    if (choices_.cores && is_cpu() && known && *choices_.cores > known->value) {
      add_note(out_.notes, "fewer-cores",
               fmt::format("it has {:g} cores, not {}", known->value, *choices_.cores));
    }
    if (!is_cpu()) {
      add_note(out_.notes, "whole-device", "every loop runs on the whole device");
    }
    const bool capped = measured_ == nullptr && is_cpu() && memory_per_core_ &&
                        out_.bytes_per_second &&
                        *out_.bytes_per_second >= *memory_per_core_ * cores * 0.999;
    if (capped) {
      add_note(
          out_.notes, "memory-per-core",
          fmt::format("{} of its cores are taken to draw no more from memory than as many here "
                      "({:.3g} GB/s each)",
                      cores, *memory_per_core_ / 1e9));
    }
  }

  void note_levels(const Machine& machine) {
    std::string unknown;
    const auto known = bounded_levels(machine);
    for (const std::string& level : bounded_levels(profile_.machine)) {
      if (!known.contains(level) && !is_memory_level(level)) {
        unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", level);
      }
    }
    if (!unknown.empty()) {
      add_note(out_.notes, "levels-unknown",
               fmt::format("no bandwidth is known there that stands for that of {} here: it does "
                           "not bind",
                           unknown));
    }
  }

  const Profile& profile_;
  const Microarchitecture* here_;
  const ProjectionTarget& target_;
  const ProjectionChoices& choices_;
  const Machine* measured_;
  bool simulated_ = false;
  const CachesElsewhere* elsewhere_ = nullptr;  ///< null: the traffic of this machine
  unsigned most_threads_ = 1;
  std::optional<double> memory_per_core_;
  std::map<unsigned, Machine> machines_;
  MachineProjection out_;
};

std::vector<std::string> assumptions_of(const Projection& projection,
                                        const ProjectionChoices& choices) {
  std::vector<std::string> all{
      "the same instructions as compiled here: work and registers-L1 traffic do not change",
      "ideal: every loop reaches its roof there; calibrated: it stays as far from the roof as "
      "here, "
      "by the resources whose rates are known on both machines"};
  all.push_back(
      choices.cores
          ? fmt::format("loops that had most threads here run on {} cores, evenly; others "
                        "on as many cores as they had threads",
                        *choices.cores)
          : std::string("every loop runs on as many cores as it had threads here"));
  all.emplace_back(
      "what has no bound (libraries, waiting, unattributed time) lasts as long as here");
  const auto& machines = projection.machines;
  if (std::any_of(machines.begin(), machines.end(), [](const auto& m) { return m.published; })) {
    all.push_back(
        fmt::format("published machines: {} rates there stand against measured ones here; "
                    "the clock of a CPU falls evenly from boost with one core to base with "
                    "all; one socket",
                    to_string(choices.basis)));
  }
  return all;
}

}  // namespace

Projection project(const Profile& profile, const Microarchitecture* microarchitecture,
                   const std::vector<ProjectionTarget>& targets, const ProjectionChoices& choices) {
  Projection projection;
  projection.seconds_here = profile.program.wall_seconds.value();
  projection.precision = main_precision(profile);
  for (const ProjectionTarget& target : targets) {
    projection.machines.push_back(Projector(profile, microarchitecture, target, choices).run());
  }
  std::stable_sort(projection.machines.begin(), projection.machines.end(),
                   [](const MachineProjection& a, const MachineProjection& b) {
                     constexpr double kUnknown = std::numeric_limits<double>::infinity();
                     return a.seconds.value_or(kUnknown) < b.seconds.value_or(kUnknown);
                   });
  projection.assumptions = assumptions_of(projection, choices);
  return projection;
}

}  // namespace ridge::predict
