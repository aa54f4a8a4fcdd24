// The command line of `ridge compare`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "predict/compare/gate.hpp"

namespace ridge::cli {

struct CompareOptions {
  std::vector<std::string> results;  ///< at least two, oldest first
  std::optional<std::string> output;
  std::vector<predict::GateRule> rules;  ///< of --fail-on
  std::vector<std::string> allowed;      ///< words of --allow
  bool force = false;
  bool json = false;
  bool ascii = false;
};

/// nullopt when `--help` was asked for and printed. Error: usage.
[[nodiscard]] Result<std::optional<CompareOptions>> parse_compare_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
