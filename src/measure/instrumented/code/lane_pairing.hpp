// Which counters of lanes speak for the masked operations of a class.
#pragma once

#include <set>
#include <utility>

#include "measure/code/operation_counts.hpp"

namespace ridge::measure {

/// Widths are left out: the back end splits what is wider than its registers.
using KindOfWork = std::pair<Precision, OperationKind>;

struct LanePairing {
  std::set<KindOfWork> counted;  ///< the counters of lanes of these kinds are right
  /// Masked operations whose active lanes no counter tells, all lanes.
  OperationCounts open;
};

/// `with_lanes`: what the counters of lanes would add with all lanes on: of operations that the IR
/// masks, and of those whose result a select takes or not, which the back end may mask. Where the
/// machine code masks as many of a kind, the counters are right, and what it masks beyond them is
/// open. Without any mask all lanes ran, and no counter of lanes adds anything. Where it masks only
/// a part nobody knows which, and where copies of the code differ neither: all of it is open.
[[nodiscard]] LanePairing pair_lanes(const WorkRange& work, const OperationCounts& with_lanes);

}  // namespace ridge::measure
