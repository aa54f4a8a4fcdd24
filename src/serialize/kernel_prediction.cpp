#include "serialize/kernel_prediction.hpp"

#include "core/describe/resource_prediction.hpp"
#include "serialize/described/prediction_parts.hpp"
#include "serialize/described/write.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {

void ByHand<KernelPrediction>::write_members(Writer& writer, const KernelPrediction& prediction) {
  writer.member("schema", "ridge.prediction/1");
  serialize::write_members(writer, prediction);
}

std::string write_kernel_prediction(const KernelPrediction& prediction) {
  Writer writer;
  ByHand<KernelPrediction>::write_members(writer, prediction);
  return writer.finish();
}

std::string write_kernel_predictions(const std::vector<KernelPrediction>& predictions) {
  Writer writer;
  writer.member("schema", "ridge.predictions/1");
  write_members(writer, KernelPredictions{predictions});
  return writer.finish();
}

std::string write_kernels(const std::vector<KernelText>& kernels) {
  Writer writer;
  writer.member("schema", "ridge.kernels/1");
  write_members(writer, KernelCatalogue{kernels});
  return writer.finish();
}

}  // namespace ridge::serialize
