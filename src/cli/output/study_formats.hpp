// What `ridge spmv` and `ridge report` show of a study, and how it is written in each format
// (cli/output/output_format.hpp).
#pragma once

#include <optional>
#include <string>

#include "cli/output/output_format.hpp"
#include "core/result.hpp"
#include "core/value/sparse_study.hpp"

namespace ridge::cli {

struct StudyReport {
  SparseStudy study;
  std::optional<std::string> title;  ///< empty: none; absent: the format's own
  bool paper = false;
};

[[nodiscard]] Result<std::string> to_svg(const StudyReport& report);
[[nodiscard]] Result<std::string> to_html(const StudyReport& report);
[[nodiscard]] Result<std::string> to_markdown(const StudyReport& report);
[[nodiscard]] Result<std::string> to_csv(const StudyReport& report);
[[nodiscard]] Result<std::string> to_json(const StudyReport& report);

/// ISO 8601.
[[nodiscard]] std::string date_of(const StudyReport& report);

/// As check_output(), of a study.
[[nodiscard]] Result<void> check_study_output(OutputRequest request);

/// As write_output(), of a study.
[[nodiscard]] Result<void> write_study(OutputRequest request, const SparseStudy& study);

}  // namespace ridge::cli
