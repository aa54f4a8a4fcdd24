// `ridge report`: stored results as pictures, tables and pages.
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>

#include <fmt/core.h>

#include "cli/common/chosen_regions.hpp"
#include "cli/common/command.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/results_below.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/explain.hpp"
#include "cli/output/output_format.hpp"
#include "cli/output/report_formats.hpp"
#include "cli/output/study_formats.hpp"
#include "cli/report/report_options.hpp"
#include "render/chart/text.hpp"
#include "render/document/bench/bench_summary.hpp"
#include "render/document/run/loop_table.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/document/spmv/sparse_study_table.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "serialize/sparse_study.hpp"

namespace ridge::cli {
namespace {

tl::unexpected<Error> not_alone(const ReportOptions& options, std::size_t at, std::string_view what,
                                std::string_view hint) {
  return fail(
      ErrorCode::usage,
      fmt::format("report: {} is a {}, others were named beside it", options.results[at], what),
      std::string(hint));
}

Result<ReportContent> read_content(const ReportOptions& options) {
  const std::vector<std::string> labels =
      options.labels.empty() ? labels_of(options.results) : options.labels;
  ReportContent content;
  content.title = options.title;
  content.paper = options.style == "paper";
  content.slide = options.style == "slide";
  content.work = options.intops ? render::CountedWork::intops : render::CountedWork::flops;
  for (std::size_t i = 0; i < options.results.size(); ++i) {
    auto stored = read_stored(options.results[i], labels[i]);
    if (!stored) {
      return tl::make_unexpected(stored.error());
    }
    if (auto* result = std::get_if<StoredResult>(&*stored)) {
      auto only = chosen_regions(*result, options.only);
      if (!only) {
        return tl::make_unexpected(only.error());
      }
      content.only.push_back(std::move(*only));
      content.results.push_back(std::move(*result));
    } else if (auto* study = std::get_if<StoredStudy>(&*stored)) {
      if (options.results.size() != 1) {
        return not_alone(options, i, "study of a matrix", "Name one study alone.");
      }
      content.study = std::move(study->study);
    } else if (options.results.size() == 1) {
      content.machine = std::get<StoredMachine>(std::move(*stored));
    } else {
      return not_alone(options, i, "machine file",
                       "Name it alone: its roofs are then shown without loops.");
    }
  }
  return content;
}

std::string terminal_text(const ReportContent& content, bool ascii) {
  const render::TextStyle style = text_style(stdout, ascii);
  if (content.machine) {
    return content.work == render::CountedWork::intops
               ? render::roofs_chart(content.machine->machine, style, content.work)
               : render::bench_summary(content.machine->machine, style);
  }
  std::string out;
  if (content.results.size() > 1) {
    if (const auto chart = content.chart()) {
      out = "\n" + render::chart_text(*chart, style);
    }
  }
  for (const render::LabelledResult& result : content.labelled()) {
    if (content.results.size() > 1) {
      out += fmt::format("\n  {}\n", render::clean(result.label, style.unicode));
    }
    out += result.only.empty() ? "\n" + render::run_summary(*result.profile, *result.prediction,
                                                            style, content.work)
                               : "\n" +
                                     render::roofline_chart(*result.profile, *result.prediction,
                                                            style, result.only, content.work) +
                                     "\n" +
                                     render::loop_table(*result.profile, *result.prediction, style,
                                                        result.only, content.work);
  }
  return out;
}

OutputRequest request_of(const ReportOptions& options) {
  return {"report",      options.output,        options.title,
          options.style, !options.only.empty(), options.force};
}

Result<int> print_report(const ReportOptions& options, const ReportContent& content) {
  const auto printed =
      options.json ? to_json(content).and_then([](const std::string& text) { return print(text); })
                   : print_screen(terminal_text(content, options.ascii));
  return printed.map([] { return 0; });
}

Result<int> explain_region(const ReportOptions& options, const ReportContent& content) {
  if (content.results.empty()) {
    return fail(ErrorCode::usage,
                fmt::format("report: {} holds no program's regions to explain", options.results[0]),
                "Name the folder that `ridge run` wrote.");
  }
  const StoredResult& result = content.results.front();
  auto text = explain(result.profile, result.prediction, *options.explain,
                      text_style(stdout, options.ascii), Age::stored);
  if (!text) {
    return tl::make_unexpected(text.error());
  }
  return print_screen(fmt::format("\n{}", *text)).map([] { return 0; });
}

/// Formats of its own: what is known only now is checked only now.
Result<int> report_study(const ReportOptions& options, const SparseStudy& study) {
  if (!options.only.empty() || !options.labels.empty() || options.intops) {
    return fail(ErrorCode::usage,
                fmt::format("report: {} says nothing about a study of a matrix",
                            !options.only.empty()     ? "--only"
                            : !options.labels.empty() ? "--label"
                                                      : "--intops"),
                "Leave it out.");
  }
  const OutputRequest request = request_of(options);
  auto done = check_study_output(request).and_then([&] { return write_study(request, study); });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  if (options.output && !options.json) {
    return 0;
  }
  const auto printed =
      options.json
          ? print(serialize::write_sparse_study(study))
          : print_screen(render::sparse_study_text(study, text_style(stdout, options.ascii)));
  return printed.map([] { return 0; });
}

/// A folder alone that is no result: which there are below it. Empty when it is one, or has none.
std::vector<std::string> choices_of(const ReportOptions& options) {
  std::error_code error;
  const bool is_plain = options.results.size() == 1 && options.only.empty() &&
                        options.labels.empty() && !options.output && !options.json;
  if (!is_plain || std::filesystem::exists(
                       std::filesystem::path(options.results.front()) / kProfileFile, error)) {
    return {};
  }
  return results_below(options.results.front());
}

}  // namespace

Result<int> run_report(const std::vector<std::string>& arguments) {
  const auto parsed = parse_report_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const ReportOptions& options = **parsed;
  const OutputRequest request = request_of(options);
  if (auto fine = check_output(&OutputFormat::report, request); !fine) {
    return tl::make_unexpected(fine.error());
  }
  if (const auto choices = choices_of(options); !choices.empty()) {
    return print_screen(results_list(options.results.front(), choices)).map([] { return 0; });
  }
  const auto content = read_content(options);
  if (!content) {
    return tl::make_unexpected(content.error());
  }
  if (options.explain && content->study) {
    return explain_region(options, *content);
  }
  if (content->study) {
    return report_study(options, *content->study);
  }
  if (options.explain) {
    return explain_region(options, *content);
  }
  if (auto written = write_output(&OutputFormat::report, request, *content); !written) {
    return tl::make_unexpected(written.error());
  }
  if (options.output && !options.json) {
    return 0;
  }
  return print_report(options, *content);
}

}  // namespace ridge::cli
