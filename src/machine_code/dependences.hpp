// Which instructions of a loop wait for which others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine_code/instruction.hpp"

namespace ridge::machine_code {

/// `reader` takes the value that `writer` left in a register. Through memory there are none:
/// addresses are not compared.
struct Dependence {
  std::uint32_t writer = 0;  ///< position in the list
  std::uint32_t reader = 0;
  Register through;
  bool carried = false;      ///< written in the turn before: then writer >= reader is possible
  bool for_address = false;  ///< the reader makes an address of it, and may compute with it besides

  friend bool operator==(const Dependence&, const Dependence&) = default;
};

/// Of a list that runs over and over (a loop's body without branches inside), by reader, then
/// register. What no instruction of the list writes is the same in all turns and depends on none.
[[nodiscard]] std::vector<Dependence> dependences(std::span<const Instruction> body);

}  // namespace ridge::machine_code
