#include "measure/binary/profile/timed_code.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/quantity/percent.hpp"
#include "measure/binary/profile/region_seconds.hpp"
#include "measure/code/operation_counts.hpp"

namespace ridge::measure::binary {
namespace {

/// With fewer samples one of them decides.
constexpr std::uint64_t kFewestSamples = 20;
/// What is seen less often is a sample at the edge of something.
constexpr double kWorthAWord = 0.1;

/// Of one region.
struct TimedCode {
  std::uint64_t samples = 0;
  std::uint64_t uncounted = 0;  ///< of these, in code that did not run under the engine
  std::map<Precision, std::map<unsigned, std::uint64_t>> flops_by_width;  ///< of that code
};

std::vector<std::uint64_t> samples_by_place(const SampledCode& samples) {
  std::vector<std::uint64_t> by_place(samples.places.size(), 0);
  for (const SampledMoment& moment : samples.moments) {
    by_place[moment.place] += moment.asleep ? 0 : 1;
  }
  return by_place;
}

const CodeModule* counted_module(const ProgramCode& code, const std::string& path) {
  const auto module = std::ranges::find_if(code.modules, [&](const CodeModule& one) {
    return !path.empty() && one.executed.path == path && !one.executed.instructions.empty();
  });
  return module != code.modules.end() ? &*module : nullptr;
}

/// What runs together with the instruction at `address`, once for each sample.
void add_operations(const CodeModule& module, std::uint64_t address, std::uint64_t samples,
                    TimedCode& timed) {
  for (const machine_code::Function& function : module.regions.functions) {
    const auto block = function.block_at(address);
    if (!block) {
      continue;
    }
    for (const auto& instruction : function.instructions_of(function.blocks[*block])) {
      ExecutionWork work = work_of(instruction);
      work.plain += work.masked;
      for (const auto& [key, flops] : work.plain.by_key()) {
        timed.flops_by_width[key.precision][key.width_bits] += flops * samples;
      }
    }
    return;
  }
}

std::vector<TimedCode> timed_code(const ProgramCode& code, const SampledCode& samples,
                                  CodeFiles& files) {
  std::vector<TimedCode> found(code.region_count);
  const auto by_place = samples_by_place(samples);
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    const std::string& path = samples.files[samples.places[i].file];
    const std::uint32_t region = code.region_of_place[i];
    const CodeModule* module = by_place[i] > 0 ? counted_module(code, path) : nullptr;
    const auto address = files.address_of(path, samples.places[i].offset);
    if (region == kNoRegion || module == nullptr || !address) {
      continue;
    }
    TimedCode& timed = found[region];
    timed.samples += by_place[i];
    if (module->executed.executions_at(*address) == 0) {
      timed.uncounted += by_place[i];
      add_operations(*module, *address, by_place[i], timed);
    }
  }
  return found;
}

void set_widths(Work& work, const TimedCode& timed) {
  std::map<OperationKey, std::uint64_t> terms;
  for (const WorkTerm& term : work.terms) {
    OperationKey key{term.precision, term.kind, term.width_bits};
    if (const auto widths = timed.flops_by_width.find(term.precision);
        widths != timed.flops_by_width.end()) {
      key.width_bits = std::ranges::max_element(widths->second, {}, [](const auto& width) {
                         return width.second;
                       })->first;
    }
    terms[key] += term.flops;
  }
  work.terms.clear();
  for (const auto& [key, flops] : terms) {
    work.terms.push_back({key.precision, key.kind, key.width_bits, flops});
  }
}

}  // namespace

void take_timed_widths(ProgramCode& code, const SampledCode& samples, CodeFiles& files) {
  const auto found = timed_code(code, samples, files);
  for (CodeModule& module : code.modules) {
    for (std::size_t i = 0; i < module.work.size(); ++i) {
      const TimedCode& timed = found[module.first_region + i];
      ModuleWork& work = module.work[i];
      const double share = static_cast<double>(timed.uncounted) /
                           static_cast<double>(std::max<std::uint64_t>(1, timed.samples));
      if (timed.samples < kFewestSamples || share < kWorthAWord || work.instructions == 0) {
        continue;
      }
      work.evidence = {};
      if (work.work.flops) {
        set_widths(*work.work.flops, timed);
      }
      work.notes.push_back(
          {"timed-code",
           fmt::format(
               "{} of its samples lie in machine code that did not run under the engine, as "
               "where a program chooses by what the processor can. Widths are read from "
               "that code; bytes and traffic are those of the code that was counted",
               percent_text(share))});
    }
  }
}

}  // namespace ridge::measure::binary
