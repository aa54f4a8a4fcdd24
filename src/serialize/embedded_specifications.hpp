// machines/KEY.json as texts in the program.
#pragma once

#include <span>
#include <string_view>

namespace ridge::serialize {

struct EmbeddedSpecification {
  std::string_view key;
  std::string_view text;
};

/// In order of their keys.
[[nodiscard]] std::span<const EmbeddedSpecification> embedded_specifications();

}  // namespace ridge::serialize
