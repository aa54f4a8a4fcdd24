// Facts of how a loop of the source did its work, from all machine loops that it became.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/value/region.hpp"
#include "measure/binary/code/module_regions.hpp"

namespace ridge::measure::binary {

struct LoopEvidence {
  std::vector<AccessTerm> accesses;  ///< empty where one of the loops does not tell
  std::vector<ChainTerm> chain;
  /// Of the source. Turns of the machine's loop are these only where it is alone, works on one
  /// element at a time and goes on by one, or follows pointers.
  std::optional<std::uint64_t> iterations;
  std::vector<std::uint64_t> iterations_by_thread;  ///< empty where either is not known
};

/// Of a region of kind `loop`. Loops with others inside have none of it.
[[nodiscard]] LoopEvidence loop_evidence(const ModuleRegions& regions, const ModuleRegion& region,
                                         const ExecutedModule& executed);

}  // namespace ridge::measure::binary
