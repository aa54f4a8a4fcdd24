#include "measure/instrumented/code/executed_code.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "machine_code/function.hpp"
#include "machine_code/function_ranges.hpp"
#include "measure/instrumented/code/block_ways.hpp"
#include "measure/instrumented/code/frame_slots.hpp"
#include "measure/instrumented/code/math_calls.hpp"
#include "measure/instrumented/code/probe_classes.hpp"

namespace ridge::measure {
namespace {

using machine_code::ElfImage;
using machine_code::Flow;
using machine_code::Function;
using machine_code::Instruction;
using machine_code::MemoryOperand;

/// What a compiler put there to load it: nothing of it is data of the program.
bool is_constant(const ElfImage& image, const MemoryOperand& operand) {
  const bool is_fixed = operand.rip_relative || (operand.base.is_none() && !operand.segment);
  if (!operand.load || operand.store || !is_fixed || !operand.index.is_none()) {
    return false;
  }
  for (const machine_code::Section& section : image.sections()) {
    if (section.name.starts_with(".got") && operand.address >= section.address &&
        operand.address - section.address < section.size) {
      return true;
    }
  }
  const auto& segments = image.segments();
  return std::any_of(segments.begin(), segments.end(), [&](const machine_code::Segment& segment) {
    return !segment.writable && operand.address >= segment.address &&
           operand.address - segment.address < segment.memory_size;
  });
}

std::optional<Traffic> data_of(const ElfImage& image, const Instruction& instruction, bool is_own) {
  Traffic data;
  if (instruction.flow != Flow::next || is_own) {
    return data;  // targets of jumps and calls are no data
  }
  for (const MemoryOperand& operand : instruction.memory()) {
    if (operand.prefetch || (operand.implicit && !operand.repeated) || operand.on_stack ||
        is_constant(image, operand)) {
      continue;
    }
    if (operand.masked || operand.repeated) {
      return std::nullopt;
    }
    data.read += operand.load ? operand.bytes : 0U;
    data.written += operand.store ? operand.bytes : 0U;
  }
  return data;
}

InstructionWork work_of(const ElfImage& image, const Instruction& instruction,
                        const machine_code::AddressRange& function, const MathCalls& math_calls,
                        bool is_own) {
  InstructionWork work{instruction.address,
                       instruction.length,
                       math_calls.of(instruction, function),
                       {},
                       data_of(image, instruction, is_own),
                       {instruction.loaded_bytes(), instruction.stored_bytes()},
                       std::nullopt};
  const ExecutionWork own = measure::work_of(instruction);
  work.plain += own.plain;
  work.masked = own.masked;
  return work;
}

/// Flags are of every second instruction: who reads them says nothing of a load.
void take_away_flags(machine_code::RegisterSet& registers) {
  for (unsigned i = 0;
       i <
       machine_code::kRegisterCounts[static_cast<std::size_t>(machine_code::RegisterClass::flags)];
       ++i) {
    registers.remove({machine_code::RegisterClass::flags, i});
  }
}

bool reads_any(const Instruction& reader, const machine_code::RegisterSet& registers) {
  bool found = false;
  registers.for_each(
      [&](machine_code::Register one) { found = found || reader.reads.contains(one); });
  return found;
}

/// Far users are rare, and blocks may have thousands of instructions.
constexpr std::size_t kFarthestUse = 100;

std::optional<std::uint32_t> first_use(std::span<const Instruction> instructions, std::size_t at) {
  machine_code::RegisterSet written = instructions[at].writes;
  take_away_flags(written);
  const std::size_t end = std::min(instructions.size(), at + kFarthestUse);
  for (std::size_t next = at + 1; next < end && !written.empty(); ++next) {
    if (reads_any(instructions[next], written)) {
      return static_cast<std::uint32_t>(next);
    }
    instructions[next].writes.for_each([&](machine_code::Register one) { written.remove(one); });
  }
  return std::nullopt;
}

/// A function, block by block.
struct FunctionCode {
  Function function;
  std::vector<BlockCount> counts;
  std::vector<std::vector<InstructionWork>> work;
  std::vector<std::uint64_t> flops;
};

FunctionCode take_apart(const ElfImage& image, Function function, std::vector<BlockCount> counts,
                        const MathCalls& math_calls) {
  FunctionCode code{std::move(function), std::move(counts), {}, {}};
  std::vector<bool> is_own;
  for (const BlockCount& count : code.counts) {
    is_own.push_back(count.is_uncounted);
  }
  const auto own = FrameSlots(code.function, is_own).own_accesses(code.function, is_own);
  for (const machine_code::Block& block : code.function.blocks) {
    auto& work = code.work.emplace_back();
    std::uint64_t flops = 0;
    const auto instructions = code.function.instructions_of(block);
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      work.push_back(work_of(image, instructions[i], code.function.range, math_calls,
                             own.contains(instructions[i].address)));
      work.back().used_by = first_use(instructions, i);
      flops += work.back().plain.total() + work.back().masked.total();
    }
    code.flops.push_back(flops);
  }
  return code;
}

/// A place where a probe counts a block.
struct Place {
  std::size_t function = 0;
  std::uint32_t block = 0;
  std::uint64_t flops = 0;  ///< of the block and of what follows
  std::vector<ProbeName> also;
};

std::vector<Descriptor> descriptors_of(std::span<const CountedModule> modules) {
  std::vector<Descriptor> descriptors;
  for (const CountedModule& module : modules) {
    descriptors.push_back(*module.loaded.descriptor);
  }
  return descriptors;
}

/// How much of a class's work is that of a counter: decides whom its code belongs to.
std::uint64_t weight_of(const Descriptor& descriptor, const ridge_counter_descriptor& counter) {
  std::uint64_t weight = 0;
  for (std::uint32_t t = 0; t < counter.term_count; ++t) {
    const auto term = descriptor.term(counter.first_term + t);
    switch (term.quantity) {
      case RIDGE_FLOPS:
      case RIDGE_OTHER_OPS:
      case RIDGE_INT_OPS:
      case RIDGE_BYTES_LOADED:
      case RIDGE_BYTES_STORED:
        weight += term.amount;
        break;
      case RIDGE_HEADER_EXECUTIONS:
        weight += 1;
        break;
      default:
        break;
    }
  }
  return weight;
}

class CodeOfImage {
 public:
  CodeOfImage(const ElfImage& image, std::span<const CountedModule> modules,
              const std::set<ModuleRegion>& wanted)
      : image_(image),
        modules_(modules),
        descriptors_(descriptors_of(modules)),
        classes_(descriptors_),
        lookup_(classes_.lookup()) {
    for (const auto& [name, counters] : classes_.counters()) {
      for (const std::uint32_t index : counters) {
        if (wanted.contains({name.module, descriptors_[name.module].counter(index).region})) {
          wanted_classes_.insert(name);
        }
      }
    }
  }

