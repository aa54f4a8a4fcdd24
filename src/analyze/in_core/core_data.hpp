// What Ridge knows of a core beyond LLVM's model of it: one JSON file for each in cores/.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::analyze {

/// So many micro-operations, each of which one of the ports takes. A letter is a port: "0156B".
struct RuleUse {
  std::string ports;
  std::uint64_t count = 1;
};

/// What instructions take beside their loads and stores.
struct InstructionRule {
  std::vector<std::string> mnemonics;  ///< a "*" at the end stands for anything
  std::uint64_t least_bits = 0;        ///< of the widest vector register
  std::uint64_t most_bits = 4096;
  std::string form;                     ///< "load", "store", "register", "gather"; empty: any
  bool masked = false;                  ///< only with a mask of AVX-512
  bool has_uses = false;                ///< else those of LLVM stay
  std::vector<RuleUse> uses;            ///< none: done while renaming
  int latency = -1;                     ///< cycles from registers to the result; -1: LLVM's
  int chained_latency = -1;             ///< to an instruction of the same rule; -1: as latency
  std::uint64_t divider_cycles = 0;     ///< for which the divider takes no other
  std::uint64_t slots = 0;              ///< of the front end; 0: as many as micro-operations
  std::uint64_t extra_load_cycles = 0;  ///< of load ports
};

struct CoreData {
  std::string name;               ///< "Golden Cove"
  std::vector<std::string> cpus;  ///< LLVM's names of those that have the core
  bool measured = false;          ///< else untested
  std::string ports;              ///< of LLVM's units in their order, a letter each; "-": none
  std::string port_prefix;        ///< names are made of it and the letter; empty: LLVM's stay
  std::uint64_t rename_width = 0;
  std::uint64_t retire_width = 0;
  std::uint64_t reorder_buffer = 0;
  std::uint64_t scheduler = 0;        ///< micro-operations that wait for their operands
  std::uint64_t load_scheduler = 0;   ///< loads that do
  std::uint64_t store_scheduler = 0;  ///< parts of stores that do
  double least_pass_cycles = 1.0;     ///< of a loop, however short
  bool fuses_indexed_loads = true;
  bool renames_increments = false;  ///< adds of constants are done while renaming
  std::string taken_branch_ports;   ///< empty: as any branch
  double gather_cycles = 0.0;       ///< of load ports, for a gather
  double gather_lane_cycles = 1.0;  ///< of load ports, for each lane besides
  /// Of load ports, for a store: data are written to L1 through what loads read them from.
  double store_commit_cycles = 0.0;
  /// For a load that two lines hold: no load port takes another one so long.
  double line_crossing_cycles = 0.0;
  bool counts_macro_operations = false;  ///< the front end, as LLVM counts them
  bool has_full_width = false;  ///< LLVM's model takes two halves for 512 bits, the core does not
  std::string memory_units;     ///< of LLVM's, for loads and stores: not looked at
  std::string load_ports;
  std::string vector_load_ports;   ///< empty: as load_ports
  std::string vector_store_ports;  ///< of data; empty: as store_data_ports
  std::string wide_load_ports;     ///< of more than 32 bytes
  std::string store_address_ports;
  std::string store_data_ports;
  std::uint64_t wide_store_cycles = 1;  ///< of store data ports, for more than 32 bytes
  std::string closed_by_wide;           ///< ports for vectors, where some instruction has 512 bits
  std::uint64_t load_latency = 5;       ///< into a general register
  std::uint64_t vector_load_latency = 7;
  std::uint64_t store_to_load_latency = 5;  ///< from the value stored to the value loaded
  bool renames_stores = false;              ///< that takes no time for moves into general registers
  std::vector<InstructionRule> rules;       ///< the first that fits counts
};

/// Error: `bad_input` for what is no such file, `name` in the message.
[[nodiscard]] Result<CoreData> parse_core_data(std::string_view text, const std::string& name);
/// Of all cores that Ridge has data of.
[[nodiscard]] std::span<const CoreData> known_cores();
/// nullptr: of no core that Ridge knows.
[[nodiscard]] const CoreData* core_of(std::string_view cpu);

/// The texts of cores/*.json. Defined in a source file that the build generates.
[[nodiscard]] std::span<const std::string_view> embedded_cores();

}  // namespace ridge::analyze
