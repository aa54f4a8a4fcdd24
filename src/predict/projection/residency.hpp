// A loop that repeats over its data moves nothing beyond the cache that holds them.
#pragma once

#include "core/value/resource_prediction.hpp"
#include "core/value/target_machine.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {

struct RepeatedData {
  double bytes = 0.0;   ///< all that is read or written
  bool shared = false;  ///< each core needs all of them, not its part
};

/// predict_demand() with no traffic beyond the innermost cache that holds the data; stores past the
/// caches reach the memory all the same. Notes say which cache it is, and which bound stands where
/// its bandwidth is not known. With `cold` predict_demand() alone. Formulas:
/// docs/theory/predict.md, section 3.
[[nodiscard]] ResourcePrediction predict_repeated(const Demand& demand, const RepeatedData& data,
                                                  const TargetMachine& target,
                                                  const PredictionChoices& choices,
                                                  LevelTraffic traffic);

/// A computation by its figures: as above where its working set was given.
[[nodiscard]] ResourcePrediction predict_figures(const Demand& demand, const TargetMachine& target,
                                                 const PredictionChoices& choices,
                                                 LevelTraffic traffic);

}  // namespace ridge::predict