  Result<void> read() {
    const auto probes = read_probes(image_);
    if (!probes) {
      return tl::make_unexpected(probes.error());
    }
    const auto ranges = machine_code::function_ranges(image_);
    if (!ranges) {
      return tl::make_unexpected(ranges.error());
    }
    const auto copies = copies_of(*probes);
    const MathCalls math_calls(image_);
    for (const machine_code::FunctionRange& range : *ranges) {
      const auto inside = probes_in(*probes, range.begin, range.end);
      if (std::none_of(inside.begin(), inside.end(),
                       [&](const Probe& probe) { return is_wanted(probe.name); })) {
        continue;
      }
      auto function = machine_code::read_function(image_, range);
      if (!function) {
        return tl::make_unexpected(function.error());
      }
      auto counts = count_blocks(*function, inside, lookup_, copies);
      add(take_apart(image_, std::move(*function), std::move(counts), math_calls));
    }
    return {};
  }

  [[nodiscard]] std::vector<ExecutedBlock> blocks() const {
    std::vector<ExecutedBlock> blocks;
    for (const auto& [probe, place] : places_) {
      const std::uint64_t executions = executions_of(*classes_.find(probe));
      const auto regions = regions_of(probe, place.also);
      if (executions == 0 || regions.empty()) {
        continue;
      }
      const FunctionCode& code = *functions_[place.function];
      for (const std::uint32_t block : ways_[place.function].from(place.block)) {
        blocks.push_back({executions, regions, code.function.range, code.work[block]});
      }
    }
    return blocks;
  }

