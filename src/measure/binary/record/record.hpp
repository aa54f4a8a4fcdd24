// The record of one process (abi/record.h) as values. Nothing of its bytes is trusted: an engine
// may have died while it wrote them, and the program that ran could write into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "abi/record.h"
#include "core/result.hpp"
#include "measure/binary/record/sampled_stack.hpp"

namespace ridge::measure::binary {

enum class RecordingEngine { valgrind, bolt, dynamorio };

/// Where code lay in memory.
struct RecordedMapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t file_offset = 0;    ///< of `begin`
  std::optional<std::string> path;  ///< nullopt: memory without a file

  friend bool operator==(const RecordedMapping&, const RecordedMapping&) = default;
};

/// Code that ran, at addresses in memory.
struct RecordedBlock {
  std::uint64_t address = 0;
  std::uint32_t mapping = 0;  ///< its number; it need not be in the record
  std::vector<std::uint8_t> code;

  friend bool operator==(const RecordedBlock&, const RecordedBlock&) = default;
};

struct RecordedThread {
  std::optional<std::uint32_t> tid;  ///< the kernel's
  /// By number of the block; not 0.
  std::map<std::uint32_t, std::uint64_t> executions;
  /// Elements of blocks that are one repeated string instruction, by number of the block.
  std::map<std::uint32_t, std::uint64_t> turns;

  friend bool operator==(const RecordedThread&, const RecordedThread&) = default;
};

/// An instruction with a mask register.
struct MaskPlace {
  std::uint32_t block = 0;
  std::uint32_t offset = 0;  ///< in its block, in bytes; smaller than the block

  friend auto operator<=>(const MaskPlace&, const MaskPlace&) = default;
};

/// An instruction that the engine could not run.
struct UnknownInstruction {
  std::uint64_t address = 0;
  std::optional<std::uint32_t> mapping;
  std::vector<std::uint8_t> code;

  friend bool operator==(const UnknownInstruction&, const UnknownInstruction&) = default;
};

/// By region of the plan; 0 is none. Regions need not be in the plan.
using TrafficOfRegions = std::map<std::uint32_t, ridge_region_traffic>;

struct Record {
  RecordingEngine engine = RecordingEngine::valgrind;
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  bool forked = false;
  bool before_exec = false;  ///< written because the process became another program
  bool simulated = false;
  bool by_thread = false;
  bool serial = false;
  bool has_turns = false;  ///< blocks that are in no thread's `turns` had none; else nobody looked
  bool complete = false;   ///< its end is there; else it is read as far as it goes

  std::vector<std::string> arguments;
  std::optional<int> rank;                            ///< in MPI_COMM_WORLD
  std::map<std::uint32_t, RecordedMapping> mappings;  ///< by number
  std::vector<RecordedBlock> blocks;                  ///< by number
  std::map<std::uint32_t, RecordedThread> threads;    ///< in order of creation
  std::map<MaskPlace, std::uint64_t> active_lanes;    ///< over all executions of all threads
  /// Each stands for as many executed blocks; of threads by their number, which need not be in
  /// `threads`.
  std::vector<SampledStack> stacks;

  TrafficOfRegions traffic;
  TrafficOfRegions sampled_traffic;                     ///< of sampled lines alone
  std::map<std::uint32_t, TrafficOfRegions> elsewhere;  ///< by index into the plan's `elsewhere`
  std::map<std::uint64_t, ridge_region_lines> lines;    ///< by region
  /// By region. Verdicts are those of enum ridge_pilot_verdict, other numbers are finite.
  std::map<std::uint64_t, ridge_region_pilot> pilots;
  std::uint64_t lost_accesses = 0;

  std::vector<std::string> notes;  ///< sentences for people
  std::vector<UnknownInstruction> unknown;
  std::vector<std::string> uncounted;  ///< names of functions

  /// That lies around all of `block`; nullptr where the record has none.
  [[nodiscard]] const RecordedMapping* mapping_of(const RecordedBlock& block) const;
};

/// Texts are UTF-8 without control characters, whatever the record has. Sums that do not fit
/// saturate. Chunks of unknown kinds are skipped. Errors: `bad_input` with the offset in bytes for
/// what is no record, is of another version, or contradicts itself.
[[nodiscard]] Result<Record> read_record(std::span<const std::byte> bytes);

}  // namespace ridge::measure::binary
