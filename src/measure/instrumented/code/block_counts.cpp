#include "measure/instrumented/code/block_counts.hpp"

#include <cstddef>
#include <cstdint>

namespace ridge::measure {
namespace {

/// Of several probes before the first instruction only the last that begins a block of the IR is
/// surely this block's: the others may belong to empty blocks, through which control need not
/// come.
std::span<const Probe> own_probes(std::span<const Probe> probes, std::uint64_t begin,
                                  const ProbeLookup& lookup) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < probes.size() && probes[i].address == begin; ++i) {
    first = lookup(probes[i].name).behind_call ? first : i;
  }
  return probes.subspan(first);
}

BlockCount choose(std::span<const Probe> probes, const ProbeLookup& lookup,
                  const std::map<ProbeName, unsigned>& copies) {
  BlockCount chosen;
  unsigned fewest = 0;
  bool has_unknown = false;
  for (const Probe& probe : probes) {
    const ProbeCount count = lookup(probe.name).count;
    has_unknown = has_unknown || count == ProbeCount::unknown;
    chosen.is_uncounted = chosen.is_uncounted || count == ProbeCount::uncounted;
    if (count != ProbeCount::counted) {
      continue;
    }
    const auto found = copies.find(probe.name);
    const unsigned places = found != copies.end() ? found->second : 1;
    if (chosen.counted_by && places == 1 && fewest == 1) {
      chosen.also.push_back(probe.name);
    }
    if (!chosen.counted_by || places < fewest) {
      chosen.counted_by = probe.name;
      fewest = places;
    }
  }
  chosen.is_uncounted = chosen.is_uncounted && !chosen.counted_by && !has_unknown;
  return chosen;
}

}  // namespace

std::vector<BlockCount> count_blocks(const machine_code::Function& function,
                                     std::span<const Probe> probes, const ProbeLookup& lookup,
                                     const std::map<ProbeName, unsigned>& copies) {
  std::vector<BlockCount> counts;
  counts.reserve(function.blocks.size());
  std::size_t next = 0;
  for (const machine_code::Block& block : function.blocks) {
    const std::uint64_t end = function.instructions[block.first + block.count - 1].next();
    const std::size_t first = next;
    while (next < probes.size() && probes[next].address < end) {
      ++next;
    }
    const auto inside = probes.subspan(first, next - first);
    counts.push_back(choose(own_probes(inside, function.begin_of(block), lookup), lookup, copies));
  }
  return counts;
}

}  // namespace ridge::measure
