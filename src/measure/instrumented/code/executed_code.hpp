// How often the machine code of chosen regions ran, block by block, and what it did.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/region.hpp"
#include "machine_code/elf_image.hpp"
#include "measure/code/operation_counts.hpp"
#include "measure/instrumented/code/program_file.hpp"

namespace ridge::measure {

/// A module as one process ran it.
struct CountedModule {
  LoadedModule loaded;
  std::span<const std::uint64_t> counters;  ///< sums over all threads, by index
};

/// A region of a descriptor.
struct ModuleRegion {
  std::size_t module = 0;
  std::uint32_t region = 0;

  friend auto operator<=>(const ModuleRegion&, const ModuleRegion&) = default;
};

/// What one execution of an instruction does.
struct InstructionWork {
  std::uint64_t address = 0;
  std::uint8_t length = 1;
  OperationCounts plain;   ///< flops
  OperationCounts masked;  ///< of all lanes, switched off ones too
  /// Bytes between registers and data of the program: not the frame, not what Ridge counts in, not
  /// constants of the compiler. nullopt where it depends on a mask or on a count in a register.
  std::optional<Traffic> data;
  Traffic moved{};  ///< all bytes that it loads and stores
  /// The first instruction behind it in its block that reads a register which it wrote.
  std::optional<std::uint32_t> used_by;
};

/// A block of machine code, or a copy of it, that ran behind one counted stretch of the program.
struct ExecutedBlock {
  std::uint64_t executions = 0;  ///< over all threads; not 0
  /// For which the stretch works, most work first; not empty.
  std::vector<ModuleRegion> regions;
  machine_code::AddressRange function;        ///< that it is a block of
  std::vector<InstructionWork> instructions;  ///< not empty
};

/// Blocks of all functions that work for one of `wanted`. `modules` are those of `image`. Where
/// copies of a stretch differ, or ways behind it that no count tells apart, those with most flops
/// stand for all (block_ways.hpp). Errors: as machine_counts().
[[nodiscard]] Result<std::vector<ExecutedBlock>> executed_blocks(
    const machine_code::ElfImage& image, std::span<const CountedModule> modules,
    const std::set<ModuleRegion>& wanted);

}  // namespace ridge::measure
