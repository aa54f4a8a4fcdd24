#include "core/quantity/duration.hpp"

#include <string_view>

#include <fmt/format.h>

namespace ridge {
namespace {

struct Words {
  std::string number;
  std::string_view unit;
};

Words words_of(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  if (seconds < 1.0) {
    return {fmt::format("{:.1f}", seconds), "s"};
  }
  if (seconds < 2.0 * kMinute) {
    return {fmt::format("{:.0f}", seconds), "s"};
  }
  if (seconds < 2.0 * kHour) {
    return {fmt::format("{:.0f}", seconds / kMinute), "min"};
  }
  return {fmt::format("{:.1f}", seconds / kHour), "h"};
}

}  // namespace

std::string duration_words(Seconds duration) {
  const Words words = words_of(duration.value());
  return fmt::format("{} {}", words.number, words.unit);
}

std::string duration_words(Seconds least, Seconds most) {
  const Words from = words_of(least.value());
  const Words to = words_of(most.value());
  if (from.unit != to.unit) {
    return fmt::format("{} to {}", duration_words(least), duration_words(most));
  }
  return from.number == to.number ? duration_words(least)
                                  : fmt::format("{} to {} {}", from.number, to.number, to.unit);
}

}  // namespace ridge
