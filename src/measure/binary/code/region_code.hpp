// Figures by source line, and the hottest block of machine code, of chosen regions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/value/region_code.hpp"
#include "measure/binary/code/module_regions.hpp"

namespace ridge::measure::binary {

/// At most so many lines of a region, those with most work, and instructions of a block, the first.
constexpr std::size_t kMostLines = 300;
constexpr std::size_t kMostInstructions = 120;

/// Samples of time by address, as the file numbers them.
using SamplesByAddress = std::map<std::uint64_t, std::uint64_t>;

/// One for each of `wanted`, which are indices of regions. Flops and bytes of lines are those that
/// module_work() sums up to the region's; a line whose bytes depend on a mask or on a count that
/// nobody looked at has none. An instruction without a line has that of the one behind it that
/// first uses its result; work of those without such a one is in no line. Lines have no samples
/// where `samples` is empty. Without line tables there are no lines. Figures of the hottest block
/// are those of one execution, all lanes.
[[nodiscard]] std::vector<RegionCode> region_code(const ModuleFile& file,
                                                  const ModuleRegions& regions,
                                                  const ExecutedModule& executed,
                                                  const SamplesByAddress& samples,
                                                  std::span<const std::uint32_t> wanted);

}  // namespace ridge::measure::binary
