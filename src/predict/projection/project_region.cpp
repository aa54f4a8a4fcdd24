#include "predict/projection/project_region.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "predict/projection/common_levels.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/memory.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

/// All work in the best mix: what is compared where the pipes of one side are not known.
Work best_mix(const Work& work) {
  constexpr unsigned kBits = 512;
  Work best;
  for (const WorkTerm& term : work.terms) {
    best.add(term.precision, OperationKind::fma, kBits, term.flops);
  }
  return best;
}

/// The region on both machines, its work in the form in which it can be compared.
struct OnBothMachines {
  Region here;
  Region there;
};

OnBothMachines on_both(const Region& region, const TrafficSource& traffic, unsigned cores,
                       const RatedMachine& there) {
  OnBothMachines both{region, region_there(region, traffic, cores, memory_level(there.machine))};
  if (there.pipes == nullptr && there.published) {
    both.there.flops = best_mix(known_work(region));
    both.here.flops = both.there.flops;
  }
  return both;
}

struct TimedRoof {
  std::optional<Bound> bound;  ///< without a fraction; absent: no work, or no rate for it
  double seconds = 0.0;        ///< at the bound
  std::vector<Note> notes;     ///< how well the ceilings fit
};

TimedRoof timed_roof_of(const Region& region, const Machine& machine,
                        const Microarchitecture* pipes) {
  TimedRoof roof;
  const auto axis = axis_of(region, machine);
  RegionPrediction prediction = roof_of(region, machine, pipes).prediction;
  for (Note& note : prediction.notes) {
    if (note.code == "nearest-ceiling" || note.code == "no-ceiling" ||
        note.code == "threads-not-measured") {
      add_note(roof.notes, std::move(note.code), std::move(note.text));
    }
  }
  if (axis && prediction.code && prediction.code->attainable > 0.0) {
    roof.bound = *prediction.code;
    roof.bound->fraction.reset();
    roof.seconds = axis->amount / prediction.code->attainable;
  }
  return roof;
}

std::optional<std::string> missing_peak(const Region& region, const Machine& machine) {
  const unsigned cores = machine.topology ? machine.topology->cores : most_threads(machine);
  for (const WorkTerm& term : known_work(region).terms) {
    const std::string_view precision = to_string(term.precision);
    if (term.flops > 0 && fastest_mix(machine, precision, cores) == nullptr) {
      return fmt::format("no {} peak known", precision);
    }
  }
  return std::nullopt;
}

/// flop/byte at a level; nullopt without work or traffic.
std::optional<double> intensity_at(Level level, const TrafficByLevel& traffic, const Work& work) {
  const auto flops = static_cast<double>(work.total());
  const auto found = traffic.find(level);
  if (found == traffic.end() || found->second.total() == 0 || !(flops > 0.0)) {
    return std::nullopt;
  }
  return flops / static_cast<double>(found->second.total());
}

/// Time at the roof of the resources whose rates are known on both machines, s.
struct CommonTimes {
  double here = 0.0;
  double there = 0.0;
};

/// Pipes count where they are known on both machines. nullopt without such a roof.
std::optional<CommonTimes> common_times(const OnBothMachines& both, const RatedMachine& here,
                                        const RatedMachine& there) {
  const auto roof_with_common = [&](const Region& region, const RatedMachine& rated) {
    const auto levels = common_levels(here.machine, there.machine, memory_level(rated.machine));
    const bool pipes_known = here.pipes != nullptr && there.pipes != nullptr;
    return timed_roof_of(region, with_levels(rated.machine, levels),
                         pipes_known ? rated.pipes : nullptr);
  };
  const TimedRoof roof_here = roof_with_common(both.here, here);
  const TimedRoof roof_there = roof_with_common(both.there, there);
  if (!roof_here.bound || !roof_there.bound) {
    return std::nullopt;
  }
  return CommonTimes{roof_here.seconds, roof_there.seconds};
}

/// nullopt: not counted. Threads enter a loop side by side.
std::optional<double> entries_of_a_thread(const Region& region) {
  if (!region.entries) {
    return std::nullopt;
  }
  return static_cast<double>(*region.entries) / std::max(1U, region.threads);
}

/// The slowest limit with what each entry pays beside it binds: `roof` becomes that, if it is
/// longer. Returns by how much, s. `asked`: the region as it is there.
double add_latencies(TimedRoof& roof, const Region& region, const Region& asked,
                     const RatedMachine& there, const Latencies& latencies) {
  const auto choice = choose_threads(there.machine, asked.threads);
  const auto axis = axis_of(asked, there.machine);
  if (latencies.empty() || !choice || !axis) {
    return 0.0;
  }
  const double before = roof.seconds;
  std::vector<Note> unused;
  for (const Limit& limit : code_limits(asked, there.machine, there.pipes, choice->used, unused)) {
    const auto latency = latencies.find(limit.level ? to_string(*limit.level) : "compute");
    const double seconds =
        limit.seconds +
        (latency != latencies.end() ? latency->second * *entries_of_a_thread(region) : 0.0);
    if (seconds > roof.seconds) {
      roof.seconds = seconds;
      roof.bound = Bound{limit.ceiling, axis->unit, axis->amount / seconds, {}, {}, {}};
    }
  }
  return roof.seconds - before;
}

}  // namespace

double seconds_of(const Region& region) {
  return region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
}

ProjectedRegion project_region(const Region& region, const TrafficSource& traffic, unsigned cores,
                               const RatedMachine& here, const RatedMachine& there,
                               const Latencies& latencies) {
  ProjectedRegion result{.region = region.id, .cores = cores};
  result.missing = missing_peak(region, there.machine);
  if (!result.missing && !latencies.empty() && !entries_of_a_thread(region)) {
    result.missing = "nobody counted how often it is entered, and each entry pays the --latency";
  }
  if (result.missing) {
    return result;
  }
  const OnBothMachines both = on_both(region, traffic, cores, there);
  TimedRoof roof = timed_roof_of(both.there, there.machine, there.pipes);
  result.simulated = is_simulated(region, traffic);
  result.notes = std::move(roof.notes);
  if (!roof.bound) {
    result.missing = "no work, or no rate for it";
    return result;
  }
  const double paid = add_latencies(roof, region, both.there, there, latencies);
  result.bound = roof.bound;
  result.ideal_seconds = roof.seconds;
  result.intensity =
      intensity_at(memory_level(there.machine), both.there.traffic, known_work(region));
  if (const auto common = common_times(both, here, there)) {
    result.fraction = common->here / seconds_of(region);
    result.seconds = seconds_of(region) * common->there / common->here + paid;
    result.low_seconds = std::min(*result.ideal_seconds, *result.seconds);
    result.high_seconds = std::max(*result.ideal_seconds, *result.seconds);
  }
  if (result.fraction && *result.fraction > 1.0) {
    add_note(result.notes, "above-roof-here",
             "it runs above its roof here, so the calibrated time is shorter than what the rates "
             "there allow");
  }
  return result;
}

}  // namespace ridge::predict
