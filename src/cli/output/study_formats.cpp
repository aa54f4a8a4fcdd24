#include "cli/output/study_formats.hpp"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "cli/common/machine_file.hpp"
#include "cli/common/picture.hpp"
#include "render/document/spmv/study_page.hpp"
#include "render/document/spmv/study_svg.hpp"
#include "render/document/spmv/text_formats.hpp"
#include "serialize/sparse_study.hpp"

namespace ridge::cli {
namespace {

std::string drawn(const StudyReport& report) {
  return render::study_svg(
      report.study, report.paper ? render::paper_look() : render::screen_look(), report.title);
}

Result<std::string> svg(const StudyReport& report) {
  return drawn(report);
}

Result<std::string> pdf(const StudyReport& report) {
  return picture_of(drawn(report), "pdf", report.study.date, picture_program_path());
}

Result<std::string> png(const StudyReport& report) {
  return picture_of(drawn(report), "png", report.study.date, picture_program_path());
}

Result<std::string> html(const StudyReport& report) {
  return render::study_page(report.study);
}

Result<std::string> markdown(const StudyReport& report) {
  return render::study_markdown(report.study, report.title.value_or(""));
}

Result<std::string> csv(const StudyReport& report) {
  return render::study_csv(report.study);
}

Result<std::string> json(const StudyReport& report) {
  return serialize::write_sparse_study(report.study);
}

constexpr std::array kFormats{
    StudyFormat{".json", "the study itself", json, false, false, false},
    StudyFormat{".svg", "a picture with real text", svg, false},
    StudyFormat{".pdf", "the same as a page of its size", pdf, false},
    StudyFormat{".png", "the same as pixels", png, false},
    StudyFormat{".html", "one page with the picture and all tables", html, false, false, false},
    StudyFormat{".md", "tables that GitHub shows", markdown, false, true, false},
    StudyFormat{".csv", "a row for each timing", csv, false, false, false},
};

Result<const StudyFormat*> format_of(const StudyOutput& output) {
  return find_format(study_formats(), output.command, *output.file, "says no format of a study");
}

Result<void> refuse(const StudyOutput& output, std::string_view option, std::string_view about) {
  return fail(ErrorCode::usage,
              fmt::format("{}: {} says nothing about {}", output.command, option, about),
              "Leave it out, or name another ending with -o.");
}

}  // namespace

std::span<const StudyFormat> study_formats() {
  return kFormats;
}

Result<void> check_study_output(const StudyOutput& output) {
  if (output.style && *output.style != "paper" && *output.style != "screen") {
    return fail(ErrorCode::usage,
                fmt::format("{}: there is no style `{}`", output.command, *output.style),
                "It is screen (the default) or paper.");
  }
  if (!output.file) {
    return output.title   ? refuse(output, "--title", "the screen")
           : output.style ? refuse(output, "--style", "the screen")
                          : Result<void>();
  }
  const auto format = format_of(output);
  if (!format) {
    return tl::make_unexpected(format.error());
  }
  if (output.title && !(*format)->takes_title) {
    return refuse(output, "--title", (*format)->ending);
  }
  if (output.style && !(*format)->takes_style) {
    return refuse(output, "--style", (*format)->ending);
  }
  std::error_code error;
  if (std::filesystem::is_directory(*output.file, error)) {
    return fail(ErrorCode::usage, fmt::format("{}: {} is a folder", output.command, *output.file),
                "Name a file with -o.");
  }
  if (!output.force && std::filesystem::exists(*output.file, error)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", *output.file), "--force overwrites it.");
  }
  return check_folder_of(*output.file);
}

Result<void> write_study(const StudyOutput& output, const SparseStudy& study) {
  if (!output.file) {
    return {};
  }
  const auto format = format_of(output);
  if (!format) {
    return tl::make_unexpected(format.error());
  }
  const auto bytes = (*format)->make({study, output.title, output.style == "paper"});
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  return write_text_file(*bytes, *output.file);
}

}  // namespace ridge::cli
