// Sockets, cores, caches and memory nodes of this machine (hwloc), and the identity under which
// its measured ceilings are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::platform {

/// Memory that is equally near to some CPUs. Several nodes may have the same CPUs (DRAM and HBM),
/// and a node may have none (CXL).
struct NumaNode {
  unsigned number = 0;  ///< of the operating system
  Level memory = Level::DRAM;
  std::optional<std::uint64_t> size_bytes;
  /// The allowed CPUs near to it, in the order of Hardware::placement, one per core.
  std::vector<unsigned> cpus;
};

/// What hwloc knows, seen from the CPUs that may be used.
struct Hardware {
  Topology topology;  ///< `threads` is the number of allowed CPUs
  /// Data and unified caches above the first allowed CPU, innermost first. `shared_by_threads`
  /// counts the machine's threads, allowed or not. Where the operating system does not give the
  /// ways, the usual 8 (L1) or 16 are put in.
  std::vector<Cache> caches;
  std::vector<MemoryNode> memories;  ///< DRAM first when there is any; one per kind
  /// The allowed CPUs in the order in which threads are placed: one per core first.
  std::vector<unsigned> placement;
  std::vector<unsigned> siblings;  ///< the allowed CPUs of the first core in `placement`
  std::vector<NumaNode> nodes;     ///< all of the machine, ascending numbers; at least one
  unsigned last_level_caches = 1;  ///< outermost caches that the allowed CPUs touch
};

/// This machine. Error: `unavailable`.
[[nodiscard]] Result<Hardware> read_hardware(const std::vector<unsigned>& allowed);
/// From an hwloc synthetic description ("pack:1 l3:1(size=32MB) core:2 pu:2"). Error: `bad_input`.
[[nodiscard]] Result<Hardware> read_synthetic_hardware(const std::string& description,
                                                       const std::vector<unsigned>& allowed);

/// Identity, topology (threads cut by the CPU quota), caches and memories of this machine, host
/// name and date, without clocks and ceilings.
[[nodiscard]] Result<Machine> describe_machine(std::string_view ridge_version);

/// nullopt where the system has none.
[[nodiscard]] std::optional<std::string> host_name();

/// The present time as ISO 8601, UTC, to the second.
[[nodiscard]] std::string utc_now();

/// Under which name measured ceilings are stored: CPU, cpuset (not a binding mask within it: ranks
/// that mpirun binds share one measurement), quota and Ridge's version. Only letters, digits, '.',
/// '_' and '-'; at most 200 characters.
[[nodiscard]] std::string machine_key(const CpuIdentity& cpu, const std::vector<unsigned>& cpuset,
                                      std::optional<double> quota, std::string_view ridge_version);
/// The key of this process on this machine. Does not start hwloc.
[[nodiscard]] std::string machine_key(std::string_view ridge_version);

}  // namespace ridge::platform
