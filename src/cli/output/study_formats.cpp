#include "cli/output/study_formats.hpp"

#include "render/document/spmv/study_page.hpp"
#include "render/document/spmv/study_svg.hpp"
#include "render/document/spmv/text_formats.hpp"
#include "serialize/sparse_study.hpp"

namespace ridge::cli {
namespace {

constexpr std::string_view kComplaint = "says no format of a study";

}  // namespace

Result<std::string> to_svg(const StudyReport& report) {
  return render::study_svg(
      report.study, report.paper ? render::paper_look() : render::screen_look(), report.title);
}

Result<std::string> to_html(const StudyReport& report) {
  return render::study_page(report.study);
}

Result<std::string> to_markdown(const StudyReport& report) {
  return render::study_markdown(report.study, report.title.value_or(""));
}

Result<std::string> to_csv(const StudyReport& report) {
  return render::study_csv(report.study);
}

Result<std::string> to_json(const StudyReport& report) {
  return serialize::write_sparse_study(report.study);
}

std::string date_of(const StudyReport& report) {
  return report.study.date;
}

Result<void> check_study_output(OutputRequest request) {
  request.complaint = kComplaint;
  return check_output(&OutputFormat::study, request);
}

Result<void> write_study(OutputRequest request, const SparseStudy& study) {
  request.complaint = kComplaint;
  const StudyReport report{study, request.title, request.style == "paper"};
  return write_output(&OutputFormat::study, request, report);
}

}  // namespace ridge::cli
