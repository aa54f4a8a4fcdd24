// A demand on a machine: which figure speaks for each resource, and what follows from them.
// Formulas and sources: docs/theory/predict.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/demand.hpp"
#include "core/value/resource_prediction.hpp"
#include "core/value/target_machine.hpp"
#include "predict/roof/overlap_expression.hpp"

namespace ridge::predict {

/// Data that lie in the host's memory cross a link before and after the computation.
struct Transfer {
  std::string link;         ///< "PCIe", "NVLink"
  bool duplex = false;      ///< both directions at once; else one after the other
  bool overlapped = false;  ///< with the computation; else it is waited for
};

/// A resource of the user's own: a network, a file system, a lock.
struct OwnResource {
  std::string name;
  std::string unit = "byte";
  double amount = 0.0;
  double rate = 0.0;     ///< unit/s, positive
  double latency = 0.0;  ///< s, once
};

/// Of two kinds of stores to lines that are in no cache: those that read the line first, and those
/// that go past the caches.
enum class Stores { write_allocate, nontemporal };
[[nodiscard]] constexpr std::string_view to_string(Stores stores) {
  return stores == Stores::nontemporal ? "nontemporal" : "write-allocate";
}

/// A memory node and the share of the data that lies there.
struct MemoryShare {
  Level node = Level::DRAM;
  double share = 1.0;
};

struct PredictionChoices {
  /// Absent: sustained for a measured machine, theoretical for a published one. Where a figure of
  /// this basis is not known the other one stands in, with a note.
  std::optional<Basis> basis;
  /// Absent: whichever pipes that the demand can use have the higher peak.
  std::optional<Pipes> pipes;
  /// Absent: what the machine does (TargetMachine::write_allocate).
  std::optional<Stores> stores;
  /// Empty: the main memory. Else the nodes that hold the data; the shares add up to 1.
  std::vector<MemoryShare> memory;
  /// The data come from the memory once. Else the loop repeats over them, and what fits into a
  /// cache stays there.
  bool cold = false;
  /// Byte that a computation by its figures repeats over; absent: not known. Kernels know theirs.
  std::optional<double> working_set;
  /// Bytes are known down to this cache and no further out: what lies beyond may bind. Absent: they
  /// are known at every boundary.
  std::optional<Level> outermost_known;
  unsigned launches = 1;                    ///< of GPU kernels, where the latency of one is known
  std::optional<Transfer> transfer;         ///< absent: the data are where the computation is
  bool cache_aware = false;                 ///< adds ResourceTime::cache_aware_roof
  std::map<std::string, double> latencies;  ///< s, by resource; lambda of the model
  std::vector<OwnResource> own;             ///< transfers beside the machine's
  std::optional<OverlapExpression> overlap;
};

/// Traffic at the levels where it differs from the least; that of the memory stands at the main
/// memory. A level with no traffic at all is one that nothing reaches.
using LevelTraffic = std::map<Level, StreamTraffic>;

/// Levels with a bandwidth, innermost first, ending with the main memory.
[[nodiscard]] std::vector<Level> bandwidth_levels(const TargetMachine& target);

/// Memories with a bandwidth that all cores draw, innermost first.
[[nodiscard]] std::vector<Level> memory_nodes(const TargetMachine& target);

/// `missing` is set when the machine has no peak for the precision, no link of that name, or not
/// the memory that was chosen.
[[nodiscard]] ResourcePrediction predict_demand(const Demand& demand, const TargetMachine& target,
                                                const PredictionChoices& choices = {},
                                                const LevelTraffic& traffic = {});

/// Share of fma among the instructions whose kind is known: N_fma / (N_fma + N_add + N_mul).
/// nullopt when there are none.
[[nodiscard]] std::optional<double> fma_share(const OperationCounts& work);

}  // namespace ridge::predict
