// What `ridge report` shows, and how it is written in each format (cli/output/output_format.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/result_file.hpp"
#include "core/result.hpp"
#include "render/chart/chart.hpp"
#include "render/document/run/labelled_result.hpp"

namespace ridge::cli {

/// What is shown: results, or a machine or a study alone.
struct ReportContent {
  std::vector<StoredResult> results;
  std::vector<std::vector<std::uint32_t>> only;  ///< for each result: ids of regions; empty: all
  std::optional<StoredMachine> machine;
  std::optional<SparseStudy> study;  ///< a document of its own: study_formats.hpp
  std::optional<std::string> title;  ///< empty: none; absent: the format's own
  bool paper = false;
  bool slide = false;
  render::CountedWork work = render::CountedWork::flops;

  /// The results as rendering takes them; they point into this.
  [[nodiscard]] std::vector<render::LabelledResult> labelled() const;
  /// The roofline of all of it, with its title.
  [[nodiscard]] Result<render::Chart> chart() const;
};

// Errors: `usage` for what a format cannot show.
[[nodiscard]] Result<std::string> to_svg(const ReportContent& content);
[[nodiscard]] Result<std::string> to_html(const ReportContent& content);
[[nodiscard]] Result<std::string> to_markdown(const ReportContent& content);
[[nodiscard]] Result<std::string> to_csv(const ReportContent& content);
[[nodiscard]] Result<std::string> to_gnuplot(const ReportContent& content);
[[nodiscard]] Result<std::string> to_tikz(const ReportContent& content);
/// The stored profile, or the machine. Error: `usage` for several results.
[[nodiscard]] Result<std::string> to_json(const ReportContent& content);

/// ISO 8601, of the first result or the machine.
[[nodiscard]] std::string date_of(const ReportContent& content);

}  // namespace ridge::cli
