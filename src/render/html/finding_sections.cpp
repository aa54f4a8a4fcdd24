// Findings, of the run and of one region.
#include <vector>

#include <fmt/format.h>

#include "render/format_si.hpp"
#include "render/html/html_sections.hpp"
#include "render/html/markup.hpp"
#include "render/report_facts.hpp"
#include "render/text.hpp"

namespace ridge::render::html {

std::string findings_section(const Selection& selection) {
  constexpr std::size_t kEach = 3;
  const auto all = top_findings(selection, kEach);
  if (all.empty()) {
    return {};
  }
  std::string out = "<section>\n" + element("h2", "Findings") + "<ul class=\"card notes\">\n";
  for (const Remark& remark : all) {
    out += "<li><strong>" + escape_markup(remark.about) +
           "</strong>: " + escape_markup(remark.text) + "</li>\n";
  }
  return out + "</ul>\n</section>\n";
}

std::string region_findings(const Region& region) {
  if (region.findings.empty()) {
    return {};
  }
  std::vector<std::vector<Cell>> rows;
  for (const Finding& finding : region.findings) {
    std::string evidence;
    for (const auto& [name, value] : finding.evidence) {
      evidence += fmt::format("{}{} = {}", evidence.empty() ? "" : ", ", name, number(value));
    }
    rows.push_back(
        {text_cell(finding.code), text_cell(finding_text(finding)), text_cell(evidence)});
  }
  return table("Findings",
               {{"code", false, {}},
                {"finding", false, {}},
                {"evidence", false, "SI base units; shares and ratios have none"}},
               rows);
}

}  // namespace ridge::render::html
