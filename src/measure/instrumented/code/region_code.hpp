// Figures by source line, and the hottest block of machine code, of chosen regions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/value/region.hpp"
#include "measure/instrumented/code/executed_code.hpp"

namespace ridge::measure {

/// A region of a profile whose code is wanted.
struct WantedRegion {
  std::vector<ModuleRegion> parts;  ///< what it was merged from
  std::string file;                 ///< its own; empty: unknown
  Work flops;                       ///< of the region, by which lanes under a mask are shared out
};

/// At most so many lines of a region, those with most work, and instructions of a block, the first.
constexpr std::size_t kMostLines = 300;
constexpr std::size_t kMostInstructions = 120;

/// One for each of `wanted`; empty where the file of its modules cannot be read, or is not the one
/// that ran. Sums of executions times what one execution does (executed_code.hpp). An instruction
/// of a stretch that serves several regions belongs to the one whose other code has its line, else
/// to the one with most work there. An instruction without a line has that of the one in its block
/// that first uses its result; work of those without such a one is in no line.
[[nodiscard]] std::vector<RegionCode> region_code(std::span<const CountedModule> modules,
                                                  std::span<const WantedRegion> wanted);

}  // namespace ridge::measure
