// A kernel of the catalogue in words, and what it would reach where.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/demand.hpp"
#include "core/value/resource_prediction.hpp"

namespace ridge {

/// One entry of the catalogue as it is shown.
struct KernelText {
  struct Parameter {
    std::string name;
    std::string meaning;
    std::optional<std::string> fallback;  ///< absent: must be given
  };
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::string work;                  ///< formula
  std::string traffic;               ///< formula of the least traffic
  std::optional<std::string> cache;  ///< formula of the traffic below a smaller cache
  std::string source;
};

struct KernelCatalogue {
  std::vector<KernelText> kernels;
};

struct KernelPrediction {
  struct Value {
    std::string name;
    double value = 0.0;
  };
  /// Traffic below a cache of this size.
  struct BelowCache {
    double cache_bytes = 0.0;
    StreamTraffic traffic;
  };
  KernelText kernel;
  std::vector<Value> parameters;
  Demand demand;
  std::vector<BelowCache> by_cache;  ///< sizes at which it changes; empty: no formula
  std::optional<double> measured_seconds;
  std::optional<Solved> solved;  ///< the parameter that was asked for
  /// No amounts were given, only ratios: the times are those of this much work, in flop.
  std::optional<double> unit_work;
  std::vector<ResourcePrediction> machines;
};

struct KernelPredictions {
  std::vector<KernelPrediction> predictions;
};

}  // namespace ridge
