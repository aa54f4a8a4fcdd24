// Parts of the page that are files of their own.
#pragma once

#include <string_view>

#include "core/value/comparison.hpp"
#include "core/value/profile.hpp"
#include "serialize/comparison_value.hpp"
#include "serialize/described/kinds.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {

/// Written beside its prediction.
template <>
struct ByHand<Profile> {
  static constexpr std::string_view schema = "ridge.profile-2.schema.json";
  static constexpr std::string_view name = "Profile";
};

template <>
struct ByHand<Comparison> {
  static constexpr std::string_view schema = "ridge.comparison-1.schema.json";
  static constexpr std::string_view name = "Comparison";
  static void write(Writer& writer, std::string_view key, const Comparison& comparison) {
    writer.object(key, [&] { write_comparison_members(writer, comparison); });
  }
};

}  // namespace ridge::serialize
