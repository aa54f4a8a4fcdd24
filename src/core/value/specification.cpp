#include "core/value/specification.hpp"

#include <algorithm>

namespace ridge {
namespace {

template <class Published, class Wanted>
const Published* highest(const std::vector<Published>& all, Wanted wanted) {
  const Published* best = nullptr;
  for (const Published& one : all) {
    if (wanted(one) && (best == nullptr || best->figure.value < one.figure.value)) {
      best = &one;
    }
  }
  return best;
}

}  // namespace

std::string_view to_string(MachineKind kind) {
  switch (kind) {
    case MachineKind::cpu:
      return "cpu";
    case MachineKind::gpu:
      return "gpu";
    case MachineKind::accelerator:
      break;
  }
  return "accelerator";
}

std::string_view to_string(Pipes pipes) {
  return pipes == Pipes::vector ? "vector" : "matrix";
}

std::string_view to_string(Basis basis) {
  switch (basis) {
    case Basis::theoretical:
      return "theoretical";
    case Basis::sustained:
      return "sustained";
    case Basis::achieved:
      break;
  }
  return "achieved";
}

std::string_view to_string(Lack lack) {
  switch (lack) {
    case Lack::sustained_bandwidth:
      return "sustained-bandwidth";
    case Lack::latency:
      return "latency";
    case Lack::one_core_bandwidth:
      return "one-core-bandwidth";
    case Lack::cache_bandwidth:
      return "cache-bandwidth";
    case Lack::microarchitecture:
      return "microarchitecture";
    case Lack::launch_latency:
      return "launch-latency";
    case Lack::host_link:
      return "host-link";
    case Lack::design_power:
      break;
  }
  return "design-power";
}

std::string_view rate_unit(std::string_view precision) {
  return precision.starts_with("int") ? "op/s" : "flop/s";
}

const PublishedPeak* highest_peak(const Specification& machine, std::string_view precision,
                                  Pipes pipes, Basis basis) {
  return highest(machine.peaks, [&](const PublishedPeak& peak) {
    return peak.precision == precision && peak.pipes == pipes && peak.basis == basis;
  });
}

const PublishedBandwidth* highest_bandwidth(const Specification& machine, Level level,
                                            Basis basis) {
  return highest(machine.bandwidths, [&](const PublishedBandwidth& bandwidth) {
    return bandwidth.level == level && bandwidth.basis == basis && !bandwidth.cores;
  });
}

const PublishedBandwidth* one_core_bandwidth(const Specification& machine, Level level) {
  return highest(machine.bandwidths, [&](const PublishedBandwidth& bandwidth) {
    return bandwidth.level == level && bandwidth.cores == 1U;
  });
}

const PublishedLatency* latency_of(const Specification& machine, Level level) {
  const auto found =
      std::find_if(machine.latencies.begin(), machine.latencies.end(),
                   [&](const PublishedLatency& latency) { return latency.level == level; });
  return found != machine.latencies.end() ? &*found : nullptr;
}

std::optional<Level> main_memory(const Specification& machine) {
  const PublishedBandwidth* best =
      highest(machine.bandwidths, [](const PublishedBandwidth& bandwidth) {
        return is_memory_level(bandwidth.level) && !bandwidth.cores &&
               bandwidth.basis != Basis::achieved;
      });
  return best != nullptr ? std::optional(best->level) : std::nullopt;
}

const PublishedBandwidth* main_memory_bandwidth(const Specification& machine, Basis basis) {
  const auto memory = main_memory(machine);
  return memory ? highest_bandwidth(machine, *memory, basis) : nullptr;
}

std::optional<double> ridge_point(const Specification& machine, std::string_view precision,
                                  Pipes pipes, Basis basis) {
  const PublishedPeak* peak = highest_peak(machine, precision, pipes, basis);
  const PublishedBandwidth* bandwidth = main_memory_bandwidth(machine, basis);
  if (peak == nullptr || bandwidth == nullptr) {
    return std::nullopt;
  }
  return peak->figure.value / bandwidth->figure.value;
}

std::vector<RidgePoint> ridge_points(const Specification& machine) {
  std::vector<RidgePoint> points;
  const auto memory = main_memory(machine);
  if (!memory) {
    return points;
  }
  for (const PublishedPeak& peak : machine.peaks) {
    const auto intensity = ridge_point(machine, peak.precision, peak.pipes, peak.basis);
    if (intensity && highest_peak(machine, peak.precision, peak.pipes, peak.basis) == &peak) {
      points.push_back({peak.precision, peak.pipes, peak.basis, *memory, *intensity});
    }
  }
  return points;
}

std::vector<BytesInFlight> bytes_in_flight(const Specification& machine) {
  std::vector<BytesInFlight> all;
  for (const PublishedLatency& latency : machine.latencies) {
    const PublishedBandwidth* alone = one_core_bandwidth(machine, latency.level);
    for (const Basis basis : {Basis::theoretical, Basis::sustained}) {
      const PublishedBandwidth* bandwidth = highest_bandwidth(machine, latency.level, basis);
      if (bandwidth == nullptr) {
        continue;
      }
      BytesInFlight entry{latency.level, basis, latency.figure.value, bandwidth->figure.value};
      entry.bytes = entry.latency * entry.bandwidth;
      if (machine.cores) {
        entry.per_core = entry.bytes / machine.cores->value;
      }
      if (alone != nullptr) {
        entry.one_core = entry.latency * alone->figure.value;
      }
      if (machine.line_size) {
        entry.line_size = machine.line_size->value;
      }
      all.push_back(entry);
    }
  }
  return all;
}

std::vector<Lack> lacks(const Specification& machine) {
  const bool cpu = machine.kind == MachineKind::cpu;
  const auto memory = main_memory(machine);
  // What is known of a core, its loads from the caches with it, serves every part that has it.
  const bool cache_rates =
      machine.microarchitecture ||
      std::any_of(machine.bandwidths.begin(), machine.bandwidths.end(),
                  [](const PublishedBandwidth& bandwidth) {
                    return !is_memory_level(bandwidth.level) && bandwidth.basis != Basis::achieved;
                  });
  std::vector<Lack> result;
  const auto note = [&](bool missing, Lack lack) {
    if (missing) {
      result.push_back(lack);
    }
  };
  note(main_memory_bandwidth(machine, Basis::sustained) == nullptr, Lack::sustained_bandwidth);
  note(!memory || latency_of(machine, *memory) == nullptr, Lack::latency);
  note(cpu && (!memory || one_core_bandwidth(machine, *memory) == nullptr),
       Lack::one_core_bandwidth);
  note(!cache_rates, Lack::cache_bandwidth);
  note(cpu && !machine.microarchitecture, Lack::microarchitecture);
  note(machine.kind == MachineKind::gpu && !machine.launch_latency, Lack::launch_latency);
  note(!cpu && machine.links.empty(), Lack::host_link);
  note(!machine.thermal_design_power, Lack::design_power);
  return result;
}

}  // namespace ridge
