#include "cli/output/chart_formats.hpp"

#include "render/document/chart/machines_chart.hpp"
#include "render/document/chart/roofline_csv.hpp"
#include "render/document/chart/roofline_page.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "serialize/roofline_chart.hpp"

namespace ridge::cli {

Result<std::string> to_svg(const ChartContent& content) {
  const render::Chart chart = render::machines_chart(content.chart, content.powers_of_two);
  return render::chart_svg(chart, content.paper ? render::paper_look() : render::screen_look());
}

Result<std::string> to_html(const ChartContent& content) {
  return render::roofline_page(content.chart, content.powers_of_two);
}

Result<std::string> to_csv(const ChartContent& content) {
  return render::roofline_csv(content.chart);
}

Result<std::string> to_json(const ChartContent& content) {
  return serialize::write_roofline_chart(content.chart);
}

std::string date_of(const ChartContent& /*content*/) {
  return {};
}

}  // namespace ridge::cli
