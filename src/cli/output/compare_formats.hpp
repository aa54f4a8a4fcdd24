// What `ridge compare` shows, and how it is written in each format (cli/output/output_format.hpp).
#pragma once

#include <string>
#include <vector>

#include "cli/common/result_file.hpp"
#include "core/result.hpp"
#include "core/value/comparison.hpp"

namespace ridge::cli {

/// Results of a program with their comparison; or machines, when there are no results.
struct CompareContent {
  std::vector<StoredResult> results;
  Comparison comparison;
  std::vector<StoredMachine> machines;
  MachineComparison machine_comparison;

  [[nodiscard]] bool of_machines() const { return results.empty(); }
};

// Errors: `usage` for what a format cannot show of machines.
[[nodiscard]] Result<std::string> to_svg(const CompareContent& content);
[[nodiscard]] Result<std::string> to_html(const CompareContent& content);
[[nodiscard]] Result<std::string> to_markdown(const CompareContent& content);
[[nodiscard]] Result<std::string> to_csv(const CompareContent& content);
/// ridge.comparison/1 or ridge.machine-comparison/1.
[[nodiscard]] Result<std::string> to_json(const CompareContent& content);

}  // namespace ridge::cli
