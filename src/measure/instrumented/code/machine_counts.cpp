#include "measure/instrumented/code/machine_counts.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "machine_code/function.hpp"
#include "machine_code/function_ranges.hpp"
#include "measure/instrumented/code/block_work.hpp"
#include "measure/instrumented/code/class_work.hpp"

namespace ridge::measure {
namespace {

/// An execution class of one of the modules.
struct ClassName {
  std::size_t module = 0;
  std::uint32_t number = 0;  ///< 0: code without work of the program

  friend auto operator<=>(const ClassName&, const ClassName&) = default;
};

/// What the descriptors say of probes.
class ProbeClasses {
 public:
  explicit ProbeClasses(const std::vector<Descriptor>& modules) {
    for (std::size_t m = 0; m < modules.size(); ++m) {
      const auto& header = modules[m].header();
      for (std::uint32_t f = 0; f < header.probed_function_count; ++f) {
        functions_.try_emplace(modules[m].probed_function(f).id, Probed{m, f});
      }
      for (std::uint32_t c = 0; c < header.counter_count; ++c) {
        const auto counter = modules[m].counter(c);
        if (counter.execution_class != 0) {
          counters_[{m, counter.execution_class}].push_back(c);
        }
      }
    }
  }

  /// nullopt for a probe that no descriptor names.
  [[nodiscard]] std::optional<ClassName> find(const std::vector<Descriptor>& modules,
                                              const ProbeName& probe) const {
    const auto found = functions_.find(probe.function);
    if (found == functions_.end()) {
      return std::nullopt;
    }
    const auto& [module, function] = found->second;
    const auto number = modules[module].execution_class(function, probe.number);
    return number ? std::optional(ClassName{module, *number & ~RIDGE_PROBE_BEHIND_CALL})
                  : std::nullopt;
  }

  [[nodiscard]] bool is_behind_call(const std::vector<Descriptor>& modules,
                                    const ProbeName& probe) const {
    const auto& [module, function] = functions_.at(probe.function);
    const auto number = modules[module].execution_class(function, probe.number);
    return number && (*number & RIDGE_PROBE_BEHIND_CALL) != 0;
  }

  [[nodiscard]] const std::map<ClassName, std::vector<std::uint32_t>>& counters() const {
    return counters_;
  }

 private:
  struct Probed {
    std::size_t module = 0;
    std::uint32_t function = 0;
  };
  std::unordered_map<std::uint64_t, Probed> functions_;
  std::map<ClassName, std::vector<std::uint32_t>> counters_;
};

bool counts_executions(const Descriptor& descriptor, const std::vector<std::uint32_t>& counters) {
  return std::any_of(counters.begin(), counters.end(), [&](std::uint32_t index) {
    return descriptor.counter(index).counts == RIDGE_COUNTS_EXECUTIONS;
  });
}

/// The classes that can be tied: those with a counter of executions.
ProbeLookup lookup_in(const std::vector<Descriptor>& modules, const ProbeClasses& classes) {
  return [&modules, &classes](const ProbeName& probe) {
    const auto name = classes.find(modules, probe);
    if (!name) {
      return ProbeFacts{};
    }
    const bool behind_call = classes.is_behind_call(modules, probe);
    if (name->number == 0) {
      return ProbeFacts{ProbeCount::uncounted, behind_call};
    }
    const auto found = classes.counters().find(*name);
    const bool is_counted = found != classes.counters().end() &&
                            counts_executions(modules[name->module], found->second);
    return ProbeFacts{is_counted ? ProbeCount::counted : ProbeCount::unknown, behind_call};
  };
}

std::map<ProbeName, unsigned> copies_of(const std::vector<Probe>& probes) {
  std::map<ProbeName, unsigned> copies;
  for (const Probe& probe : probes) {
    ++copies[probe.name];
  }
  return copies;
}

std::span<const Probe> probes_in(const std::vector<Probe>& probes, std::uint64_t begin,
                                 std::uint64_t end) {
  const auto before = [](const Probe& probe, std::uint64_t address) {
    return probe.address < address;
  };
  const auto first = std::lower_bound(probes.begin(), probes.end(), begin, before);
  const auto last = std::lower_bound(first, probes.end(), end, before);
  return {first, last};
}

/// Sets of classes that ran equally often, each by its first.
class Unions {
 public:
  ClassName find(ClassName name) {
    for (auto above = above_.find(name); above != above_.end(); above = above_.find(name)) {
      name = above->second;
    }
    return name;
  }
  void unite(ClassName a, ClassName b) {
    a = find(a);
    b = find(b);
    if (a != b) {
      above_[std::max(a, b)] = std::min(a, b);
    }
  }

