// The other JSON that Ridge reads, each through to what is made of it: published machines, tables
// of microarchitectures and of caches, graphs of neural networks, models of loops; lists of compile
// commands; and the geometry of caches from the command line.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/value/cache_geometry.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "fuzz/json_mutation.hpp"
#include "predict/model/predict_loop.hpp"
#include "predict/network/layer_times.hpp"
#include "predict/network/layers.hpp"
#include "predict/projection/target_machine.hpp"
#include "render/document/bench/specification_table.hpp"
#include "render/document/model/loop_document.hpp"
#include "render/document/model/sweep_svg.hpp"
#include "render/document/network/network_table.hpp"
#include "serialize/compile_commands.hpp"
#include "serialize/known_caches.hpp"
#include "serialize/loop_model.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/network.hpp"
#include "serialize/schema_name.hpp"
#include "serialize/specification.hpp"
#include "serialize/tensor_graph.hpp"

namespace ridge::fuzz {
namespace {

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

bool specification(std::string_view text) {
  const auto machine = serialize::parse_specification(text, "fuzzed.json", "fuzzed");
  if (!machine) {
    return false;
  }
  require(!render::specification_details(*machine, {}).empty());
  require(!render::specification_list({*machine}, "fp64", {}).empty());
  require(!serialize::write_specifications({*machine}).empty());
  require(!predict::target_from(*machine).figures.key.empty());
  return true;
}

bool tensor_graph(std::string_view text) {
  const auto graph = serialize::parse_tensor_graph(text, "fuzzed.json");
  if (!graph) {
    return false;
  }
  require(serialize::parse_tensor_graph(serialize::write_tensor_graph(*graph), "again.json")
              .has_value());
  const auto network = predict::layers_of(*graph, {"", text.size() % 2 == 0});
  if (!network) {
    return true;
  }
  static const TargetMachine target = predict::target_from(serialize::known_specifications()[0]);
  std::vector<NetworkTimes> times;
  if (auto one = predict::times_of(*network, target)) {
    times.push_back(std::move(*one));
  }
  require(!serialize::write_network(*network, times).empty());
  require(!render::network_table(*network, times, {}).empty());
  return true;
}

bool loop_models(std::string_view text) {
  auto models = serialize::parse_loop_models(text, "fuzzed.json");
  if (!models) {
    return false;
  }
  require(serialize::parse_loop_models(serialize::write_loop_models(*models), "again.json") ==
          *models);
  static const Machine machine;
  for (LoopModel& model : models->models) {
    model.predictions.push_back(predict::predict_loop(model, machine, nullptr, 1));
  }
  (void)render::loop_models_text(*models, {});
  (void)render::loop_models_markdown(*models);
  require(!render::loop_models_page(*models).empty());
  require(!render::loop_sweep_svg(*models).empty());
  return true;
}

bool read(std::string_view text) {
  const auto schema = serialize::schema_name(text, "fuzzed.json");
  if (!schema) {
    static const Machine machine;
    const bool is_list = serialize::parse_compile_commands(text, "fuzzed.json").has_value();
    return parse_cache_geometry(text, machine).has_value() || is_list;
  }
  if (*schema == "ridge.loop-model/1") {
    return loop_models(text);
  }
  if (*schema == "ridge.specification/1") {
    return specification(text);
  }
  if (*schema == "ridge.microarchitectures/1") {
    return serialize::parse_microarchitectures(text, "fuzzed.json").has_value();
  }
  if (*schema == "ridge.caches/1") {
    return serialize::parse_known_caches(text, "fuzzed.json").has_value();
  }
  return tensor_graph(text);
}

std::string fresh_loop_models() {
  LoopModel model;
  model.function = "jacobi";
  model.loops = {{"i", "1", 1, "N - 2", 998, 4}};
  model.accesses = {{"read a[i - 1]", "a", 8, false, false, false, 5},
                    {"write b[i]", "b", 8, true, false, false, 5}};
  model.operations = {{"fma", "fp64", 2, false}};
  model.values = {{"N", 1000}};
  model.conditions = {{Level::L1, "24*N <= 48 KiB", true, 3, 1, "N", 2048}};
  model.traffic = {{TrafficMethod::simulation, {{Level::L2, 16.0, 8.0}}, 0.01, {}}};
  model.in_core.emplace().cycles = 3.0;
  model.in_core->ports = {{"p0", 2.0}};
  LoopModels models{"0.1.0", "2026-11-28T09:00:00Z", "a.c", "m", {model, model, model}};
  models.models[1].values["N"] = 2000;
  models.models[2].values["N"] = 4000;
  return serialize::write_loop_models(models);
}

std::string fresh(unsigned seed) {
  if (seed % 3 == 0) {
    return fresh_loop_models();
  }
  if (seed % 3 == 1) {
    const auto& all = serialize::known_specifications();
    return serialize::write_specification(all[seed % all.size()]);
  }
  TensorGraph graph;
  graph.opset = 17;
  graph.tensors = {{"x", TensorRole::input, "fp32", {{1, 8, 32, 32}}},
                   {"w", TensorRole::weight, "fp16", {{16, 8, 3, 3}}},
                   {"y", TensorRole::activation, "fp32", {{1, 16, 30, 30}}},
                   {"z", TensorRole::activation, "fp32", {{1, 16, 30, 30}}}};
  graph.nodes = {{"conv", "", "Conv", {0, 1}, {2}, {{"group", std::int64_t{1}}}, 0},
                 {"relu", "", "Relu", {2}, {3}, {}, 0}};
  graph.outputs = {3};
  return serialize::write_tensor_graph(graph);
}

}  // namespace
}  // namespace ridge::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace ridge::fuzz;
  const std::string text(reinterpret_cast<const char*>(data), size);
  return hand_over(mutate_json(size < 8 || seed % 64 == 0 ? fresh(seed) : text, seed, read), data,
                   max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ridge::fuzz::Acceptance acceptance;
  return acceptance.count(ridge::fuzz::read({reinterpret_cast<const char*>(data), size}));
}
