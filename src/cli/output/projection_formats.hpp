// What `ridge predict RESULT` shows, and how it is written in each format
// (cli/output/output_format.hpp).
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/profile.hpp"
#include "core/value/projection.hpp"

namespace ridge::cli {

struct ProjectionContent {
  Profile profile;
  Projection projection;  ///< of that profile
};

[[nodiscard]] Result<std::string> to_svg(const ProjectionContent& content);
/// ridge.projection/1.
[[nodiscard]] Result<std::string> to_json(const ProjectionContent& content);

}  // namespace ridge::cli
