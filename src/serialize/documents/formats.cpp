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

std::vector<Format> described_formats() {
  return {format_of<Machine>("ridge.machine/1", "what Ridge knows of a machine"),
          format_of<Profile>("ridge.profile/2", "what a program did")};
}

std::string schema_file_of(const Format& format) {
  std::string name = format.schema;
  name.replace(name.find('/'), 1, "-");
  return name + ".schema.json";
}

}  // namespace ridge::serialize
