#include "render/html/html_report.hpp"

#include <fmt/format.h>

#include "render/chart.hpp"
#include "render/format_si.hpp"
#include "render/html/html_sections.hpp"
#include "render/html/markup.hpp"
#include "render/names.hpp"
#include "render/report_facts.hpp"
#include "render/selection.hpp"
#include "render/svg/roofline_svg.hpp"
#include "render/text.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostRows = 500;

// Nothing may be loaded or run. Style sheets stand in the file itself and hold no text of the
// measured program.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string head(const Profile& profile) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", kPolicy);
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  out += "<meta name=\"referrer\" content=\"no-referrer\">\n";
  out += html::element("title", fmt::format("Roofline of {} - Ridge", program_name(profile)));
  return out + "<style>" + std::string(html::style_sheet()) + "</style>\n</head>\n";
}

std::string facts(const Profile& profile) {
  const Totals sums = totals(profile);
  std::string out = "<dl class=\"facts\">\n";
  out += html::definition("wall time", profile.program.wall_seconds > Seconds(0.0)
                                           ? si(profile.program.wall_seconds.value(), "s")
                                           : "");
  out += html::definition("work", sums.flops ? si(sums.flops, "Flop") : "");
  out += html::definition("performance",
                          sums.flops_per_second ? si(sums.flops_per_second, "Flop/s") : "");
  out += html::definition(sums.outermost_level + " traffic",
                          sums.outermost_bytes ? si(sums.outermost_bytes, "B") : "");
  if (sums.flops && sums.outermost_bytes && *sums.outermost_bytes > 0.0) {
    out += html::definition("intensity at " + sums.outermost_level,
                            number(*sums.flops / *sums.outermost_bytes) + " flop/byte");
  }
  if (sums.samples > 0) {
    out += html::definition("time not attributed", percent(profile.time.unattributed_fraction, 1));
  }
  return out + "</dl>\n";
}

std::string header(const Profile& profile, const Prediction& prediction) {
  std::string out = "<header>\n" + html::element("p", "Ridge roofline report", "eyebrow");
  out += html::element("h1", program_name(profile));
  out += html::element(
      "p", fmt::format("{}; {}; {}", profile.machine.name, compiler_line(profile), profile.date),
      "quiet");
  if (!prediction.summary.empty()) {
    out += html::element("p", prediction.summary, "summary");
  }
  return out + facts(profile) + "</header>\n";
}

std::string figure(const Profile& profile, const Prediction& prediction) {
  std::string caption =
      "Each region has one dot per memory level, at the region's performance and its intensity at "
      "that level; a dot can rise to the roof of its own level (same colour and shape).";
  const Chart chart = chart_of(profile, prediction);
  if (!chart.without_traffic.empty()) {
    caption += fmt::format(" Traffic unknown, in the table alone: {}.",
                           fmt::join(chart.without_traffic, ", "));
  }
  return "<figure>\n" + roofline_svg_element(profile, prediction) +
         html::element("figcaption", caption) + "</figure>\n";
}

}  // namespace

std::string html_report(const Profile& profile, const Prediction& prediction) {
  const Selection selection = select_regions(profile, prediction, kMostRows);
  std::string out = head(profile) + "<body>\n<main>\n";
  out += header(profile, prediction);
  out += figure(profile, prediction);
  out += html::loops_section(selection);
  out += html::findings_section(selection);
  out += html::notes_section(profile, selection);
  out += html::details_section(selection);
  out += html::machine_section(profile.machine);
  out += html::origins_section(profile);
  out += html::provenance_section(profile);
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace ridge::render
