#include "predict/projection/common_levels.hpp"

#include "core/value/specification.hpp"

namespace ridge::predict {

std::set<std::string> bounded_levels(const Machine& machine) {
  std::set<std::string> levels;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.kind == CeilingKind::bandwidth && ceiling.level && !ceiling.device) {
      levels.insert(*ceiling.level);
    }
  }
  return levels;
}

Machine with_levels(Machine machine, const std::set<std::string>& levels) {
  std::erase_if(machine.ceilings, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::bandwidth && ceiling.level &&
           !levels.contains(*ceiling.level);
  });
  return machine;
}

std::set<std::string> common_levels(const Machine& a, const Machine& b, const std::string& memory) {
  std::set<std::string> common{memory};
  const auto other = bounded_levels(b);
  for (const std::string& level : bounded_levels(a)) {
    if (other.contains(level) && !is_memory_level(level)) {
      common.insert(level);
    }
  }
  return common;
}

}  // namespace ridge::predict
