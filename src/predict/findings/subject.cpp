#include "predict/findings/subject.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

constexpr std::uint64_t kEnoughSamples = 20;

}  // namespace

bool times_hold(const Profile& profile) {
  return std::ranges::none_of(
      profile.notes, [](const Note& note) { return note.code == "times-while-simulated"; });
}

double share_of(double part, double whole) {
  return whole > 0.0 ? part / whole : 0.0;
}

std::optional<double> roof_fraction(const Subject& subject) {
  return subject.prediction != nullptr && subject.prediction->code
             ? subject.prediction->code->fraction
             : std::nullopt;
}

std::optional<Level> binding_level(const Subject& subject) {
  return subject.prediction != nullptr && subject.prediction->code
             ? level_of(subject.prediction->code->ceiling)
             : std::nullopt;
}

std::optional<Level> bandwidth_bound(const Subject& subject) {
  const auto level = binding_level(subject);
  const bool explains = roof_fraction(subject).value_or(0.0) >= kFarBelowRoof;
  return explains && level != Level::L1 ? level : std::nullopt;
}

std::optional<double> cpu_seconds(const Region& region) {
  const auto& time = region.cpu_seconds.self;
  if (!time || !is_well_known(*time, kEnoughSamples) || time->value <= Seconds(0.0)) {
    return std::nullopt;
  }
  return time->value.value();
}

std::string percent_text(double share) {
  constexpr double kPercent = 100.0;
  constexpr double kWhole = 0.01;
  return share < kWhole ? fmt::format("{:.2g} %", kPercent * share)
                        : fmt::format("{:.0f} %", kPercent * share);
}

std::string amount_text(double value, std::string_view unit) {
  struct Prefix {
    double factor;
    std::string_view sign;
  };
  constexpr std::array<Prefix, 8> kPrefixes{{{1e12, "T"},
                                             {1e9, "G"},
                                             {1e6, "M"},
                                             {1e3, "k"},
                                             {1.0, ""},
                                             {1e-3, "m"},
                                             {1e-6, "u"},
                                             {1e-9, "n"}}};
  const auto* prefix = std::find_if(kPrefixes.begin(), kPrefixes.end() - 1, [&](const Prefix& one) {
    return std::abs(value) >= one.factor;
  });
  if (value == 0.0) {
    return fmt::format("0 {}", unit);
  }
  return fmt::format("{:.3g} {}{}", value / prefix->factor, prefix->sign, unit);
}

std::string count_text(double count) {
  constexpr double kDigits = 3.0;
  constexpr std::size_t kGroup = 3;
  const double step =
      count < 1.0 ? 1.0
                  : std::pow(10.0, std::max(0.0, std::floor(std::log10(count)) + 1.0 - kDigits));
  std::string text = fmt::format("{:.0f}", std::round(count / step) * step);
  for (std::size_t at = text.size(); at > kGroup;) {
    at -= kGroup;
    text.insert(at, " ");
  }
  return text;
}

std::string factor_text(double factor) {
  constexpr double kWithoutDigitsBehind = 9.95;
  return factor < kWithoutDigitsBehind ? fmt::format("{:.2g}", factor) : count_text(factor);
}

std::string size_text(double bytes) {
  constexpr std::array<std::string_view, 4> kUnits{"B", "KiB", "MiB", "GiB"};
  constexpr double kStep = 1024.0;
  std::size_t unit = 0;
  while (bytes >= kStep && unit + 1 < kUnits.size()) {
    bytes /= kStep;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

}  // namespace ridge::predict
