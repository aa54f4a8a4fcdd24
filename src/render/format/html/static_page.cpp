#include "render/format/html/static_page.hpp"

#include <fmt/format.h>

#include "render/chart/palette.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kHead = R"(<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
)";

constexpr std::string_view kStyle = R"(
body{margin:0 auto;max-width:1160px;padding:16px 20px 40px;background:$page;color:$ink;font:15px/1.45 $fonts}
h1{font-size:24px;margin:8px 0 4px}
h2{font-size:17px;margin:28px 0 8px}
p,li{max-width:100ch}
.quiet{color:$quiet}
figure{margin:12px 0;overflow-x:auto}
figure>svg{max-width:100%;height:auto}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:3px 12px 3px 0;text-align:right;border-bottom:1px solid $major;vertical-align:top;white-space:nowrap}
th{font-weight:600}
th.words,td.words{text-align:left}
table.facts td{white-space:normal;overflow-wrap:anywhere}
.advice li{margin:4px 0}
)";
constexpr std::string_view kDarkStyle =
    R"(@media (prefers-color-scheme:dark){body{background:$page;color:$ink}.quiet{color:$quiet}th,td{border-color:$major}}
)";
constexpr std::string_view kPrintStyle =
    R"(@media print{body{max-width:none;padding:0;background:$page;color:$print}h2{break-after:avoid}tr{break-inside:avoid}th,td{white-space:normal}}
)";

std::string sheet() {
  return coloured(kStyle, Theme::light) + coloured(kDarkStyle, Theme::dark) +
         coloured(kPrintStyle, Theme::light);
}

std::string cell(std::string_view tag, bool words, std::string_view text) {
  return fmt::format("<{0}{1}{2}>{3}</{0}>", tag, tag == "th" ? " scope=\"col\"" : "",
                     words ? " class=\"words\"" : "", escape_markup(text));
}

std::string row_of(std::string_view tag, const std::vector<std::string>& cells, std::size_t words) {
  std::string out = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += cell(tag, i < words, cells[i]);
  }
  return out + "</tr>\n";
}

}  // namespace

std::string static_page(std::string_view title, std::string_view lead, std::string_view body) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n";
  out += kHead;
  out += "<style>" + sheet() + "</style>\n";
  out += fmt::format("<title>{0}</title>\n</head>\n<body>\n<h1>{0}</h1>\n", escape_markup(title));
  if (!lead.empty()) {
    out += fmt::format("<p class=\"quiet\">{}</p>\n", escape_markup(lead));
  }
  out += body;
  return out + "</body>\n</html>\n";
}

std::string page_figure(std::string_view svg) {
  return fmt::format("<figure>\n{}</figure>\n", svg);
}

std::string page_table(const PageTable& table) {
  if (table.rows.empty()) {
    return {};
  }
  std::string out =
      fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table>\n<thead>\n{}</thead>\n<tbody>\n",
                  escape_markup(table.title), row_of("th", table.heading, table.words));
  for (const auto& row : table.rows) {
    out += row_of("td", row, table.words);
  }
  return out + "</tbody></table></div>\n";
}

std::string page_list(std::string_view title, std::string_view css,
                      const std::vector<std::string>& items) {
  if (items.empty()) {
    return {};
  }
  std::string out = fmt::format("<h2>{}</h2>\n<ul class=\"{}\">\n", title, css);
  for (const std::string& item : items) {
    out += "<li>" + escape_markup(item) + "</li>\n";
  }
  return out + "</ul>\n";
}

}  // namespace ridge::render
