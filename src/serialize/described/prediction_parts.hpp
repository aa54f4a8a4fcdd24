// A prediction as a part of a file with several.
#pragma once

#include <string_view>

#include "core/value/kernel_prediction.hpp"
#include "serialize/described/kinds.hpp"

namespace ridge::serialize {

class Writer;

template <>
struct ByHand<KernelPrediction> {
  static constexpr std::string_view schema = "ridge.prediction-1.schema.json";
  static constexpr std::string_view name = "Prediction";
  static void write_members(Writer& writer, const KernelPrediction& prediction);
};

}  // namespace ridge::serialize
