// What LLVM knows of a core: its units, and which of them each instruction takes for how long.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::analyze {

/// One of `units` is taken for `cycles`. A set of one unit: that one.
struct UnitUse {
  std::uint64_t units = 0;  ///< bit i: the unit i of the model
  unsigned cycles = 1;

  friend bool operator==(const UnitUse&, const UnitUse&) = default;
};

/// Of one instruction, its loads and stores included.
struct ScheduledInstruction {
  bool decoded = false;           ///< LLVM knows the instruction
  bool scheduled = false;         ///< and has data of it
  unsigned micro_operations = 0;  ///< as the model counts them
  unsigned latency = 0;           ///< from its operands to its slowest result, loads included
  std::vector<UnitUse> uses;
  /// It adds this to its only destination register and computes nothing else.
  std::optional<std::int64_t> increment;
};

/// The scheduling model of one CPU. Not for several threads at a time.
class SchedulingModel {
 public:
  /// `cpu`: LLVM's name ("sapphirerapids"). Errors: `bad_input` for a name that LLVM does not know,
  /// `unavailable` for one without a scheduling model.
  [[nodiscard]] static Result<SchedulingModel> of(const std::string& cpu);
  /// LLVM's name of the CPU that this process runs on.
  [[nodiscard]] static std::string host();

  SchedulingModel(SchedulingModel&&) noexcept;
  SchedulingModel& operator=(SchedulingModel&&) noexcept;
  ~SchedulingModel();

  /// Of the first instruction of `code`. Bytes that are none: not decoded.
  [[nodiscard]] ScheduledInstruction instruction(std::span<const std::uint8_t> code);
  /// Names of the units, at most 64.
  [[nodiscard]] const std::vector<std::string>& units() const;
  [[nodiscard]] unsigned issue_width() const;     ///< micro-operations a cycle
  [[nodiscard]] unsigned reorder_buffer() const;  ///< micro-operations

 private:
  struct Parts;
  explicit SchedulingModel(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ridge::analyze
