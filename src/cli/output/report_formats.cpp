#include "cli/output/report_formats.hpp"

#include <utility>

#include <fmt/format.h>

#include "cli/output/report_page.hpp"
#include "render/document/bench/ceiling_csv.hpp"
#include "render/document/bench/machine_markdown.hpp"
#include "render/document/run/markdown_report.hpp"
#include "render/document/run/region_csv.hpp"
#include "render/document/run/results_chart.hpp"
#include "render/format/gnuplot/gnuplot_script.hpp"
#include "render/format/html/page_style.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_look.hpp"
#include "render/format/tikz/tikz_picture.hpp"
#include "serialize/machine.hpp"
#include "serialize/profile.hpp"

namespace ridge::cli {
namespace {

tl::unexpected<Error> one_at_a_time(std::string_view what) {
  return fail(ErrorCode::usage, fmt::format("report: {} holds one result", what),
              "Name one RESULT, or another ending.");
}

}  // namespace

std::vector<render::LabelledResult> ReportContent::labelled() const {
  std::vector<render::LabelledResult> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    all.push_back({results[i].label, &results[i].profile, &results[i].prediction,
                   i < only.size() ? only[i] : std::vector<std::uint32_t>{}});
  }
  return all;
}

Result<render::Chart> ReportContent::chart() const {
  render::Chart chart;
  if (machine) {
    chart = render::chart_of(machine->machine, work);
  } else if (results.size() == 1) {
    const auto all = labelled();
    chart = render::chart_of(*all.front().profile, *all.front().prediction, all.front().only, work);
  } else if (results.size() <= render::kMostResults) {
    chart = render::chart_of(labelled(), work);
  } else {
    return fail(ErrorCode::usage,
                fmt::format("report: one picture holds at most {} results", render::kMostResults),
                "There are no more marks that can be told apart.");
  }
  if (slide) {
    chart = render::for_slide(std::move(chart), render::kSlideRegions);
  }
  if (title) {
    chart.title = *title;
  } else if (paper) {
    chart.title.clear();  // a paper has captions
  }
  return chart;
}

Result<std::string> to_svg(const ReportContent& content) {
  return content.chart().map([&](const render::Chart& chart) {
    return render::chart_svg(chart, content.paper   ? render::paper_look()
                                    : content.slide ? render::slide_look()
                                                    : render::screen_look());
  });
}

Result<std::string> to_html(const ReportContent& content) {
  if (content.work == render::CountedWork::intops) {
    return fail(ErrorCode::usage, "report: of the page its reader chooses what it counts",
                "Leave --intops out: `Lines` above the chart has it.");
  }
  std::string page =
      content.machine ? report_page({}, {content.machine->machine}) : report_page(content.results);
  return content.slide ? render::as_slide(std::move(page)) : page;
}

Result<std::string> to_markdown(const ReportContent& content) {
  const std::string title = content.title.value_or("");
  return content.machine ? render::markdown_machine(content.machine->machine, title)
                         : render::markdown_report(content.labelled(), title, content.work);
}

Result<std::string> to_csv(const ReportContent& content) {
  return content.machine ? render::ceiling_csv(content.machine->machine)
                         : render::region_csv(content.labelled());
}

Result<std::string> to_gnuplot(const ReportContent& content) {
  return content.chart().map(
      [&](const render::Chart& chart) { return render::gnuplot_script(chart, content.paper); });
}

Result<std::string> to_tikz(const ReportContent& content) {
  return content.chart().map(
      [&](const render::Chart& chart) { return render::tikz_picture(chart, content.paper); });
}

Result<std::string> to_json(const ReportContent& content) {
  if (content.machine) {
    return serialize::write_machine(content.machine->machine);
  }
  if (content.results.size() != 1) {
    return one_at_a_time("JSON");
  }
  return serialize::write_profile(content.results.front().profile,
                                  content.results.front().prediction);
}

std::string date_of(const ReportContent& content) {
  return content.machine ? content.machine->machine.date : content.results.front().profile.date;
}

}  // namespace ridge::cli
