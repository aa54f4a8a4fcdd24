// Which probe counts how often a block of machine code ran.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "machine_code/function.hpp"
#include "measure/instrumented/code/pseudo_probes.hpp"

namespace ridge::measure {

/// What is known of how often a probe is passed.
enum class ProbeCount {
  none,       ///< not a probe of ours
  uncounted,  ///< code that does no work of the program in the mode that counts
  unknown,    ///< no counter belongs to its code
  counted,
};
struct ProbeFacts {
  ProbeCount count = ProbeCount::none;
  bool behind_call = false;  ///< not at the begin of a block of the IR
};
using ProbeLookup = std::function<ProbeFacts(const ProbeName&)>;

struct BlockCount {
  std::optional<ProbeName> counted_by;
  std::vector<ProbeName> also;  ///< probes that were passed equally often
  bool is_uncounted = false;    ///< not the program's work: nothing of it is counted

  /// Ways on from an earlier block end here: what follows has a count of its own, or none at all.
  [[nodiscard]] bool ends_ways() const { return counted_by || is_uncounted; }
};

/// One for each block of `function`. `probes` are those inside it, by address. `copies` says in how
/// many places a probe stands; of a block's probes the one with the fewest is taken.
[[nodiscard]] std::vector<BlockCount> count_blocks(const machine_code::Function& function,
                                                   std::span<const Probe> probes,
                                                   const ProbeLookup& lookup,
                                                   const std::map<ProbeName, unsigned>& copies);

}  // namespace ridge::measure
