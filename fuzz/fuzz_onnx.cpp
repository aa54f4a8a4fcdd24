// ONNX models through the reader, the formulas of the layers, their times and the renderers: what
// `ridge predict model.onnx` does. Mutations begin with valid models and mostly keep them so.
#include <cstdlib>
#include <string>

#include "fuzz/json_mutation.hpp"
#include "fuzz/onnx_mutation.hpp"
#include "predict/network/layer_times.hpp"
#include "predict/network/layers.hpp"
#include "predict/onnx/reader.hpp"
#include "predict/projection/target_machine.hpp"
#include "render/document/network/network_table.hpp"
#include "serialize/network.hpp"
#include "serialize/specification.hpp"
#include "serialize/tensor_graph.hpp"

namespace ridge::fuzz {
namespace {

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

Result<TensorGraph> read(std::string_view bytes) {
  predict::DimensionSizes sizes;
  sizes.batch = 2;
  sizes.named["sequence"] = 16;
  auto graph = predict::read_onnx(bytes, "fuzzed.onnx", sizes);
  if (!graph && graph.error().code == ErrorCode::usage) {  // it has no such dimensions
    graph = predict::read_onnx(bytes, "fuzzed.onnx", {});
  }
  return graph;
}

bool accepts(std::string_view bytes) {
  return read(bytes).has_value();
}

void use(const TensorGraph& graph, bool fuse) {
  require(serialize::parse_tensor_graph(serialize::write_tensor_graph(graph), "again.json")
              .has_value());
  const auto network = predict::layers_of(graph, {"", fuse});
  if (!network) {
    require(!network.error().message.empty());
    return;
  }
  static const TargetMachine target = predict::target_from(serialize::known_specifications()[0]);
  std::vector<NetworkTimes> times;
  if (auto one = predict::times_of(*network, target)) {
    times.push_back(std::move(*one));
  }
  require(!serialize::write_network(*network, times).empty());
  require(!render::network_table(*network, times, {}).empty());
}

}  // namespace
}  // namespace ridge::fuzz

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace ridge::fuzz;
  if (size > 8 && seed % 32 == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  return hand_over(mutate_onnx({reinterpret_cast<const char*>(data), size}, seed, accepts), data,
                   max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  static fuzz::Acceptance acceptance;
  const auto graph = fuzz::read({reinterpret_cast<const char*>(data), size});
  if (graph) {
    fuzz::use(*graph, size % 2 == 0);
  } else {
    fuzz::require(!graph.error().message.empty());
  }
  return acceptance.count(graph.has_value());
}
