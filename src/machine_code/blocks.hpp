// Blocks of a function, and the edges between them. For read_function only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "machine_code/function.hpp"

namespace ridge::machine_code {

/// What is known beside the instructions.
struct Surroundings {
  /// Targets of the indirect jump at this position; empty: not known.
  std::function<std::vector<std::uint64_t>(const std::vector<Instruction>&, std::uint32_t)>
      jump_targets;
  /// Whether a call comes back.
  std::function<bool(const Instruction&)> returns;
  std::vector<std::uint64_t> landing_pads;  ///< addresses
};

/// Fills `blocks`, `has_unknown_jumps` and `undecodable_bytes` of a function whose instructions and
/// range are there.
void add_blocks(Function& function, const Surroundings& surroundings);

}  // namespace ridge::machine_code
