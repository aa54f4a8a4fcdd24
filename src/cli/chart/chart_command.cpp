// `ridge chart`: one roofline chart of machines, kernels, points and measured loops.
#include <cstdio>
#include <utility>

#include "cli/chart/chart_content.hpp"
#include "cli/chart/chart_options.hpp"
#include "cli/common/command.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/chart_formats.hpp"
#include "cli/output/output_format.hpp"
#include "render/document/chart/roofline_table.hpp"

namespace ridge::cli {
namespace {

/// A picture does not say what it leaves out: the notes go to standard error.
Result<int> deliver_chart(const ChartContent& content, const ChartOptions& options) {
  if (options.json) {
    return to_json(content).and_then([](const std::string& text) { return print(text); }).map([] {
      return 0;
    });
  }
  if (options.output) {
    say_lines(render::roofline_notes(content.chart, text_style(stderr, options.ascii)));
    return 0;
  }
  return print_screen(render::roofline_text(content.chart, text_style(stdout, options.ascii)))
      .map([] { return 0; });
}

}  // namespace

Result<int> run_chart(const std::vector<std::string>& arguments) {
  const auto parsed = parse_chart_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const ChartOptions& options = **parsed;
  const OutputRequest request{"chart",       options.output,        options.title,
                              options.style, !options.only.empty(), options.force};
  if (auto fine = check_output(&OutputFormat::chart, request); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  const auto words = chart_words(options);
  if (!words) {
    return tl::make_unexpected(words.error());
  }
  auto chart = chart_content(options, *words);
  if (!chart) {
    return tl::make_unexpected(std::move(chart.error()));
  }
  const ChartContent content{std::move(*chart), options.style == "paper", words->powers_of_two};
  if (auto written = write_output(&OutputFormat::chart, request, content); !written) {
    return tl::make_unexpected(std::move(written.error()));
  }
  return deliver_chart(content, options);
}

}  // namespace ridge::cli
