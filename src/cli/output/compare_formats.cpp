#include "cli/output/compare_formats.hpp"

#include "cli/output/report_page.hpp"
#include "render/document/compare/comparison_svg.hpp"
#include "render/document/compare/text_formats.hpp"
#include "serialize/comparison.hpp"

namespace ridge::cli {
Result<std::string> to_svg(const CompareContent& content) {
  if (content.of_machines()) {
    return fail(ErrorCode::usage, "compare: machines are no picture yet",
                "Ask for .csv, .md or .json; `ridge report MACHINE -o x.svg` draws one.");
  }
  std::vector<const Profile*> profiles;
  for (const StoredResult& result : content.results) {
    profiles.push_back(&result.profile);
  }
  return render::comparison_svg(content.comparison, profiles);
}

Result<std::string> to_html(const CompareContent& content) {
  if (content.of_machines()) {
    return fail(ErrorCode::usage, "compare: machines are no page yet",
                "Ask for .csv, .md or .json.");
  }
  std::vector<StoredResult> results;  // a page shows findings, too
  for (const StoredResult& result : content.results) {
    results.push_back(evaluate(result.label, result.profile));
  }
  return report_page(results, {}, content.comparison);
}

Result<std::string> to_csv(const CompareContent& content) {
  return content.of_machines() ? render::machine_comparison_csv(content.machine_comparison)
                               : render::comparison_csv(content.comparison);
}

Result<std::string> to_markdown(const CompareContent& content) {
  return content.of_machines() ? render::machine_comparison_markdown(content.machine_comparison)
                               : render::comparison_markdown(content.comparison);
}

Result<std::string> to_json(const CompareContent& content) {
  return content.of_machines() ? serialize::write_machine_comparison(content.machine_comparison)
                               : serialize::write_comparison(content.comparison);
}

}  // namespace ridge::cli
