// What each resource of a machine needs for a demand, and what follows: between full overlap and
// none. Formulas: docs/theory/predict.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "core/value/note.hpp"
#include "core/value/specification.hpp"

namespace ridge {

/// How a resource's time joins the others'.
enum class Overlap {
  compute,  ///< beside everything else
  data,     ///< ECM: transfers between levels come one after another, beside the arithmetic
  none,     ///< nothing else runs meanwhile: a transfer that is waited for
};

/// "compute", "data", "none".
[[nodiscard]] constexpr std::string_view to_string(Overlap overlap) {
  return overlap == Overlap::compute ? "compute" : overlap == Overlap::data ? "data" : "none";
}

/// T = amount / rate + latency.
struct ResourceTime {
  std::string resource;  ///< "compute", a level ("L2", "HBM"), a link ("PCIe") or "launch"
  std::string unit;      ///< of the amount: "flop", "op", "byte" or "launch"
  double amount = 0.0;
  double rate = 0.0;     ///< unit/s, positive
  double latency = 0.0;  ///< s, once
  double seconds = 0.0;
  Overlap overlap = Overlap::data;
  std::string rate_name;       ///< "fp64 vector", "HBM triad", id of a ceiling
  std::optional<Basis> basis;  ///< of the rate
  Origin origin = Origin::datasheet;
  std::optional<std::string> source;
  bool verified = true;
  /// Work over bytes at this level; absent without work.
  std::optional<double> intensity;
  /// intensity x rate, or the compute rate: flop/s (op/s).
  std::optional<double> roof;
  /// Of a level: compute rate over this rate, the intensity at which both take the same time.
  std::optional<double> ridge_point;
  /// Intensity of registers-L1 x rate, where it was asked for: flop/s.
  std::optional<double> cache_aware_roof;
  /// Of the rate that a measured run reached: `seconds` over the measured time.
  std::optional<double> used;

  friend bool operator==(const ResourceTime&, const ResourceTime&) = default;
};

/// Energy roofline (Choi et al. 2013): E = W e_flop + sum V e_byte + P_constant T.
struct EnergyPrediction {
  double joules = 0.0;          ///< over the time of full overlap
  double dynamic_joules = 0.0;  ///< without the constant power
  std::optional<double> flops_per_joule;
  double watts = 0.0;  ///< mean over that time

  friend bool operator==(const EnergyPrediction&, const EnergyPrediction&) = default;
};

/// A measured time against the interval between full overlap and none.
enum class RoofStanding {
  above_roof,   ///< shorter than full overlap allows
  near_roof,    ///< at most a quarter longer than full overlap
  in_interval,  ///< further from it, and no longer than without overlap
  below,        ///< longer than without any overlap
};
[[nodiscard]] std::string_view to_string(RoofStanding standing);

/// The answer to an inverse question: "alpha", "DRAM bandwidth", "time".
struct Solved {
  std::string quantity;
  double value = 0.0;
  std::string unit;  ///< "byte/s", "flop/s", "s"; empty: none

  friend bool operator==(const Solved&, const Solved&) = default;
};

struct MeasuredTime {
  double seconds = 0.0;
  double performance = 0.0;  ///< work / seconds
  double share = 0.0;        ///< of what is attainable: full overlap / seconds
  RoofStanding standing = RoofStanding::near_roof;
  std::string sentence;  ///< the same in words, with what follows from it

  friend bool operator==(const MeasuredTime&, const MeasuredTime&) = default;
};

struct ResourcePrediction {
  std::string machine;  ///< key
  std::string machine_name;
  std::vector<ResourceTime> resources;  ///< compute first, then levels inner to outer, then links
  /// Why there is no prediction: "no fp16 peak known". Then the times below are absent.
  std::optional<std::string> missing;
  std::string unit = "flop";  ///< of the work: "flop", "op" (integers) or "byte" (no work)
  double work = 0.0;
  std::optional<double> seconds;       ///< full overlap: the largest T (transfers waited for added)
  std::optional<double> ecm_seconds;   ///< ECM: max(arithmetic, all data transfers one by one)
  std::optional<double> sum_seconds;   ///< no overlap
  std::optional<std::size_t> binding;  ///< index of the largest T
  std::optional<std::size_t> next;     ///< of the second largest
  std::optional<double> attainable;    ///< work / seconds
  std::optional<double> attainable_without_overlap;  ///< work / sum_seconds
  std::string combination;                           ///< expression of --overlap; empty: none
  std::optional<double> combined_seconds;            ///< by that expression
  std::optional<MeasuredTime> measured;              ///< where a time was given
  std::optional<Solved> solved;                      ///< what was asked for of this machine
  std::optional<double> speedup;  ///< times as fast as the machine that others refer to
  /// What carries work or traffic here and has no known rate: "L2", "compute". It may bind.
  std::vector<std::string> unbounded;
  /// Full overlap of the resources that every machine beside this one bounds too. Absent: alone, or
  /// no prediction.
  std::optional<double> common_seconds;
  std::optional<unsigned> rank;  ///< by common_seconds, 1: the shortest; equal ones share it
  std::optional<EnergyPrediction> energy;  ///< where joules are known
  std::vector<Note> notes;

  friend bool operator==(const ResourcePrediction&, const ResourcePrediction&) = default;
};

}  // namespace ridge
