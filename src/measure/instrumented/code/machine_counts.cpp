#include "measure/instrumented/code/machine_counts.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "machine_code/function.hpp"
#include "machine_code/function_ranges.hpp"
#include "measure/instrumented/code/block_work.hpp"
#include "measure/instrumented/code/class_work.hpp"
#include "measure/instrumented/code/probe_classes.hpp"

namespace ridge::measure {
namespace {

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
    const ClassName first = *classes.find(a);
    const ClassName second = *classes.find(b);
    // A function has one module; counters are numbered within theirs, whatever a damaged file says.
    if (first.module == second.module) {
      unions.unite(first, second);
    }
  }
  std::map<ClassName, ClassWork> by_class;
  for (const auto& [probe, number] : copies) {
    const auto name = classes.find(probe);
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
                   const ProbeClasses& classes, std::vector<MachineCounts>& counts) {
  std::set<std::uint32_t> counters;
  std::optional<std::size_t> module;
  for (const Probe& probe : probes) {
    const auto of_probe = classes.find(probe.name);
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
  const ProbeLookup lookup = classes.lookup();
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
      add_uncounted(range.name, inside, classes, result);
    }
  }
  give_to_counters(modules, classes, work, copies, result);
  return result;
}

}  // namespace ridge::measure
