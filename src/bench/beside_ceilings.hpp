// What is measured beside the ceilings and their roofs: rates that are held for seconds, the
// hyperthreads of a core, pairs of NUMA nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/campaign.hpp"
#include "bench/numa.hpp"
#include "bench/runner.hpp"
#include "bench/wall_budget.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// What takes time of its own beside the samples of the ceilings.
[[nodiscard]] Seconds time_beside_ceilings(const Campaign& campaign,
                                           const std::vector<NumaProbe>& pairs, Seconds wall);

/// Which of the CPUs and nodes are looked at together.
struct Together {
  std::vector<NumaProbe> node_pairs;
  std::vector<unsigned> siblings;  ///< CPUs that share a core; fewer than two share nothing
};

struct BesideCeilings {
  std::vector<Sustained> sustained;
  std::vector<Siblings> siblings;
  std::vector<NumaEntry> numa;
  std::optional<std::string> node_error;  ///< why a pair of nodes is not measured
};

/// What the campaign wants of it, until stopped. A pair of nodes that the system does not let us
/// look at is left out; a single one is not looked at, since that is what the ceilings of memory
/// say. Errors: as Runner::run().
[[nodiscard]] Result<BesideCeilings> measure_beside_ceilings(Runner& runner,
                                                             const Campaign& campaign,
                                                             const Together& together,
                                                             const Machine& machine,
                                                             WallBudget& budget);

}  // namespace ridge::bench
