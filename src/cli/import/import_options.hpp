// The command line of `ridge import`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

struct ImportOptions {
  std::vector<std::string> files;  ///< at least one, unless the formats are listed
  std::string from;                ///< name of an importer; empty: each file says it
  bool list = false;               ///< --from list
  std::optional<std::string> output;
  std::optional<std::string> into;     ///< RESULT whose regions get the figures
  std::optional<std::string> machine;  ///< machine file: where the program ran
  std::optional<unsigned> threads;     ///< of roofs of all threads, where a file does not say it
  bool force = false;
  bool json = false;
  bool ascii = false;
};

/// nullopt when `--help` was asked for and printed. Error: usage.
[[nodiscard]] Result<std::optional<ImportOptions>> parse_import_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
