// What random values of every kind are made of.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace ridge::serialize {

using Random = std::mt19937_64;

inline bool chance(Random& random, unsigned one_in) {
  return random() % one_in == 0;
}

template <class T, std::size_t N>
const T& one_of(Random& random, const std::array<T, N>& values) {
  return values[random() % N];
}

/// Any finite double above 0, of every magnitude.
inline double positive_double(Random& random) {
  for (;;) {
    const double value = std::abs(std::bit_cast<double>(random()));
    if (std::isfinite(value) && value > 0.0) {
      return value;
    }
  }
}

/// A number of a size that measurements have.
inline double plain_double(Random& random) {
  return std::ldexp(static_cast<double>(random() >> 11U), static_cast<int>(random() % 40) - 60) +
         1e-9;
}

inline double any_size(Random& random) {
  return chance(random, 4) ? positive_double(random) : plain_double(random);
}

inline std::uint64_t count(Random& random) {
  return chance(random, 8) ? std::numeric_limits<std::uint64_t>::max() : random() >> random() % 64;
}

/// Valid UTF-8 with everything that JSON must escape.
inline std::string text(Random& random) {
  constexpr std::array<std::string_view, 12> pieces{"heat2d",
                                                    "std::vector<double>",
                                                    " ",
                                                    "\"",
                                                    "\\",
                                                    "\n\t\r",
                                                    "\x01\x1f\x7f",
                                                    "\xC3\xBC\xC3\x9F",
                                                    "\xE2\x82\xAC",
                                                    "\xF0\x9F\x8F\x94",
                                                    "/",
                                                    "</script>"};
  std::string value;
  for (std::size_t i = random() % 5; i > 0; --i) {
    value += one_of(random, pieces);
  }
  return value;
}

inline std::string non_empty_text(Random& random) {
  return fmt::format("x{}", text(random));
}

template <class T, class Make>
std::optional<T> maybe(Random& random, Make make) {
  return chance(random, 2) ? std::optional<T>(make(random)) : std::nullopt;
}

template <class Make>
auto list(Random& random, std::size_t most, Make make) {
  std::vector<decltype(make(random))> values;
  for (std::size_t i = random() % (most + 1); i > 0; --i) {
    values.push_back(make(random));
  }
  return values;
}

}  // namespace ridge::serialize
