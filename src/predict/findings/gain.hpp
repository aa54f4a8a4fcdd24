// What a change of a region would gain: its measured time, scaled by what its resources need before
// and after. docs/findings.md, "Gain".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/findings/subject.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {

/// How many times as fast the region becomes: between `least` (what the change does not touch
/// stays) and `most`. 1 <= least <= most.
struct Gain {
  double least = 1.0;
  double most = 1.0;
};

/// Wall seconds that a region needs of each resource, with the ceilings of its thread count.
struct Needs {
  double in_core = 0.0;     ///< arithmetic, and chains and dividers that run beside it: the longest
  std::vector<Limit> data;  ///< L1, then the levels beyond it, then what cores take from each other
  double code_roof = 0.0;   ///< the longest that the roof rule knows: no time below it is promised
  double machine_roof = 0.0;  ///< the same of the machine bound; 0 = unknown

  /// All resources at the same time.
  [[nodiscard]] double overlapped() const;
  /// One after the other.
  [[nodiscard]] double added() const;
  /// The longer of both roofs.
  [[nodiscard]] double floor() const;
};

/// Of a changed copy of the region.
[[nodiscard]] Needs needs_of(const Subject& subject, const Region& region);

/// Of the region itself: worked out once.
[[nodiscard]] const Needs& own_needs(const Subject& subject);

/// Time of the region itself that verdicts go by (judged_time); nullopt below 20 samples, which are
/// too few to compare with.
[[nodiscard]] std::optional<double> measured_seconds(const Region& region);

/// The time shrinks like the needs, overlapped or added; what they do not explain shrinks with
/// them, so they must explain 30 % of it. Never below `then.floor()`. nullopt without time, needs
/// or explanation.
[[nodiscard]] std::optional<Gain> gain_between(const Subject& subject, const Needs& now,
                                               const Needs& then);

/// Of a changed copy of the region.
[[nodiscard]] std::optional<Gain> gain_with(const Subject& subject, const Region& changed);

/// Between nothing and the roof after the change: for what no resource explains. `most` is at most
/// `limit`; without one nullopt where the roof is more than ten times as fast.
[[nodiscard]] std::optional<Gain> gain_up_to_roof(const Subject& subject, const Region& changed,
                                                  std::optional<double> limit = std::nullopt);

/// Of the region's wall time; 1 where that is not known.
[[nodiscard]] double share_of_time(const Subject& subject, double seconds);

/// The interval that holds both; nullopt when both are unknown.
[[nodiscard]] std::optional<Gain> both(const std::optional<Gain>& a, const std::optional<Gain>& b);

/// Cycles of the arithmetic chain at the least latencies that a source states, over all iterations
/// and threads; nullopt without a chain, or when a latency is unknown.
struct ChainCycles {
  double operations = 0.0;
  double cycles = 0.0;
  bool reduction = true;  ///< sums or products: their order may be changed
  std::string kinds;      ///< "add", "mul + add"
};
[[nodiscard]] std::optional<ChainCycles> arithmetic_chain(const Region& region,
                                                          const Microarchitecture& cpu);

/// The region with all flops of less than `bits` done in vectors of that width; its sums in as many
/// parts.
[[nodiscard]] Region widened(Region region, unsigned bits);

/// Traffic beyond L1 times `factor`, at the levels from `first` outwards.
[[nodiscard]] Region with_traffic(const Subject& subject, Level first, double factor);

/// Width of the instruction set that does most flops a second at this precision, of those measured
/// with the region's number of threads; nullopt when none was.
[[nodiscard]] std::optional<unsigned> fastest_width(const CeilingIndex& ceilings,
                                                    Precision precision, unsigned threads);

}  // namespace ridge::predict
