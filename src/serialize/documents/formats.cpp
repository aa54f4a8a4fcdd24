#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/describe/machine.hpp"
#include "core/describe/profile.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/documents/documents.hpp"
#include "serialize/documents/shape_of.hpp"

namespace ridge::serialize {
namespace {

template <class T>
Format format_of(std::string_view schema, std::string_view title) {
  Format format{std::string(schema), std::string(title), {}};
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
  for (FieldShape& field : object_called(format, "Concurrency").fields) {
    if (field.key == "origin") {
      field.shape.choices = {std::string(to_string(Origin::modelled))};
    }
  }
  return format;
}

}  // namespace

std::vector<Format> described_formats() {
  return {format_of_machine(), format_of<Profile>("ridge.profile/2", "what a program did")};
}

std::string schema_file_of(const Format& format) {
  std::string name = format.schema;
  name.replace(name.find('/'), 1, "-");
  return name + ".schema.json";
}

}  // namespace ridge::serialize
