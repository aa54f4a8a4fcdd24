// The command line of `ridge serve`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

struct ServeOptions {
  std::string folder;
  unsigned port = 0;          ///< 0: any free one
  unsigned timeout = 5;       ///< [s] for a request to arrive
  unsigned connections = 64;  ///< at once
};

/// nullopt when `--help` was asked for and printed. Error: usage.
[[nodiscard]] Result<std::optional<ServeOptions>> parse_serve_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
