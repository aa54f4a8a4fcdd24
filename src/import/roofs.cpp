#include "import/roofs.hpp"

#include <algorithm>
#include <utility>

namespace ridge::imports {
namespace {

template <class Q>
Estimate<Q> stated_once(double value, Origin origin) {
  return {Q(value), Q(value), Q(value), Q(value), 1, origin};
}

}  // namespace

void add_roof(Machine& machine, const CeilingKey& key, double value, Origin origin) {
  Ceiling ceiling = ceiling_of(key);
  if (ceiling.kind == CeilingKind::compute) {
    ceiling.value = stated_once<FlopsPerSecond>(value, origin);
  } else {
    ceiling.value = stated_once<BytesPerSecond>(value, origin);
  }
  const auto same = std::find_if(machine.ceilings.begin(), machine.ceilings.end(),
                                 [&](const Ceiling& known) { return known.id == ceiling.id; });
  if (same == machine.ceilings.end()) {
    machine.ceilings.push_back(std::move(ceiling));
  } else if (p90_of(same->value) < value) {
    *same = std::move(ceiling);
  }
}

void name_memories(Machine& machine) {
  for (const Ceiling& ceiling : machine.ceilings) {
    const bool is_known =
        std::any_of(machine.memories.begin(), machine.memories.end(),
                    [&](const MemoryNode& memory) { return memory.level == ceiling.level; });
    if (ceiling.level && is_memory_level(*ceiling.level) && !is_known) {
      machine.memories.push_back({*ceiling.level, std::nullopt});
    }
  }
}

}  // namespace ridge::imports
