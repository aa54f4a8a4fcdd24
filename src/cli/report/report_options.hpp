// The command line of `ridge report`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

struct ReportOptions {
  std::vector<std::string> results;    ///< at least one
  std::optional<std::string> output;   ///< its ending says the format
  std::optional<std::string> title;    ///< empty: none
  std::vector<std::string> only;       ///< numbers, names or files of regions
  std::vector<std::string> labels;     ///< none, or one for each result
  std::optional<std::string> style;    ///< "screen" or "paper"
  std::optional<std::string> explain;  ///< the region to say everything about, as users call it
  bool intops = false;                 ///< pictures and tables count integer operations
  bool force = false;
  bool json = false;
  bool ascii = false;
};

/// nullopt when `--help` was asked for and printed. Error: usage.
[[nodiscard]] Result<std::optional<ReportOptions>> parse_report_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