 private:
  std::map<ClassName, ClassName> above_;
};

/// Of all copies of a probe together, per passing.
WorkRange work_of_copies(const std::vector<WorkRange>& blocks, unsigned copies) {
  WorkRange all = blocks.front();
  for (const WorkRange& block : blocks) {
    all.widen(block);
  }
  if (blocks.size() < copies) {
    all.widen({});  // other copies are counted by another probe
  }
  return all;
}

struct ClassWork {
  WorkRange work;
  std::vector<std::uint32_t> counters;
};

/// Classes whose machine code is in the file, also those that do nothing any more.
void give_to_counters(const std::vector<Descriptor>& modules, const ProbeClasses& classes,
                      const WorkByProbe& work, const std::map<ProbeName, unsigned>& copies,
                      std::vector<MachineCounts>& counts) {
  Unions unions;
  for (const auto& [a, b] : work.together) {
    const ClassName first = *classes.find(modules, a);
    const ClassName second = *classes.find(modules, b);
    // A function has one module; counters are numbered within theirs, whatever a damaged file says.
    if (first.module == second.module) {
      unions.unite(first, second);
    }
  }
  std::map<ClassName, ClassWork> by_class;
  for (const auto& [probe, number] : copies) {
    const auto name = classes.find(modules, probe);
    if (!name || !classes.counters().contains(*name)) {
      continue;
    }
    ClassWork& of_class = by_class[unions.find(*name)];
    const auto blocks = work.blocks.find(probe);
    if (blocks != work.blocks.end()) {
      of_class.work += work_of_copies(blocks->second, number);
    }
    const std::vector<std::uint32_t>& indices = classes.counters().at(*name);
    if (std::find(of_class.counters.begin(), of_class.counters.end(), indices.front()) ==
        of_class.counters.end()) {
      of_class.counters.insert(of_class.counters.end(), indices.begin(), indices.end());
    }
  }
  for (const auto& [name, of_class] : by_class) {
    add_class_work(modules[name.module], of_class.counters, of_class.work,
                   counts[name.module].counters);
  }
}

/// All of its probes are of one module. A function without a counter never says that it ran.
void add_uncounted(std::string_view name, std::span<const Probe> probes,
                   const std::vector<Descriptor>& modules, const ProbeClasses& classes,
                   std::vector<MachineCounts>& counts) {
  std::set<std::uint32_t> counters;
  std::optional<std::size_t> module;
  for (const Probe& probe : probes) {
    const auto of_probe = classes.find(modules, probe.name);
    const auto found = of_probe ? classes.counters().find(*of_probe) : classes.counters().end();
    if (found != classes.counters().end() &&
        module.value_or(of_probe->module) == of_probe->module) {
      module = of_probe->module;
      counters.insert(found->second.begin(), found->second.end());
    }
  }
  if (module) {
    counts[*module].uncounted.push_back(
        {std::string(name), std::vector(counters.begin(), counters.end())});
  }
}

}  // namespace

Result<std::vector<MachineCounts>> machine_counts(const machine_code::ElfImage& image,
                                                  const std::vector<Descriptor>& modules) {
  std::vector<MachineCounts> result(modules.size());
  const auto probes = read_probes(image);
  if (!probes) {
    return tl::make_unexpected(probes.error());
  }
  const auto ranges = machine_code::function_ranges(image);
  if (!ranges) {
    return tl::make_unexpected(ranges.error());
  }
  const ProbeClasses classes(modules);
  const ProbeLookup lookup = lookup_in(modules, classes);
  const auto copies = copies_of(*probes);
  const MathCalls math_calls(image);
  WorkByProbe work;
  for (const machine_code::FunctionRange& range : *ranges) {
    const auto inside = probes_in(*probes, range.begin, range.end);
    if (inside.empty()) {
      continue;
    }
    const auto function = machine_code::read_function(image, range);
    if (!function) {
      return tl::make_unexpected(function.error());
    }
    if (!add_block_work(*function, inside, lookup, copies, math_calls, work)) {
      add_uncounted(range.name, inside, modules, classes, result);
    }
  }
  give_to_counters(modules, classes, work, copies, result);
  return result;
}

}  // namespace ridge::measure
