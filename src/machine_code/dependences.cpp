#include "machine_code/dependences.hpp"

#include <array>
#include <optional>

namespace ridge::machine_code {
namespace {

using Writers = std::array<std::optional<std::uint32_t>, kRegisters>;

void note_writes(const Instruction& at, std::uint32_t position, Writers& writers) {
  at.writes.for_each([&](Register one) { writers[one.position()] = position; });
}

}  // namespace

std::vector<Dependence> dependences(std::span<const Instruction> body) {
  Writers before;  // the last of the turn before
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    note_writes(body[i], i, before);
  }
  Writers now;
  std::vector<Dependence> found;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    const Instruction& at = body[i];
    at.reads.for_each([&](Register one) {
      const auto& here = now[one.position()];
      const auto& there = before[one.position()];
      if (here || there) {
        found.push_back({here ? *here : *there, i, one, !here, at.address_reads.contains(one)});
      }
    });
    note_writes(at, i, now);
  }
  return found;
}

}  // namespace ridge::machine_code
