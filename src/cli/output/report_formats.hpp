// What `ridge report` can write: one table of formats, chosen by the ending of the file's name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/result_file.hpp"
#include "cli/output/output_format.hpp"
#include "core/result.hpp"
#include "render/chart/chart.hpp"
#include "render/document/run/labelled_result.hpp"

namespace ridge::cli {

/// What is shown: results, or a machine or a study alone.
struct ReportContent {
  std::vector<StoredResult> results;
  std::vector<std::vector<std::uint32_t>> only;  ///< for each result: ids of regions; empty: all
  std::optional<StoredMachine> machine;
  std::optional<SparseStudy> study;  ///< has formats of its own: study_formats.hpp
  std::optional<std::string> title;  ///< empty: none; absent: the format's own
  bool paper = false;

  /// The results as rendering takes them; they point into this.
  [[nodiscard]] std::vector<render::LabelledResult> labelled() const;
  /// The roofline of all of it, with its title.
  [[nodiscard]] Result<render::Chart> chart() const;
};

using ReportFormat = OutputFormat<ReportContent>;

[[nodiscard]] std::span<const ReportFormat> report_formats();

/// By the ending of the name, in any case. Error: `usage`, listing the endings.
[[nodiscard]] Result<const ReportFormat*> find_report_format(std::string_view file_name);

/// The stored profile, or the machine. Error: `usage` for several results.
[[nodiscard]] Result<std::string> report_json(const ReportContent& content);

}  // namespace ridge::cli
