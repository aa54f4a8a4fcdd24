// What each resource of a machine needs for a demand, and what follows: between full overlap and
// none. Formulas: docs/theory/predict.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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

/// T = amount / rate + latency.
struct ResourceTime {
  std::string resource;  ///< "compute", a level ("L2", "HBM") or a link ("PCIe")
  std::string unit;      ///< of the amount: "flop", "op" or "byte"
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
  /// Intensity of registers-L1 x rate, where it was asked for: flop/s.
  std::optional<double> cache_aware_roof;

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
  std::optional<EnergyPrediction> energy;            ///< where joules are known
  std::vector<Note> notes;

  friend bool operator==(const ResourcePrediction&, const ResourcePrediction&) = default;
};

}  // namespace ridge
