// What `ridge chart` shows, and how it is written in each format (cli/output/output_format.hpp).
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/roofline_chart.hpp"

namespace ridge::cli {

struct ChartContent {
  RooflineChart chart;
  bool paper = false;
  bool powers_of_two = false;
};

[[nodiscard]] Result<std::string> to_svg(const ChartContent& content);
[[nodiscard]] Result<std::string> to_html(const ChartContent& content);
[[nodiscard]] Result<std::string> to_csv(const ChartContent& content);
/// ridge.chart/1.
[[nodiscard]] Result<std::string> to_json(const ChartContent& content);
/// The date in a PDF: none, published figures are not dated.
[[nodiscard]] std::string date_of(const ChartContent& content);

}  // namespace ridge::cli
