// What `ridge compare -o` can write: one table of formats, chosen by the ending of the file's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/common/result_file.hpp"
#include "cli/output/output_format.hpp"
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

using CompareFormat = OutputFormat<CompareContent>;

/// By the ending of the name, in any case. Error: `usage`, listing the endings.
[[nodiscard]] Result<const CompareFormat*> find_compare_format(std::string_view file_name);

/// ridge.comparison/1 or ridge.machine-comparison/1.
[[nodiscard]] std::string compare_json(const CompareContent& content);

}  // namespace ridge::cli
