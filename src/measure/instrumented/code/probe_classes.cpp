#include "measure/instrumented/code/probe_classes.hpp"

#include <algorithm>

namespace ridge::measure {
namespace {

bool counts_executions(const Descriptor& descriptor, const std::vector<std::uint32_t>& counters) {
  return std::any_of(counters.begin(), counters.end(), [&](std::uint32_t index) {
    return descriptor.counter(index).counts == RIDGE_COUNTS_EXECUTIONS;
  });
}

}  // namespace

ProbeClasses::ProbeClasses(const std::vector<Descriptor>& modules) : modules_(&modules) {
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

std::optional<std::uint32_t> ProbeClasses::class_word(const ProbeName& probe) const {
  const auto found = functions_.find(probe.function);
  return found == functions_.end() ? std::nullopt
                                   : (*modules_)[found->second.module].execution_class(
                                         found->second.function, probe.number);
}

std::optional<ClassName> ProbeClasses::find(const ProbeName& probe) const {
  const auto word = class_word(probe);
  return word ? std::optional(ClassName{functions_.at(probe.function).module,
                                        *word & ~RIDGE_PROBE_BEHIND_CALL})
              : std::nullopt;
}

ProbeFacts ProbeClasses::facts(const ProbeName& probe) const {
  const auto name = find(probe);
  if (!name) {
    return {};
  }
  const bool behind_call = (*class_word(probe) & RIDGE_PROBE_BEHIND_CALL) != 0;
  if (name->number == 0) {
    return {ProbeCount::uncounted, behind_call};
  }
  const auto found = counters_.find(*name);
  const bool is_counted =
      found != counters_.end() && counts_executions((*modules_)[name->module], found->second);
  return {is_counted ? ProbeCount::counted : ProbeCount::unknown, behind_call};
}

ProbeLookup ProbeClasses::lookup() const {
  return [this](const ProbeName& probe) { return facts(probe); };
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

}  // namespace ridge::measure
