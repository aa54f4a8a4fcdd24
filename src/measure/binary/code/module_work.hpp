// What the regions of one file did: executions of instructions times what each does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/value/region.hpp"
#include "measure/binary/code/module_regions.hpp"

namespace ridge::measure::binary {

/// Of one region. Bytes are those of all memory operands, spills and constants included; integer
/// instructions are all of them, those that make addresses included (docs/contracts.md, section 1).
struct ModuleWork {
  RegionWork work;
  RegionEvidence evidence;
  /// By thread, in order of creation; empty where executions were not told apart.
  std::vector<ThreadWork> threads;
  /// Instructions that the decoder does not know, by their bytes: executions.
  std::map<std::string, std::uint64_t> unknown;
  std::uint64_t instructions = 0;  ///< executed
  std::vector<Note> notes;
};

/// Like `regions.regions`. Work that depends on masks nobody looked at is an interval
/// (flops_interval). Sums that do not fit saturate.
[[nodiscard]] std::vector<ModuleWork> module_work(const ModuleRegions& regions,
                                                  const ExecutedModule& executed);

}  // namespace ridge::measure::binary
