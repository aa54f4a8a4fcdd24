#include "predict/projection/common_levels.hpp"

namespace ridge::predict {

std::set<Level> bounded_levels(const Machine& machine) {
  std::set<Level> levels;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.kind == CeilingKind::bandwidth && ceiling.level && !ceiling.device) {
      levels.insert(*ceiling.level);
    }
  }
  return levels;
}

Machine with_levels(Machine machine, const std::set<Level>& levels) {
  std::erase_if(machine.ceilings, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::bandwidth && ceiling.level &&
           !levels.contains(*ceiling.level);
  });
  return machine;
}

std::set<Level> common_levels(const Machine& a, const Machine& b, Level memory) {
  std::set<Level> common{memory};
  const auto other = bounded_levels(b);
  for (const Level level : bounded_levels(a)) {
    if (other.contains(level) && !is_memory_level(level)) {
      common.insert(level);
    }
  }
  return common;
}

}  // namespace ridge::predict
