#include "render/document/spmv/study_page.hpp"

#include <string_view>

#include <fmt/format.h>

#include "render/chart/text.hpp"
#include "render/document/spmv/study_svg.hpp"
#include "render/document/spmv/study_tables.hpp"
#include "render/format/html/static_page.hpp"

namespace ridge::render {
namespace {

std::string facts_of(std::string_view title, const StudyFacts& facts) {
  std::string out =
      fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table class=\"facts\">\n", title);
  for (const auto& [name, value] : facts) {
    out += fmt::format(
        "<tr><th scope=\"row\" class=\"words\">{}</th><td class=\"words\">{}</td></tr>\n",
        escape_markup(name), escape_markup(value));
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string study_page(const SparseStudy& study) {
  std::vector<std::string> advice;
  for (const SparseFinding& finding : study.findings) {
    advice.push_back(finding.text);
  }
  std::string body = page_list("Advice", "advice", advice);
  body += page_figure(study_element(study));
  for (const StudyTable& table : study_tables(study)) {
    body += page_table(table);
  }
  body += page_list("How to read it", "quiet", study_legend(study));
  body += page_list("Remarks", "remarks", study_remarks(study));
  body += facts_of("Matrix", matrix_facts(study));
  body += facts_of("Where and when", provenance(study));
  return static_page(study_title(study, {}),
                     "The sparse matrix-vector product y = A x of one matrix, in every format.",
                     body);
}

}  // namespace ridge::render
