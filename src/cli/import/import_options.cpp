#include "cli/import/import_options.hpp"

#include <utility>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {
namespace {

Result<void> check(const ImportOptions& options) {
  if (options.files.empty() && !options.list) {
    return fail(ErrorCode::usage, "import: no FILE is named",
                "ridge import likwid.csv; ridge import --from list prints what can be read");
  }
  if (options.output && !options.output->ends_with(".json")) {
    return fail(ErrorCode::usage, "import: -o takes a name that ends with .json",
                "ridge report makes pictures, tables and pages from that file.");
  }
  if (options.into && options.machine) {
    return fail(ErrorCode::usage, "import: --into has the machine of its RESULT",
                "leave --machine out");
  }
  return {};
}

}  // namespace

Result<std::optional<ImportOptions>> parse_import_options(
    const std::vector<std::string>& arguments) {
  ImportOptions options;
  std::optional<std::string> from;
  OptionParser parser("import", embedded::import_help);
  parser.positional("files", options.files);
  parser.option("--from", from);
  parser.option("-o,--output", options.output);
  parser.option("--into", options.into);
  parser.option("--machine", options.machine);
  parser.flag("--force", options.force);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  const auto outcome = parser.parse(arguments);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  options.list = from == "list";
  options.from = options.list ? "" : from.value_or("");
  if (auto fine = check(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  return options;
}

}  // namespace ridge::cli
