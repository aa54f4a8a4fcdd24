// Floating-point operations of a stretch of machine code, per execution.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "core/value/region.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::measure {

/// A scalar operation has the width of its element, as in WorkTerm.
struct OperationKey {
  Precision precision = Precision::fp64;
  OperationKind kind = OperationKind::add;
  unsigned width_bits = 64;

  friend auto operator<=>(const OperationKey&, const OperationKey&) = default;
};

/// Flops by what does them; none is 0.
class OperationCounts {
 public:
  void add(const OperationKey& key, std::uint64_t flops);
  OperationCounts& operator+=(const OperationCounts& other);

  [[nodiscard]] const std::map<OperationKey, std::uint64_t>& by_key() const { return flops_; }
  [[nodiscard]] std::uint64_t of(const OperationKey& key) const;
  [[nodiscard]] std::uint64_t total() const;
  [[nodiscard]] bool empty() const { return flops_.empty(); }

  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;

 private:
  std::map<OperationKey, std::uint64_t> flops_;
};

/// For each key the smaller, or the larger.
[[nodiscard]] OperationCounts least(const OperationCounts& a, const OperationCounts& b);
[[nodiscard]] OperationCounts most(const OperationCounts& a, const OperationCounts& b);
/// What `a` has beyond `b`.
[[nodiscard]] OperationCounts beyond(const OperationCounts& a, const OperationCounts& b);

/// What one execution does: all lanes of what has no mask, and all lanes, switched off ones too, of
/// what has one.
struct ExecutionWork {
  OperationCounts plain;
  OperationCounts masked;
  Traffic frame{};  ///< bytes between registers and slots of the frame (FrameSlots)

  ExecutionWork& operator+=(const ExecutionWork& other) {
    plain += other.plain;
    masked += other.masked;
    frame += other.frame;
    return *this;
  }
  [[nodiscard]] bool computes() const { return !plain.empty() || !masked.empty(); }

  friend bool operator==(const ExecutionWork&, const ExecutionWork&) = default;
};

/// Of one execution, without the frame.
[[nodiscard]] ExecutionWork work_of(const machine_code::Instruction& instruction);

/// Between which it lies where executions differ in a way that no count tells.
struct WorkRange {
  ExecutionWork least;
  ExecutionWork most;

  WorkRange& operator+=(const WorkRange& other) {
    least += other.least;
    most += other.most;
    return *this;
  }
  /// Either of the two ways.
  void widen(const WorkRange& other);
  [[nodiscard]] bool is_exact() const { return least == most; }

  friend bool operator==(const WorkRange&, const WorkRange&) = default;
};

}  // namespace ridge::measure
