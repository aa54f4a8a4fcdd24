#include "bench/notes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/ceilings.hpp"
#include "core/quantity/estimate.hpp"

namespace ridge::bench {
namespace {

constexpr double kWorthSaying = 0.03;  ///< of a clock
constexpr double kSteal = 0.005;       ///< of the time of the CPUs

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

void add_cpus(std::vector<Note>& notes, const Conditions& conditions) {
  const unsigned allowed = conditions.allowed_cpus;
  if (allowed < conditions.online_cpus) {
    notes.push_back({"restricted-affinity",
                     fmt::format("this process may use {} of the {} CPUs: \"all threads\" are {}",
                                 allowed, conditions.online_cpus, allowed)});
  }
  if (!conditions.quota || *conditions.quota >= allowed) {
    return;
  }
  if (*conditions.quota < 1.0) {
    notes.push_back(
        {"cpu-quota",
         fmt::format(
             "the control group grants {:.2f} CPUs: even one thread is stopped for {:.0f} % "
             "of the time; the rates are those of the time between",
             *conditions.quota, 100.0 * (1.0 - *conditions.quota))});
  } else {
    notes.push_back(
        {"cpu-quota", fmt::format("the control group grants {:.2f} of {} CPUs: more threads than "
                                  "that are not measured",
                                  *conditions.quota, allowed)});
  }
}

void add_steal(std::vector<Note>& notes, const Conditions& conditions) {
  const auto& before = conditions.before;
  const auto& after = conditions.after;
  if (!before || !after || after->total <= before->total || after->steal < before->steal) {
    return;
  }
  const double share = static_cast<double>(after->steal - before->steal) /
                       static_cast<double>(after->total - before->total);
  if (share >= kSteal) {
    notes.push_back(
        {"steal-time", fmt::format("the hypervisor gave {:.1f} % of the CPUs' time to other guests",
                                   100.0 * share)});
  }
}

void add_clocks(std::vector<Note>& notes, const Conditions& conditions, const Machine& machine) {
  if (conditions.clock_drift && std::abs(*conditions.clock_drift - 1.0) >= kWorthSaying) {
    notes.push_back({"clock-drift",
                     fmt::format("the clock of the cores {} by {:.0f} % while measuring: rates of "
                                 "different ceilings are not from the same clock",
                                 *conditions.clock_drift < 1.0 ? "fell" : "rose",
                                 100.0 * std::abs(*conditions.clock_drift - 1.0))});
  }
  for (const Sustained& sustained : machine.sustained) {
    const double left = sustained.clock.median.value() / sustained.clock_at_start.value();
    if (left <= 1.0 - kWorthSaying) {
      notes.push_back(
          {"power-limit",
           fmt::format("under {} on all cores the clock fell from {:.2f} to {:.2f} GHz "
                       "within {:.0f} s",
                       sustained.ceiling, sustained.clock_at_start.value() * 1e-9,
                       sustained.clock.median.value() * 1e-9, sustained.duration.value())});
    }
  }
}

void add_memory(std::vector<Note>& notes, const Conditions& conditions) {
  for (const TooLarge& level : conditions.too_large) {
    notes.push_back(
        {"memory-too-small",
         fmt::format("{} is not measured with {} thread{}: {:.0f} MB, four times the last-level "
                     "caches, are more than the free memory allows",
                     ridge::to_string(level.level), level.threads, level.threads == 1 ? "" : "s",
                     static_cast<double>(level.bytes) * 1e-6)});
  }
  if (conditions.node_error) {
    notes.push_back({"numa-incomplete", *conditions.node_error});
  }
  if (!conditions.huge_pages) {
    notes.push_back({"no-huge-pages",
                     "the system gives no huge pages: beyond L2 the time to find pages is part of "
                     "what was measured"});
  }
}

void add_knowledge(std::vector<Note>& notes, const Conditions& conditions, const Machine& machine) {
  if (!conditions.theory) {
    const CpuIdentity cpu = machine.cpu.value_or(CpuIdentity{});
    notes.push_back({"unknown-cpu",
                     fmt::format("nothing is known of the limits of this CPU ({} family {} model "
                                 "{}): percentages of theory are missing",
                                 cpu.vendor, cpu.family, cpu.model)});
  }
  if (!conditions.sysfs) {
    notes.push_back({"no-sysfs",
                     "/sys cannot be read: caches and cores are what the CPU says of itself, or "
                     "not known"});
  }
}

/// "5 ceilings (a, b, c and 2 more)".
std::string named(std::vector<std::string> ids) {
  constexpr std::size_t kNamed = 3;
  const std::size_t count = ids.size();
  const std::size_t more = count - std::min(count, kNamed);
  ids.resize(count - more);
  return fmt::format("{} ceiling{} ({}{})", count, count == 1 ? "" : "s", fmt::join(ids, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

void add_flagged(std::vector<Note>& notes, const Machine& machine, const char* wanted,
                 const char* what) {
  std::vector<std::string> ids;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (std::find(ceiling.flags.begin(), ceiling.flags.end(), wanted) != ceiling.flags.end()) {
      ids.push_back(ceiling.id);
    }
  }
  if (!ids.empty()) {
    notes.push_back({wanted, fmt::format("{}: {}", named(std::move(ids)), what)});
  }
}

/// What other programs did to the measurement as a whole.
void add_others(std::vector<Note>& notes, const Conditions& conditions) {
  if (!conditions.waited.quiet) {
    notes.push_back(
        {"busy-machine",
         fmt::format("other programs kept {:.1f} of {} CPUs busy when the measurement began, after "
                     "{:.0f} s of waiting: what they disturbed is too low",
                     conditions.waited.busy_cpus, conditions.allowed_cpus,
                     conditions.waited.time.value())});
  }
  if (!conditions.apart.empty()) {
    notes.push_back({kThreadsApart,
                     fmt::format("{}: not measured, since the threads never ran at the same time; "
                                 "other programs or guests hold a CPU: measure again without them",
                                 named(conditions.apart))});
  }
}

}  // namespace

std::optional<double> clock_drift(const std::vector<const Measured*>& rows) {
  constexpr std::size_t kEnoughSamples = 30;
  constexpr std::size_t kEnoughRows = 3;
  std::vector<double> ratios;
  for (const Measured* row : rows) {
    const auto third = static_cast<std::ptrdiff_t>(row->clocks.size() / 3);
    if (row->clocks.size() >= kEnoughSamples) {
      ratios.push_back(median({row->clocks.end() - third, row->clocks.end()}) /
                       median({row->clocks.begin(), row->clocks.begin() + third}));
    }
  }
  return ratios.size() < kEnoughRows ? std::nullopt : std::optional(median(std::move(ratios)));
}

std::vector<Note> notes_of(const Conditions& conditions, const Machine& machine) {
  std::vector<Note> notes;
  if (machine.incomplete) {
    notes.push_back({"incomplete", "stopped before everything planned was measured"});
  }
  add_others(notes, conditions);
  add_cpus(notes, conditions);
  add_steal(notes, conditions);
  add_clocks(notes, conditions, machine);
  add_memory(notes, conditions);
  add_knowledge(notes, conditions, machine);
  const std::string above = fmt::format(
      "above the theoretical limit by more than the clock is known ({:.2f} %): the "
      "limit or the clock is wrong",
      100.0 * machine.clock.uncertainty.value_or(0.0));
  add_flagged(notes, machine, flag::kAboveLimit, above.c_str());
  add_flagged(notes, machine, flag::kBimodal, "the samples gather around two rates");
  add_flagged(notes, machine, flag::kDisturbed, "not known as well as it should be");
  return notes;
}

}  // namespace ridge::bench
