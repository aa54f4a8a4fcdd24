// Where the pseudo probes of a linked program ended up: the marks that the compiler plugin left in
// each stretch of code (abi/descriptor.h).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"

namespace ridge::measure {

/// Which probe of which function.
struct ProbeName {
  std::uint64_t function = 0;  ///< ridge_probed_function::id
  std::uint32_t number = 0;    ///< within the function, from 1

  friend auto operator<=>(const ProbeName&, const ProbeName&) = default;
};

struct Probe {
  std::uint64_t address = 0;  ///< of the instruction that it stands before
  ProbeName name;

  friend bool operator==(const Probe&, const Probe&) = default;
};

/// By address; those of one address in the order of the code. Empty for a program without probes.
/// Errors: `bad_input` for sections that break off or name functions that nothing places.
[[nodiscard]] Result<std::vector<Probe>> read_probes(const machine_code::ElfImage& image);

}  // namespace ridge::measure
