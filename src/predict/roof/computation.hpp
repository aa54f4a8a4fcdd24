// A computation by its figures, whoever counted or measured them: work, bytes, time, and what
// follows from two of them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "core/value/demand.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {

/// What is known. Absent: not known. Amounts are not negative.
struct ComputationFigures {
  std::string name;
  std::string precision = "fp64";
  std::optional<double> work;                  ///< flop, of any kind
  std::map<std::string, double> work_by_kind;  ///< flop of add, mul, fma, div, sqrt
  std::optional<double> bytes;                 ///< across every boundary below the registers
  std::map<Level, double> bytes_at;
  std::optional<double> balance;    ///< byte/flop, code balance
  std::optional<double> intensity;  ///< flop/byte
  std::optional<double> seconds;
  std::optional<double> performance;  ///< flop/s
};

struct Computation {
  Demand demand;
  LevelTraffic traffic;           ///< of levels whose bytes are known
  std::optional<double> seconds;  ///< measured
  /// No amount was given, only ratios: work is kUnitWork, and times are those of that much.
  bool of_unit_work = false;
};
inline constexpr double kUnitWork = 1e12;  // flop

/// Missing figures follow from those that are there: work = performance x time = bytes / balance,
/// bytes = work x balance, time = work / performance. The bytes of the outermost level, where
/// levels are given, are those of Demand::least. Errors, `usage`: nothing to predict; figures that
/// say one thing twice (work and work by kind; balance and intensity; work, bytes and balance;
/// work, time and performance); a time of 0; amounts above 2^53; an unknown kind of operation or
/// precision.
[[nodiscard]] Result<Computation> computation_from(const ComputationFigures& figures);

/// The outermost cache whose bytes are given where those of no memory are: nothing is known of what
/// crosses further out. nullopt: bytes are known at every boundary.
[[nodiscard]] std::optional<Level> outermost_known(const Computation& computation);

/// The traffic by the levels that the target has: what was given for the memory, DRAM or HBM,
/// stands for its main memory, whatever its name. Bytes of several memories stay with those that
/// the target has, the others are added to its main memory; with `one_memory` all of them are. A
/// level that the target lacks is left out. Caches without bytes of their own have at least what
/// crosses the boundaries further out.
[[nodiscard]] LevelTraffic traffic_on(const Computation& computation, const TargetMachine& target,
                                      bool one_memory = false);

}  // namespace ridge::predict
