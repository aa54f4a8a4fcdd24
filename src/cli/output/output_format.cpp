#include "cli/output/output_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "cli/common/picture.hpp"
#include "cli/output/chart_formats.hpp"
#include "cli/output/compare_formats.hpp"
#include "cli/output/model_formats.hpp"
#include "cli/output/prediction_formats.hpp"
#include "cli/output/projection_formats.hpp"
#include "cli/output/report_formats.hpp"
#include "cli/output/study_formats.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "serialize/machine.hpp"

namespace ridge::cli {
namespace {

/// From the SVG: what has a picture and a date has these too.
template <class Document>
Result<std::string> picture(const Document& document, std::string_view kind) {
  return to_svg(document).and_then([&](const std::string& drawn) {
    return picture_of(drawn, kind, date_of(document), picture_program_path());
  });
}

template <class Document>
Result<std::string> to_pdf(const Document& document) {
  return picture(document, "pdf");
}

template <class Document>
Result<std::string> to_png(const Document& document) {
  return picture(document, "png");
}

Result<std::string> roofs_to_svg(const Machine& machine) {
  return render::roofs_svg(machine);
}

Result<std::string> machine_to_json(const Machine& machine) {
  return serialize::write_machine(machine);
}

constexpr TakenOptions kReportScript{.only = true, .title = true, .style = true};
constexpr TakenOptions kReportPicture{.only = true, .title = true, .style = true, .slide = true};
constexpr TakenOptions kStudyPicture{.title = true, .style = true};
constexpr TakenOptions kChartPicture{.only = true, .title = true, .style = true};

constexpr std::array kFormats{
    OutputFormat{.ending = ".svg",
                 .what = "a picture with real text",
                 .report = {to_svg, kReportPicture},
                 .comparison = {to_svg, {}, "a picture with arrows from old to new"},
                 .study = {to_svg, kStudyPicture},
                 .projection = {to_svg},
                 .prediction = {to_svg},
                 .chart = {to_svg, kChartPicture},
                 .model = {to_svg, {}, "a picture of a sweep: cycles over the size"},
                 .machine = {roofs_to_svg}},
    OutputFormat{.ending = ".pdf",
                 .what = "the same as a page of its size",
                 .report = {to_pdf, kReportPicture},
                 .study = {to_pdf, kStudyPicture},
                 .prediction = {to_pdf},
                 .chart = {to_pdf, kChartPicture},
                 .model = {to_pdf}},
    OutputFormat{.ending = ".png",
                 .what = "the same as pixels",
                 .report = {to_png, kReportPicture},
                 .study = {to_png, kStudyPicture},
                 .prediction = {to_png},
                 .chart = {to_png, kChartPicture},
                 .model = {to_png}},
    OutputFormat{.ending = ".html",
                 .what = "the interactive report as one page",
                 .report = {to_html, {.slide = true}},
                 .comparison = {to_html, {}, "the interactive page over all results"},
                 .study = {to_html, {}, "one page with the picture and all tables"},
                 .prediction = {to_html, {}, "one page with the picture and all tables"},
                 .chart = {to_html,
                           {.only = true, .title = true},
                           "one page with the picture and all tables"},
                 .model = {to_html, {}, "one page with the pictures of sweeps and all tables"}},
    OutputFormat{.ending = ".md",
                 .what = "tables that GitHub shows",
                 .report = {to_markdown, {.only = true, .title = true}},
                 .comparison = {to_markdown, {}, "a table for a merge request"},
                 .study = {to_markdown, {.title = true}},
                 .model = {to_markdown}},
    OutputFormat{.ending = ".csv",
                 .what = "a row for each region",
                 .report = {to_csv, {.only = true}},
                 .comparison = {to_csv, {}, "a line for each loop, step and quantity"},
                 .study = {to_csv, {}, "a row for each timing"},
                 .chart = {to_csv, {.only = true}, "a row for each dot and each line"}},
    OutputFormat{.ending = ".gp",
                 .what = "a gnuplot script with its data",
                 .report = {to_gnuplot, kReportScript}},
    OutputFormat{.ending = ".tikz",
                 .what = "a pgfplots picture for LaTeX",
                 .report = {to_tikz, kReportScript}},
    OutputFormat{.ending = ".json",
                 .what = "everything",
                 .report = {to_json, {}, "the stored profile"},
                 .comparison = {to_json},
                 .study = {to_json, {}, "the study itself"},
                 .projection = {to_json},
                 .prediction = {to_json},
                 .chart = {to_json, {.only = true, .title = true}, "the lines and dots themselves"},
                 .model = {to_json, {}, "the models themselves"},
                 .machine = {machine_to_json}},
};

}  // namespace

std::span<const OutputFormat> output_formats() {
  return kFormats;
}

const OutputFormat* format_of_ending(std::string_view file_name) {
  std::string name(file_name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&](const OutputFormat& one) {
    return name.ends_with(one.ending);
  });
  return found == kFormats.end() ? nullptr : found;
}

std::string listed_ending(const OutputFormat& format, std::string_view what) {
  return fmt::format("{} ({})", format.ending, what.empty() ? format.what : what);
}

tl::unexpected<Error> unknown_ending(const OutputRequest& request, std::string_view endings) {
  return fail(
      ErrorCode::usage,
      fmt::format("{}: the ending of {} {}", request.command, *request.file, request.complaint),
      fmt::format("It may be one of {}.", endings));
}

Result<void> check_taken(const OutputRequest& request, const OutputFormat* format,
                         const TakenOptions& takes) {
  constexpr std::array<std::string_view, 3> kStyles{"screen", "paper", "slide"};
  if (request.style && std::find(kStyles.begin(), kStyles.end(), *request.style) == kStyles.end()) {
    return fail(ErrorCode::usage,
                fmt::format("{}: there is no style `{}`", request.command, *request.style),
                "It is screen (the default), paper, or, for `ridge report`, slide.");
  }
  const bool is_slide = request.style == "slide";
  const char* ignored = request.only && !takes.only                  ? "--only"
                        : request.title && !takes.title              ? "--title"
                        : is_slide && !takes.slide                   ? "--style slide"
                        : request.style && !takes.style && !is_slide ? "--style"
                                                                     : nullptr;
  if (ignored == nullptr) {
    return {};
  }
  return fail(ErrorCode::usage,
              fmt::format("{}: {} says nothing about {}", request.command, ignored,
                          format != nullptr ? format->ending : "the screen"),
              "Leave it out, or name another ending with -o.");
}

Result<void> check_output_file(const OutputRequest& request) {
  std::error_code error;
  if (std::filesystem::is_directory(*request.file, error)) {
    return fail(ErrorCode::usage, fmt::format("{}: {} is a folder", request.command, *request.file),
                "Name a file with -o.");
  }
  if (!request.force && std::filesystem::exists(*request.file, error)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", *request.file),
                "--force overwrites it.");
  }
  return check_folder_of(*request.file);
}

}  // namespace ridge::cli
