// A demand on a machine: which figure speaks for each resource, and what follows from them.
// Formulas and sources: docs/theory/predict.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/value/demand.hpp"
#include "core/value/resource_prediction.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// Data that lie in the host's memory cross a link before and after the computation.
struct Transfer {
  std::string link;         ///< "PCIe", "NVLink"
  bool duplex = false;      ///< both directions at once; else one after the other
  bool overlapped = false;  ///< with the computation; else it is waited for
};

struct PredictionChoices {
  /// Absent: sustained for a measured machine, theoretical for a published one. Where a figure of
  /// this basis is not known the other one stands in, with a note.
  std::optional<Basis> basis;
  /// Absent: whichever pipes that the demand can use have the higher peak.
  std::optional<Pipes> pipes;
  std::optional<Transfer> transfer;         ///< absent: the data are where the computation is
  bool cache_aware = false;                 ///< adds ResourceTime::cache_aware_roof
  std::map<std::string, double> latencies;  ///< s, by resource; lambda of the model
};

/// Traffic at the levels where it differs from the least, by level name.
using LevelTraffic = std::map<std::string, StreamTraffic>;

/// Levels with a bandwidth, innermost first, ending with the main memory.
[[nodiscard]] std::vector<std::string> bandwidth_levels(const TargetMachine& target);

/// `missing` is set when the machine has no peak for the precision, or no link of that name.
[[nodiscard]] ResourcePrediction predict_demand(const Demand& demand, const TargetMachine& target,
                                                const PredictionChoices& choices = {},
                                                const LevelTraffic& traffic = {});

/// Share of fma among the instructions whose kind is known: N_fma / (N_fma + N_add + N_mul).
/// nullopt when there are none.
[[nodiscard]] std::optional<double> fma_share(const OperationCounts& work);

}  // namespace ridge::predict
