// A core: LLVM's scheduling model, corrected by Ridge's own data where there are some.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyze/in_core/core_data.hpp"
#include "analyze/in_core/scheduling_model.hpp"
#include "core/result.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::analyze {

/// What an instruction takes of a core.
struct InstructionCost {
  std::vector<UnitUse> loads;  ///< one micro-operation each
  std::vector<UnitUse> compute;
  std::vector<UnitUse> store_addresses;
  std::vector<UnitUse> store_data;
  unsigned load_latency = 0;
  unsigned latency = 0;                     ///< of what is computed, loads not included
  std::optional<unsigned> chained_latency;  ///< to one of the same rule
  const void* rule = nullptr;               ///< tells rules apart
  unsigned divider_cycles = 0;
  unsigned slots = 1;  ///< of the front end
  bool known = true;
  std::optional<std::int64_t> increment;  ///< see ScheduledInstruction
};

class CoreModel {
 public:
  /// `cpu`: LLVM's name; empty: that of the CPU which this process runs on. Errors: as
  /// SchedulingModel.
  [[nodiscard]] static Result<CoreModel> of(const std::string& cpu);

  /// `code` begins with the bytes of `instruction`. `beside_wide`: some instruction of the loop has
  /// vectors of 512 bits.
  [[nodiscard]] InstructionCost cost(const machine_code::Instruction& instruction,
                                     std::span<const std::uint8_t> code, bool beside_wide);

  /// "Golden Cove", or LLVM's name of the CPU.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const CoreData* data() const { return data_; }
  [[nodiscard]] const std::vector<std::string>& units() const { return units_; }
  [[nodiscard]] std::uint64_t load_units() const { return load_units_; }
  [[nodiscard]] std::uint64_t store_units() const { return store_units_; }
  /// Units of the data's letters; not without data.
  [[nodiscard]] std::uint64_t ports(std::string_view letters) const;
  [[nodiscard]] unsigned rename_width() const;
  [[nodiscard]] unsigned retire_width() const;
  [[nodiscard]] unsigned reorder_buffer() const;
  /// How many micro-operations of the kind of `units` wait for their operands at a time.
  [[nodiscard]] std::size_t scheduler(std::uint64_t units) const;
  [[nodiscard]] double least_pass_cycles() const;
  [[nodiscard]] unsigned store_to_load_latency() const;
  [[nodiscard]] bool renames_stores() const { return data_ != nullptr && data_->renames_stores; }

 private:
  explicit CoreModel(SchedulingModel model) : model_(std::move(model)) {}
  void probe_memory_units();
  void add_memory(InstructionCost& cost, const machine_code::Instruction& instruction) const;
  /// `halved`: LLVM counts two halves of what the core does at once.
  void add_llvms(InstructionCost& cost, const ScheduledInstruction& scheduled, bool with_memory,
                 bool halved) const;
  void split_latency(InstructionCost& cost, const machine_code::Instruction& instruction) const;
  void close_ports(InstructionCost& cost) const;
  void apply(InstructionCost& cost, const InstructionRule& rule) const;
  void count_slots(InstructionCost& cost, const machine_code::Instruction& instruction,
                   const ScheduledInstruction& scheduled) const;

  SchedulingModel model_;
  const CoreData* data_ = nullptr;
  std::string name_;
  std::vector<std::string> units_;
  std::uint64_t load_units_ = 0;
  std::uint64_t store_units_ = 0;
  unsigned load_latency_ = 0;         ///< of LLVM, into a general register
  unsigned vector_load_latency_ = 0;  ///< of LLVM
};

}  // namespace ridge::analyze
