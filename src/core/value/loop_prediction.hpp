// How fast a loop can be on a machine before it has run there: by the roofline, and by the
// execution-cache-memory model. Formulas and sources: docs/theory/loops.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/identity/level.hpp"
#include "core/value/note.hpp"
#include "core/value/overlap_rule.hpp"

namespace ridge {

/// The least time that one resource needs for an iteration.
struct LoopLimit {
  std::string resource;  ///< "arithmetic", "in-core", or the level whose bandwidth it is: "DRAM"
  std::string ceiling;   ///< id of the ceiling that says so; empty: the in-core model
  double seconds = 0.0;  ///< per iteration, all threads together

  friend bool operator==(const LoopLimit&, const LoopLimit&) = default;
};

/// All resources at once: the slowest binds.
struct LoopRoofline {
  std::string binds;                  ///< resource of the limit that takes longest
  double seconds = 0.0;               ///< per iteration, all threads together
  std::optional<double> performance;  ///< flop/s; absent: the loop has no flops
  std::vector<LoopLimit> limits;      ///< core first, then levels from the innermost outwards

  friend bool operator==(const LoopRoofline&, const LoopRoofline&) = default;
};

/// Time of the lines that cross the boundary through which a level serves the one before it.
struct EcmTransfer {
  Level level = Level::L2;
  std::optional<double> cycles;  ///< per iteration; absent: not known
  std::string ceiling;           ///< id of the ceiling nearest to its mix of reads and writes
  std::string missing;           ///< why it is not known; empty: it is

  friend bool operator==(const EcmTransfer&, const EcmTransfer&) = default;
};

/// One core whose data come from this level.
struct EcmLevel {
  Level level = Level::L1;
  double cycles = 0.0;                ///< per iteration
  std::optional<double> performance;  ///< flop/s; absent: the loop has no flops

  friend bool operator==(const EcmLevel&, const EcmLevel&) = default;
};

/// So many threads, each on a core of its own, with data from the outermost level.
struct EcmScaling {
  unsigned threads = 1;
  double iterations_per_second = 0.0;  ///< of all of them
  std::optional<double> performance;   ///< flop/s; absent: the loop has no flops

  friend bool operator==(const EcmScaling&, const EcmScaling&) = default;
};

/// Execution, caches and memory of one core. Cycles are those of an iteration.
struct EcmModel {
  OverlapRule overlap = OverlapRule::arithmetic;
  double overlapping_cycles = 0.0;     ///< T_OL
  double transferring_cycles = 0.0;    ///< T_nOL
  std::vector<EcmTransfer> transfers;  ///< L2 first
  std::vector<EcmLevel> levels;        ///< L1 first, up to the first transfer that is not known
  /// Of the outermost transfer at the bandwidth that all cores draw together.
  std::optional<double> saturated_cycles;
  std::optional<unsigned> saturating_threads;  ///< n_sat: the fewest that draw that bandwidth
  std::vector<EcmScaling> scaling;             ///< ascending; empty: memory is not known

  friend bool operator==(const EcmModel&, const EcmModel&) = default;
};

struct LoopPrediction {
  std::string machine;
  unsigned threads = 1;         ///< of the rooflines
  std::optional<double> clock;  ///< Hz, of a core; absent: not known, and cycles with it
  /// Iterations of the source that walk through one cache line.
  double iterations_per_line = 1.0;
  std::optional<LoopRoofline> naive;         ///< best arithmetic and main memory alone
  std::optional<LoopRoofline> hierarchical;  ///< the loop's own core time and every level
  std::optional<EcmModel> ecm;               ///< absent: no in-core model, or no clock
  std::vector<Note> notes;

  friend bool operator==(const LoopPrediction&, const LoopPrediction&) = default;
};

}  // namespace ridge
