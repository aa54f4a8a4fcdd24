// The regions of one file: functions and loops of its machine code, named as the source has them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/region.hpp"
#include "machine_code/address_range.hpp"
#include "machine_code/function.hpp"
#include "measure/binary/code/executions.hpp"

namespace ridge::measure::binary {

/// A loop of the machine code.
struct MachineLoop {
  std::size_t function = 0;  ///< index into ModuleRegions::functions
  std::uint32_t loop = 0;    ///< index into its loops

  friend bool operator==(const MachineLoop&, const MachineLoop&) = default;
};

/// One source loop in one inline context, or a function without its loops. Several machine loops
/// that one source loop became (vector body, remainder, versions, copies) are one region.
struct ModuleRegion {
  RegionKind kind = RegionKind::function;
  std::string name;      ///< as tables call it
  std::string function;  ///< demangled, qualified, without return type
  std::optional<std::string> file;
  std::optional<unsigned> line;
  std::optional<unsigned> column;
  std::optional<std::uint32_t> parent;  ///< index, smaller than the own
  std::optional<WaitKind> wait;         ///< a runtime's waiting (libgomp, libomp, MPI)
  std::string identity;                 ///< equal in all runs of the same file
  std::vector<MachineLoop> loops;       ///< of a loop: its versions; not the loops inside them
  std::vector<std::uint64_t> entries;   ///< of a function: addresses of its first instructions
  /// Code that is its own, inner loops left out. By address, apart from one another.
  std::vector<machine_code::AddressRange> ranges;
};

struct ModuleRegions {
  std::vector<ModuleRegion> regions;
  std::vector<machine_code::Function> functions;  ///< that ran in part; addresses of the file
  /// By address, apart from one another: whose code it is.
  struct Owner {
    machine_code::AddressRange range;
    std::uint32_t region = 0;
  };
  std::vector<Owner> owners;

  /// nullopt where the address is in no region.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t address) const;
};

/// What a file says of itself.
struct ModuleFile {
  std::string path;
  std::span<const std::uint8_t> bytes;  ///< empty: it could not be read, or there is none
  /// Of the file that holds its debug information, where that is another (.gnu_debuglink, build
  /// ID); empty: there is none.
  std::span<const std::uint8_t> debug;
};

/// Of the code that ran in `executed`, and of addresses that were sampled and not executed
/// (`sampled`, ascending), so that both find their regions. Names: `function`, `function, loop at
/// file.c:12`; without debug information `function+0x1a0`, without symbols `library.so+0x1a0`;
/// without a file `code made at run time`. Never fails: what cannot be read of the file is named as
/// if it were not there.
[[nodiscard]] ModuleRegions module_regions(const ModuleFile& file, const ExecutedModule& executed,
                                           std::span<const std::uint64_t> sampled);
/// The same of code that is known by its addresses alone, in order and apart from one another.
[[nodiscard]] ModuleRegions module_regions(const ModuleFile& file,
                                           const std::vector<machine_code::AddressRange>& seen);

}  // namespace ridge::measure::binary
