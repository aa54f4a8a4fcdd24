#include "render/html/markup.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "render/text.hpp"

namespace ridge::render::html {

std::string element(std::string_view tag, std::string_view text, std::string_view css) {
  const std::string attributes = css.empty() ? "" : fmt::format(" class=\"{}\"", css);
  return fmt::format("<{0}{1}>{2}</{0}>\n", tag, attributes, escape_markup(text));
}

Cell text_cell(std::string_view text) {
  return {escape_markup(text), false, false};
}

Cell number_cell(std::string_view text) {
  return {escape_markup(text), true, false};
}

Cell bar_cell(std::string_view text, std::optional<double> fraction) {
  Cell cell = number_cell(text);
  if (fraction) {
    constexpr double kFull = 100.0;
    const double length = std::clamp(*fraction, 0.0, 1.0) * kFull;
    cell.content_html += fmt::format(
        "<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" "
        "aria-hidden=\"true\">"
        "<rect class=\"track\" width=\"100\" height=\"6\"/>"
        "<rect class=\"{}\" width=\"{:.1f}\" height=\"6\"/></svg>",
        *fraction > 1.0 ? "over" : "level", length);
  }
  return cell;
}

std::string table(std::string_view caption, const std::vector<Heading>& headings,
                  const std::vector<std::vector<Cell>>& rows) {
  std::string out = "<div class=\"scroll\" tabindex=\"0\"><table>\n";
  out += element("caption", caption) + "<thead><tr>";
  for (const Heading& heading : headings) {
    const std::string hint =
        heading.hint.empty() ? "" : fmt::format(" title=\"{}\"", escape_markup(heading.hint));
    out += fmt::format("<th scope=\"col\"{}{}>{}</th>", heading.numeric ? " class=\"number\"" : "",
                       hint, escape_markup(heading.text));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const Cell& cell : row) {
      const std::string_view tag = cell.heading ? "th" : "td";
      out += fmt::format("<{0}{1}{2}>{3}</{0}>", tag, cell.heading ? " scope=\"row\"" : "",
                         cell.numeric   ? " class=\"number\""
                         : cell.heading ? ""
                                        : " class=\"words\"",
                         cell.content_html);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string definition(std::string_view term, std::string_view description) {
  return description.empty() ? std::string()
                             : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n",
                                           escape_markup(term), escape_markup(description));
}

std::string_view style_sheet() {
  return R"(
:root{--paper:#fff;--ink:#1d2328;--quiet:#5b6570;--line:#dfe4e8;--tint:#f4f6f8;--accent:#0072b2;--warm:#d55e00}
*{box-sizing:border-box}
html{background:var(--tint);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0}
main{max-width:80rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:2rem;line-height:1.15;margin:.1rem 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:1.25rem 0 .4rem}
p{margin:.4rem 0;max-width:75ch}
.eyebrow{color:var(--accent);font-weight:600;font-size:.85rem;letter-spacing:.04em;margin:0}
.summary{font-size:1.15rem;border-left:4px solid var(--warm);padding:.2rem 0 .2rem .9rem;margin:1rem 0 1.4rem}
p.quiet{color:var(--quiet);font-size:.9rem}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:0}
.facts div{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:.7rem .9rem}
.facts dt{color:var(--quiet);font-size:.82rem}
.facts dd{margin:0;font-size:1.15rem;font-weight:600;font-variant-numeric:tabular-nums}
figure,.card{background:var(--paper);border:1px solid var(--line);border-radius:10px;margin:1.5rem 0 0;padding:1rem}
figure{overflow-x:auto}
figure .ridge-roofline{display:block;width:100%;height:auto;min-width:44rem}
figcaption{color:var(--quiet);font-size:.9rem;margin-top:.5rem}
.scroll{background:var(--paper);border:1px solid var(--line);border-radius:10px;overflow-x:auto;margin:.5rem 0}
.scroll:focus-visible{outline:2px solid var(--accent)}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--quiet);padding:.7rem .8rem .2rem}
th,td{padding:.45rem .55rem;text-align:left;vertical-align:top;white-space:nowrap}
thead th{color:var(--quiet);font-weight:600;border-bottom:1px solid var(--line);vertical-align:bottom;white-space:normal;line-height:1.25}
tbody tr+tr>*{border-top:1px solid var(--line)}
tbody th{font-weight:600;white-space:normal;overflow-wrap:anywhere;min-width:15rem}
tbody th small{display:block;font-weight:400;color:var(--quiet)}
td.words{white-space:normal;min-width:8rem}
.number{text-align:right}
.bar{display:block;width:100%;min-width:3.5rem;height:4px;margin-top:.25rem;border-radius:2px}
.track{fill:var(--line)}.level{fill:var(--accent)}.over{fill:var(--warm)}
ul.notes{padding:.7rem 1rem .7rem 2rem;margin:.5rem 0}
li{margin:.25rem 0}
details{background:var(--paper);border:1px solid var(--line);border-radius:10px;margin:.5rem 0;padding:.1rem .9rem}
summary{cursor:pointer;font-weight:600;padding:.5rem 0;overflow-wrap:anywhere}
details .scroll{border-radius:6px}
.provenance div{display:grid;grid-template-columns:12rem 1fr;gap:.75rem;padding:.3rem 0;border-top:1px solid var(--line)}
.provenance div:first-child{border-top:0}
.provenance dt{color:var(--quiet)}
.provenance dd{margin:0;overflow-wrap:anywhere}
.provenance{margin:0}
@media (max-width:40rem){.provenance div{grid-template-columns:1fr;gap:0}h1{font-size:1.5rem}}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#15191d;--ink:#e4e8eb;--quiet:#9aa4ad;--line:#2b3238;--tint:#0e1114;--accent:#56b4e9;--warm:#ff8c42}
}
@media print{
html{background:#fff;font-size:11px}
main{max-width:none;padding:0}
.scroll,figure{overflow:visible}
figure .ridge-roofline{min-width:0}
figure,.facts div,details,tr{break-inside:avoid}
h2{break-after:avoid}
}
)";
}

}  // namespace ridge::render::html
