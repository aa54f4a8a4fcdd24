#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "core/describe/comparison.hpp"
#include "core/describe/known_caches.hpp"
#include "core/describe/loop_model.hpp"
#include "core/describe/machine.hpp"
#include "core/describe/microarchitecture.hpp"
#include "core/describe/network.hpp"
#include "core/describe/page.hpp"
#include "core/describe/profile.hpp"
#include "core/describe/projection.hpp"
#include "core/describe/resource_prediction.hpp"
#include "core/describe/roofline_chart.hpp"
#include "core/describe/sparse_study.hpp"
#include "core/describe/specification.hpp"
#include "core/describe/tensor_graph.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/page_parts.hpp"
#include "serialize/described/prediction_parts.hpp"
#include "serialize/documents/documents.hpp"
#include "serialize/documents/shape_of.hpp"

namespace ridge::serialize {
namespace {

enum class Use { read_and_written, written, written_by_people };

template <class T>
Format format_of(std::string_view schema, std::string_view title, Use use = Use::read_and_written) {
  Format format;
  format.schema = schema;
  format.title = title;
  format.is_read = use != Use::written;
  format.by_people = use == Use::written_by_people;
  (void)shape_of_object<T>(format);
  return format;
}

}  // namespace

void add_estimate(Format& format) {
  const auto is_it = [](const ObjectShape& object) { return object.name == "Estimate"; };
  if (std::any_of(format.objects.begin(), format.objects.end(), is_it)) {
    return;
  }
  const auto number = [](std::string key, std::string meaning, describe::Limits limits) {
    return FieldShape{.key = std::move(key),
                      .unit = "in unit",
                      .meaning = std::move(meaning),
                      .shape = {.kind = Shape::Kind::number, .limits = limits}};
  };
  ObjectShape estimate{"Estimate",
                       "order statistics of samples: low <= median <= p90 <= high",
                       {number("median", "", describe::kNotNegative),
                        number("p90", "of a ceiling the value that is quoted", describe::kPositive),
                        number("low", "10th percentile", describe::kNotNegative),
                        number("high", "90th percentile, or more", describe::kNotNegative)}};
  estimate.fields.push_back({.key = "samples", .shape = shape_of<std::uint64_t>(format, {})});
  estimate.fields.push_back(
      {.key = "unit",
       .shape = {.kind = Shape::Kind::choice,
                 .choices = {"flop/s", "op/s", "byte/s", "s", "Hz", "cycle"}}});
  estimate.fields.push_back({.key = "origin", .shape = shape_of<Origin>(format, {})});
  format.objects.push_back(std::move(estimate));
}

namespace {

ObjectShape& object_called(Format& format, std::string_view name) {
  return *std::find_if(format.objects.begin(), format.objects.end(),
                       [&](const ObjectShape& object) { return object.name == name; });
}

FieldShape& field_called(Format& format, std::string_view object, std::string_view key) {
  auto& fields = object_called(format, object).fields;
  return *std::find_if(fields.begin(), fields.end(),
                       [&](const FieldShape& field) { return field.key == key; });
}

/// Of the values of its type a field has only these.
template <class E>
void narrow(FieldShape& field, std::initializer_list<E> values) {
  field.shape.choices.clear();
  for (const E value : values) {
    field.shape.choices.emplace_back(to_string(value));
  }
}

/// Text that is there is not empty.
void refuse_empty(Format& format, std::string_view object,
                  std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    field_called(format, object, key).shape.non_empty = true;
  }
}

/// {"if": kind, "then": the units of its rates}.
std::string units_of(CeilingKind kind, std::string_view units) {
  return fmt::format(
      R"({{"if": {{"properties": {{"kind": {{"const": "{0}"}}}}}}, "then": {{"properties": {{)"
      R"("value": {{"properties": {{"unit": {1}}}}}, "traffic_value": {{"properties": {{"unit": {1}}}}}}}}}}})",
      to_string(kind), units);
}

/// What lists of fields cannot say: the unit of a ceiling follows its kind, and its limit stands
/// with its share; what is called concurrency is modelled.
Format format_of_machine() {
  auto format = format_of<Machine>("ridge.machine/1", "what Ridge knows of a machine");
  object_called(format, "Ceiling").rules = {
      {"dependentRequired", R"({"limit": ["limit_fraction"], "limit_fraction": ["limit"]})"},
      {"allOf", fmt::format("[{}, {}, {}]",
                            units_of(CeilingKind::compute, R"({"enum": ["flop/s", "op/s"]})"),
                            units_of(CeilingKind::bandwidth, R"({"const": "byte/s"})"),
                            units_of(CeilingKind::latency, R"({"const": "s"})"))}};
  narrow(field_called(format, "Concurrency", "origin"), {Origin::modelled});
  format.is_on_page = true;
  return format;
}

Format format_of_profile() {
  auto format = format_of<Profile>("ridge.profile/2", "what a program did");
  format.is_on_page = true;
  return format;
}

/// Codes are words, work may be 0, and whatever is timed has a sample.
Format format_of_sparse_study() {
  auto format = format_of<SparseStudy>("ridge.spmv/1",
                                       "what a study of the sparse matrix-vector product found");
  field_called(format, "Estimate", "p90").shape.limits = describe::kNotNegative;
  field_called(format, "Estimate", "samples").shape.least = "1";
  field_called(format, "Estimate", "unit").shape.choices = {"s", "Flop/s", "B/s", "1"};
  field_called(format, "Note", "code").shape.pattern = kWordPattern;
  field_called(format, "Picture", "rows").shape.element.front().pattern = "^[.0-9]+$";
  Shape& index_bits = field_called(format, "Matrix", "index_bits").shape;
  index_bits.least = "32";
  index_bits.most = "64";
  narrow(field_called(format, "PredictedAlpha", "origin"), {Origin::simulated});
  return format;
}

Format format_of_microarchitectures() {
  auto format = format_of<describe::MicroarchitectureTable>(
      "ridge.microarchitectures/1", "what sources state about CPU cores", Use::written_by_people);
  field_called(format, "Match", "models").shape.distinct = true;
  field_called(format, "Microarchitecture", "pipe_groups").shape.element.front().least_items = 1;
  narrow(field_called(format, "IsaLimits", "isa"),
         {Isa::scalar, Isa::sse, Isa::avx2, Isa::avx512, Isa::neon, Isa::sve, Isa::vsx});
  object_called(format, "CyclesByPrecision").rules = {{"minProperties", "1"}};
  object_called(format, "Latencies").rules = {{"minProperties", "1"}};
  return format;
}

Format format_of_caches() {
  return format_of<describe::CacheTable>("ridge.caches/1",
                                         "what sources state about the caches of common machines",
                                         Use::written_by_people);
}

/// An attribute has its name and one value; -1 stands for what is left out.
Format format_of_tensor_graph() {
  auto format = format_of<TensorGraph>("ridge.tensor-graph/1",
                                       "which operators a neural network has, and of what shapes");
  object_called(format, "Attribute").rules = {{"minProperties", "2"}, {"maxProperties", "2"}};
  for (const std::string_view key : {"inputs", "outputs"}) {
    field_called(format, "Operator", key).shape.element.front().least = "-1";
  }
  return format;
}

Format format_of_comparison() {
  auto format = format_of<Comparison>("ridge.comparison/1",
                                      "what changed between results of one program, loop by loop",
                                      Use::written);
  format.is_on_page = true;
  return format;
}

Format format_of_page() {
  auto format = format_of<Page>("ridge.page/1", "what the report page shows", Use::written);
  format.is_on_page = true;
  return format;
}

/// Ceilings are measured: none of them is doubtful or unknown.
Format format_of_machine_comparison() {
  auto format = format_of<MachineComparison>(
      "ridge.machine-comparison/1", "what machines reach, ceiling by ceiling", Use::written);
  narrow(field_called(format, "CeilingValue", "verdict"),
         {Verdict::same, Verdict::within_spread, Verdict::changed, Verdict::one_run});
  object_called(format, "CeilingValue").rules = {
      {"dependentRequired", R"({"ratio": ["verdict"], "verdict": ["ratio"]})"}};
  return format;
}

Format format_of_projection() {
  auto format = format_of<Projection>(
      "ridge.projection/1", "how fast a measured program would be on other machines", Use::written);
  narrow(field_called(format, "Projection", "origin"), {Origin::modelled});
  return format;
}

Format format_of_prediction() {
  auto format = format_of<KernelPrediction>(
      "ridge.prediction/1", "what a kernel of the catalogue would reach on machines", Use::written);
  refuse_empty(format, "PredictionKernel", {"name", "precision", "source"});
  refuse_empty(format, "Note", {"code", "text"});
  narrow(field_called(format, "PredictionKernel", "origin"), {Origin::modelled});
  return format;
}

Format format_of_network() {
  auto format = format_of<Network>(
      "ridge.network/1",
      "what a neural network does layer by layer, and how long it takes on machines", Use::written);
  (void)shape_of_object<NetworkTimes>(format);
  for (const std::string_view key : {"work", "bytes", "seconds"}) {
    narrow(field_called(format, "NetworkOrigins", key), {Origin::modelled});
  }
  return format;
}

/// The unit of a peak follows its precision.
void add_rule_of_peak(Format& format) {
  object_called(format, "Peak").rules = {
      {"if", R"({"properties": {"precision": {"pattern": "^int"}}})"},
      {"then", R"({"properties": {"unit": {"const": "op/s"}}})"},
      {"else", R"({"properties": {"unit": {"const": "flop/s"}}})"}};
}

Format format_of_specification() {
  auto format = format_of<Specification>("ridge.specification/1", "what is published of a machine",
                                         Use::written_by_people);
  add_rule_of_peak(format);
  return format;
}

Format format_of_machine_list() {
  auto format =
      format_of<MachineList>("ridge.machines/1", "what is published of all machines", Use::written);
  add_rule_of_peak(format);
  field_called(format, "ListedMachine", "key").shape.non_empty = true;
  return format;
}

}  // namespace

std::vector<Format> described_formats() {
  return {format_of_machine(),
          format_of_profile(),
          format_of_comparison(),
          format_of_machine_comparison(),
          format_of_projection(),
          format_of_prediction(),
          format_of<KernelPredictions>(
              "ridge.predictions/1", "what several kernels would reach on machines", Use::written),
          format_of<KernelCatalogue>("ridge.kernels/1", "which kernels there are", Use::written),
          format_of<RooflineChart>("ridge.chart/1", "what a roofline chart shows", Use::written),
          format_of_network(),
          format_of_page(),
          format_of_specification(),
          format_of_machine_list(),
          format_of_sparse_study(),
          format_of_microarchitectures(),
          format_of_caches(),
          format_of_tensor_graph(),
          format_of<LoopModels>("ridge.loop-model/1", "what is known of loops before they run")};
}

std::string schema_file_of(const Format& format) {
  std::string name = format.schema;
  name.replace(name.find('/'), 1, "-");
  return name + ".schema.json";
}

}  // namespace ridge::serialize
