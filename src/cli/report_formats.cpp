#include "cli/report_formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "cli/report_page.hpp"
#include "render/svg/roofline_svg.hpp"
#include "serialize/machine.hpp"
#include "serialize/profile.hpp"

namespace ridge::cli {
namespace {

tl::unexpected<Error> one_at_a_time(std::string_view ending) {
  return fail(ErrorCode::usage, fmt::format("report: {} holds one result", ending),
              "Name one RESULT, or another ending.");
}

Result<std::string> svg(const ReportContent& content) {
  if (content.machine) {
    return render::roofs_svg(content.machine->machine);
  }
  if (content.results.size() != 1) {
    return one_at_a_time(".svg");
  }
  return render::roofline_svg(content.results.front().profile, content.results.front().prediction);
}

Result<std::string> html(const ReportContent& content) {
  return content.machine ? report_page({}, {content.machine->machine})
                         : report_page(content.results);
}

constexpr std::array kFormats{
    ReportFormat{".svg", "a picture with real text", svg},
    ReportFormat{".html", "the report as one page", html},
    ReportFormat{".json", "the stored profile", report_json},
};

}  // namespace

std::span<const ReportFormat> report_formats() {
  return kFormats;
}

Result<const ReportFormat*> find_report_format(std::string_view file_name) {
  std::string name(file_name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string endings;
  for (const ReportFormat& format : kFormats) {
    if (name.ends_with(format.ending)) {
      return &format;
    }
    endings += fmt::format("{}{} ({})", endings.empty() ? "" : ", ", format.ending, format.what);
  }
  return fail(ErrorCode::usage, fmt::format("report: the ending of {} says no format", file_name),
              fmt::format("It may be one of {}.", endings));
}

Result<std::string> report_json(const ReportContent& content) {
  if (content.machine) {
    return serialize::write_machine(content.machine->machine);
  }
  if (content.results.size() != 1) {
    return one_at_a_time("JSON");
  }
  return serialize::write_profile(content.results.front().profile,
                                  content.results.front().prediction);
}

}  // namespace ridge::cli
