// Records of engines (abi/record.h), as bytes: what is read of them, executions of files, and the
// work of regions made of the code that they bring along. The file that they name is the input,
// too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

#include "core/quantity/saturating.hpp"
#include "machine_code/function.hpp"
#include "measure/binary/code/module_work.hpp"
#include "measure/binary/record/executed_modules.hpp"

using namespace ridge;
using namespace ridge::measure::binary;

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check(const Record& record) {
  for (const auto& [number, thread] : record.threads) {
    for (const auto& [block, executions] : thread.executions) {
      require(block < record.blocks.size() && executions != 0);
    }
    for (const auto& [block, turns] : thread.turns) {
      require(block < record.blocks.size());
    }
  }
  for (const auto& [place, lanes] : record.active_lanes) {
    require(place.block < record.blocks.size() &&
            place.offset < record.blocks[place.block].code.size());
  }
  for (const SampledStack& stack : record.stacks) {
    require(stack.words.size() <= 1U << 13U);
  }
}

void check(const ExecutedModule& module) {
  for (std::size_t i = 0; i < module.instructions.size(); ++i) {
    const ExecutedInstruction& one = module.instructions[i];
    require(one.executions != 0 && one.length > 0 && one.length <= one.code.size());
    require(i == 0 || module.instructions[i - 1].address < one.address);
  }
  for (const auto& thread : module.by_thread) {
    require(thread.empty() || thread.size() == module.instructions.size());
  }
}

/// A function around the code of the first block, with its loops, and what lies behind it.
ModuleRegions regions_of(const Record& record, const ExecutedModule& module) {
  ModuleRegions made;
  const std::uint64_t begin = module.instructions.front().address;
  made.regions.emplace_back().ranges = {{begin, std::numeric_limits<std::uint64_t>::max()}};
  made.regions[0].entries = {begin};
  const auto& code = record.blocks.front().code;
  auto function = machine_code::read_function(machine_code::Architecture::x86_64, code, begin);
  if (!function || code.size() > std::numeric_limits<std::uint64_t>::max() - begin) {
    return made;
  }
  made.functions.push_back(*std::move(function));
  for (std::uint32_t loop = 0; loop < made.functions[0].loops.size(); ++loop) {
    ModuleRegion& region = made.regions.emplace_back();
    region.kind = RegionKind::loop;
    region.parent = 0;
    region.loops = {{0, loop}};
  }
  return made;
}

void check(const ModuleWork& work, const ExecutedModule& module) {
  std::uint64_t all = 0;
  for (const ExecutedInstruction& one : module.instructions) {
    all = saturating_add(all, one.executions);
  }
  require(work.instructions == all ||
          module.instructions.back().address == std::numeric_limits<std::uint64_t>::max());
  if (const auto& interval = work.work.flops_interval) {
    require(interval->low <= interval->high);
  }
  if (const auto& masked = work.evidence.masked) {
    require(masked->active_lanes <= masked->lanes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  const auto record = read_record(std::as_bytes(input));
  if (!record) {
    require(!record.error().message.empty());
    return 0;
  }
  check(*record);
  for (const ExecutedModule& module :
       executed_modules(std::span(&*record, 1), [&](const std::string&) { return input; })) {
    check(module);
    const auto work = module_work(regions_of(*record, module), module);
    check(work.at(0), module);
  }
  return 0;
}
