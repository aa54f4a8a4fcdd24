// Files that are installed with Ridge and that engines need.
#pragma once

#include <filesystem>
#include <string_view>

namespace ridge::measure {

/// `name` in lib/ridge of the build or the installation that runs; whether it exists is not said.
[[nodiscard]] std::filesystem::path companion(std::string_view name);

}  // namespace ridge::measure
