// The lines of a machine on a roofline chart: roofs, and ceilings below them that follow with
// certainty from what is known. Formulas: docs/theory/roofline.md, section 7.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/roofline_chart.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

struct LineChoices {
  std::vector<std::string> precisions{"fp64"};
  bool vector_pipes = true;
  bool matrix_pipes = false;
  /// Absent: sustained for a measured machine, theoretical for others.
  std::optional<Basis> basis;
  std::vector<Level> levels;  ///< empty: all that have a bandwidth
  bool memory_only = false;   ///< of `levels` empty: the main memory alone
  std::vector<Isa> isas;
  bool no_fma = false;
  bool no_simd = false;
  bool one_core = false;
};

/// A line that was asked for and that does not follow from the figures, or from what is known of
/// the cores (TargetMachine::microarchitecture), is left out, and a note says why.
///
/// Ceilings of a measured machine are measured ones. Of others, P being the published vector peak:
///   no fma    P / 2 where add, mul and fma share one pipe, and where the user gave the FMA units
///             that P counts; else the adds alone, P a / (2 f)
///   one ISA   P x (f w) / (f' w'), instructions per cycle f and lanes w of it, f' and w' of the
///             widest; no SIMD is the scalar one. Only where P is cores x clock x 2 f' w' with the
///             flop per cycle, the base clock or the boost clock that are published.
///   one core  P / cores, or flop per cycle x boost clock where both are published and P follows
///             from them; of memory only what somebody published of one core
[[nodiscard]] RooflineMachine roofline_lines(const TargetMachine& target,
                                             const LineChoices& choices);

}  // namespace ridge::predict
