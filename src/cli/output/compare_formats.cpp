#include "cli/output/compare_formats.hpp"

#include <array>
#include <span>

#include "cli/output/report_page.hpp"
#include "render/document/compare/comparison_svg.hpp"
#include "render/document/compare/text_formats.hpp"
#include "serialize/comparison.hpp"

namespace ridge::cli {
namespace {

Result<std::string> svg(const CompareContent& content) {
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

Result<std::string> html(const CompareContent& content) {
  if (content.of_machines()) {
    return fail(ErrorCode::usage, "compare: machines are no page yet",
                "Ask for .csv, .md or .json.");
  }
  return report_page(content.results, {}, content.comparison);
}

Result<std::string> json(const CompareContent& content) {
  return compare_json(content);
}

Result<std::string> csv(const CompareContent& content) {
  return content.of_machines() ? render::machine_comparison_csv(content.machine_comparison)
                               : render::comparison_csv(content.comparison);
}

Result<std::string> markdown(const CompareContent& content) {
  return content.of_machines() ? render::machine_comparison_markdown(content.machine_comparison)
                               : render::comparison_markdown(content.comparison);
}

constexpr std::array kFormats{
    CompareFormat{".svg", "a picture with arrows from old to new", svg},
    CompareFormat{".html", "the interactive page over all results", html},
    CompareFormat{".json", "everything", json},
    CompareFormat{".csv", "a line for each loop, step and quantity", csv},
    CompareFormat{".md", "a table for a merge request", markdown},
};

}  // namespace

Result<const CompareFormat*> find_compare_format(std::string_view file_name) {
  return find_format(std::span<const CompareFormat>(kFormats), "compare", file_name);
}

std::string compare_json(const CompareContent& content) {
  return content.of_machines() ? serialize::write_machine_comparison(content.machine_comparison)
                               : serialize::write_comparison(content.comparison);
}

}  // namespace ridge::cli