 private:
  [[nodiscard]] bool is_wanted(const ProbeName& probe) const {
    const auto name = classes_.find(probe);
    return name && wanted_classes_.contains(*name);
  }

  void add(FunctionCode code) {
    functions_.push_back(std::make_unique<FunctionCode>(std::move(code)));
    const FunctionCode& kept = *functions_.back();
    const BlockWays& ways = ways_.emplace_back(kept.function, kept.counts, kept.flops);
    for (std::uint32_t i = 0; i < kept.counts.size(); ++i) {
      if (!kept.counts[i].counted_by) {
        continue;
      }
      Place place{functions_.size() - 1, i, ways.flops_from(i), kept.counts[i].also};
      const auto [known, is_new] = places_.try_emplace(*kept.counts[i].counted_by, place);
      if (!is_new && place.flops > known->second.flops) {
        known->second = std::move(place);
      }
    }
  }

  /// All of its counters of executions say the same.
  [[nodiscard]] std::uint64_t executions_of(const ClassName& name) const {
    for (const std::uint32_t index : classes_.counters().at(name)) {
      const auto& values = modules_[name.module].counters;
      if (descriptors_[name.module].counter(index).counts == RIDGE_COUNTS_EXECUTIONS &&
          index < values.size()) {
        return values[index];
      }
    }
    return 0;
  }

  [[nodiscard]] std::vector<ModuleRegion> regions_of(const ProbeName& probe,
                                                     std::vector<ProbeName> others) const {
    std::map<ModuleRegion, std::uint64_t> weights;
    others.push_back(probe);
    for (const ProbeName& one : others) {
      const auto name = classes_.find(one);
      const auto found = name ? classes_.counters().find(*name) : classes_.counters().end();
      if (found == classes_.counters().end()) {
        continue;
      }
      const Descriptor& descriptor = descriptors_[name->module];
      for (const std::uint32_t index : found->second) {
        const auto counter = descriptor.counter(index);
        if (const std::uint64_t weight = weight_of(descriptor, counter); weight > 0) {
          weights[{name->module, counter.region}] += weight;
        }
      }
    }
    return by_weight(weights);
  }

  [[nodiscard]] static std::vector<ModuleRegion> by_weight(
      const std::map<ModuleRegion, std::uint64_t>& weights) {
    std::vector<std::pair<ModuleRegion, std::uint64_t>> sorted(weights.begin(), weights.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<ModuleRegion> regions;
    for (const auto& [region, weight] : sorted) {
      regions.push_back(region);
    }
    return regions;
  }

  const ElfImage& image_;
  std::span<const CountedModule> modules_;
  std::vector<Descriptor> descriptors_;
  ProbeClasses classes_;
  ProbeLookup lookup_;
  std::set<ClassName> wanted_classes_;
  std::vector<std::unique_ptr<FunctionCode>> functions_;  ///< ways_ refer to them
  std::vector<BlockWays> ways_;
  std::map<ProbeName, Place> places_;  ///< the one of its copies with most flops
};

}  // namespace

Result<std::vector<ExecutedBlock>> executed_blocks(const ElfImage& image,
                                                   std::span<const CountedModule> modules,
                                                   const std::set<ModuleRegion>& wanted) {
  CodeOfImage code(image, modules, wanted);
  return code.read().map([&] { return code.blocks(); });
}

}  // namespace ridge::measure
