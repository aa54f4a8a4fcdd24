#include "predict/findings/roof_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "predict/findings/subject.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/memory.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

/// Ceilings repeat no better than this: what differs by less is the ceiling's own rate.
constexpr double kSameRate = 0.02;

/// Inside of a sentence: "AVX-512", "scalar"; empty for a ceiling that names none.
std::string_view isa_words(std::optional<Isa> isa) {
  if (!isa) {
    return "";
  }
  const IsaProperties& properties = properties_of(*isa);
  return properties.family == IsaFamily::generic ? properties.text : properties.name;
}

/// "AVX2 FMA", "scalar ADD fp32"; of a bandwidth its pattern.
std::string what_it_does(const Ceiling& ceiling) {
  if (ceiling.kind == CeilingKind::bandwidth) {
    return std::string(ceiling.pattern ? to_string(*ceiling.pattern) : "");
  }
  std::string operation(ceiling.operation ? to_string(*ceiling.operation) : "");
  std::transform(operation.begin(), operation.end(), operation.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string precision = ceiling.precision.value_or("fp64");
  return fmt::format("{} {}{}", isa_words(ceiling.isa), operation,
                     precision == "fp64" ? "" : " " + precision);
}

/// Byte/s of the region's traffic across this boundary at its bound; nullopt without such traffic.
std::optional<double> rate_at_bound(const Region& region, const Bound& bound, Level level,
                                    const Machine& machine) {
  const auto axis = axis_of(region, machine);
  const double bytes = bytes_of(boundary_traffic(region, level, machine));
  return axis && bytes > 0.0 ? std::optional(bytes * bound.attainable / axis->amount)
                             : std::nullopt;
}

}  // namespace

std::string roof_words(const Region& region, const Bound& bound, const Machine& machine) {
  const auto level = level_of(bound.ceiling);
  std::string words = fmt::format("{} roof", level ? to_string(*level) : "arithmetic");
  const Ceiling* ceiling = find_ceiling(machine, bound.ceiling);
  if (ceiling == nullptr) {
    return words;
  }
  const double own =
      p90_of(level && ceiling->traffic_value ? *ceiling->traffic_value : ceiling->value);
  // Loads and stores are limits of their own in L1, without a mix.
  const double rate = !level ? bound.attainable
                      : level == Level::L1
                          ? p90_of(ceiling->value)
                          : rate_at_bound(region, bound, *level, machine).value_or(own);
  const bool mixed = level != Level::L1 && std::abs(rate - own) > kSameRate * own;
  return fmt::format("{} ({}{}, {} with {} thread{})", words, mixed ? "near " : "",
                     what_it_does(*ceiling), amount_text(rate, level ? "B/s" : "Flop/s"),
                     ceiling->threads, ceiling->threads == 1 ? "" : "s");
}

}  // namespace ridge::predict
