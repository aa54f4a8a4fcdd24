#include "predict/compare/machines.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "predict/compare/words.hpp"
#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

ComparedCeiling::Value value_of(std::size_t machine, const Ceiling& ceiling) {
  ComparedCeiling::Value value;
  value.machine = machine;
  value.p90 = ceiling.kind == CeilingKind::latency ? low_of(ceiling.value) : p90_of(ceiling.value);
  std::visit(
      [&](const auto& estimate) {
        value.low = estimate.low.value();
        value.high = estimate.high.value();
        value.samples = estimate.samples;
      },
      ceiling.value);
  return value;
}

Verdict verdict_of(const ComparedCeiling::Value& first, const ComparedCeiling::Value& other) {
  if (first.p90 == other.p90) {
    return Verdict::same;
  }
  if (first.samples < 2 || other.samples < 2) {
    return Verdict::one_run;
  }
  return first.low <= other.high && other.low <= first.high ? Verdict::within_spread
                                                            : Verdict::changed;
}

std::optional<unsigned> known(const Machine& machine, unsigned Topology::* count) {
  return machine.topology ? std::optional((*machine.topology).*count) : std::nullopt;
}

class MachineComparer {
 public:
  explicit MachineComparer(const std::vector<MachineToCompare>& machines) : machines_(machines) {}

  MachineComparison run() {
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      describe(machines_[i]);
      add_ceilings(i);
    }
    for (ComparedCeiling& ceiling : out_.ceilings) {
      for (ComparedCeiling::Value& value : ceiling.values) {
        if (&value != &ceiling.values.front() && ceiling.values.front().p90 > 0.0) {
          value.ratio = value.p90 / ceiling.values.front().p90;
          value.verdict = verdict_of(ceiling.values.front(), value);
        }
      }
    }
    add_notes();
    summarise();
    return std::move(out_);
  }

 private:
  void describe(const MachineToCompare& from) {
    const Machine& machine = *from.machine;
    out_.machines.push_back({from.label, machine.name, machine.date, machine.host, machine.effort,
                             known(machine, &Topology::cores), known(machine, &Topology::threads)});
  }

  void add_ceilings(std::size_t index) {
    for (const Ceiling& ceiling : machines_[index].machine->ceilings) {
      const std::string unit(unit_of(ceiling.value));
      const auto known =
          std::find_if(out_.ceilings.begin(), out_.ceilings.end(), [&](const ComparedCeiling& c) {
            return c.id == ceiling.id && c.unit == unit && c.values.back().machine != index;
          });
      if (known == out_.ceilings.end()) {
        out_.ceilings.push_back({ceiling.id, unit, {value_of(index, ceiling)}});
      } else {
        known->values.push_back(value_of(index, ceiling));
      }
    }
  }

  void add_notes() {
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      const auto missing = std::count_if(
          out_.ceilings.begin(), out_.ceilings.end(), [&](const ComparedCeiling& ceiling) {
            return std::none_of(ceiling.values.begin(), ceiling.values.end(),
                                [&](const auto& value) { return value.machine == i; });
          });
      if (missing > 0) {
        out_.notes.push_back(
            {"missing", fmt::format("{} lacks {} of {} ceilings", machines_[i].label, missing,
                                    out_.ceilings.size())});
      }
      if (machines_[i].machine->incomplete) {
        out_.notes.push_back({"incomplete", fmt::format("{} was stopped before all was measured",
                                                        machines_[i].label)});
      }
    }
    const Machine& first = *machines_.front().machine;
    for (std::size_t i = 1; i < machines_.size(); ++i) {
      const Machine& other = *machines_[i].machine;
      if (first.effort != other.effort) {
        out_.notes.push_back(
            {"other-effort", fmt::format("{} was measured with --{}, {} with --{}",
                                         machines_[0].label, first.effort.value_or("standard"),
                                         machines_[i].label, other.effort.value_or("standard"))});
      }
      if (first.cpu && first.topology && first.cpu == other.cpu &&
          first.topology == other.topology) {
        out_.notes.push_back(
            {"same-processor", fmt::format("{} and {} are the same processor with as many cores",
                                           machines_[0].label, machines_[i].label)});
      }
    }
  }

  /// Of all cores: the fp64 peak, and the loads of the memory.
  static std::optional<double> peak_of(const Machine& machine) {
    const Ceiling* peak = fastest_mix(machine, "fp64", most_threads(machine));
    return peak != nullptr ? std::optional(p90_of(peak->value)) : std::nullopt;
  }
  static std::optional<double> memory_of(const Machine& machine) {
    const BandwidthKey key{memory_level(machine), Pattern::load, kWidestIsa, most_threads(machine)};
    const Ceiling* load = find_bandwidth(machine, key).ceiling;
    return load != nullptr ? std::optional(p90_of(load->value)) : std::nullopt;
  }

  static std::string part(const char* what, std::optional<double> first,
                          std::optional<double> other) {
    return first && other && *first > 0.0
               ? fmt::format(", {} {}x", what, factor_words(*other / *first))
               : fmt::format(", {} not known in both", what);
  }

  void summarise() {
    for (std::size_t i = 1; i < machines_.size(); ++i) {
      const auto common = std::count_if(
          out_.ceilings.begin(), out_.ceilings.end(), [&](const ComparedCeiling& ceiling) {
            return ceiling.values.front().machine == 0 &&
                   std::any_of(ceiling.values.begin(), ceiling.values.end(),
                               [&](const auto& value) { return value.machine == i; });
          });
      out_.summary +=
          fmt::format("{}{} against {}: {} ceilings in common{}{}", i > 1 ? "; " : "",
                      machines_[i].label, machines_[0].label, common,
                      part("fp64 peak of all cores", peak_of(*machines_[0].machine),
                           peak_of(*machines_[i].machine)),
                      part("memory loads of all cores", memory_of(*machines_[0].machine),
                           memory_of(*machines_[i].machine)));
    }
  }

  const std::vector<MachineToCompare>& machines_;
  MachineComparison out_;
};

}  // namespace

MachineComparison compare_machines(const std::vector<MachineToCompare>& machines) {
  return MachineComparer(machines).run();
}

}  // namespace ridge::predict
