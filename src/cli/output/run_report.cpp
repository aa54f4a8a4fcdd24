#include "cli/output/run_report.hpp"

#include <utility>

#include "cli/common/result_file.hpp"
#include "cli/output/report_page.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "serialize/profile.hpp"

namespace ridge::cli {

RunReport make_run_report(Profile profile, bool redact) {
  StoredResult result =
      evaluate({}, redact ? serialize::redact(std::move(profile)) : std::move(profile));
  RunReport report{std::move(result.profile), std::move(result.prediction), {}};
  report.json = serialize::write_profile(report.profile, report.prediction);
  return report;
}

std::vector<ResultFile> files_of(const RunReport& report, render::CountedWork work) {
  return {{"profile.json", report.json},
          {"roofline.svg", render::roofline_svg(report.profile, report.prediction, work)},
          {"report.html", report_page({{{}, report.profile, report.prediction}})}};
}

int exit_code_of(const Profile::Program& program) {
  return program.signal ? 128 + *program.signal : program.exit_code.value_or(0);
}

}  // namespace ridge::cli
