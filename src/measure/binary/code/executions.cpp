#include "measure/binary/code/executions.hpp"

#include <algorithm>

namespace ridge::measure::binary {

std::optional<std::size_t> ExecutedModule::find(std::uint64_t address) const {
  const auto found =
      std::ranges::lower_bound(instructions, address, {}, &ExecutedInstruction::address);
  if (found == instructions.end() || found->address != address) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - instructions.begin());
}

std::uint64_t ExecutedModule::executions_at(std::uint64_t address) const {
  const auto found = find(address);
  return found ? instructions[*found].executions : 0;
}

}  // namespace ridge::measure::binary
