#include "cli/import/import_options.hpp"

#include <utility>

#include <fmt/format.h>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {
namespace {

constexpr unsigned kMostThreads = 65536;

Result<void> check(const ImportOptions& options) {
  if (options.files.empty() && !options.list) {
    return fail(ErrorCode::usage, "import: no FILE is named",
                "ridge import likwid.csv; ridge import --from list prints what can be read");
  }
  if (options.output && !options.output->ends_with(".json")) {
    return fail(ErrorCode::usage, "import: -o takes a name that ends with .json",
                "ridge report makes pictures, tables and pages from that file.");
  }
  if (options.threads && (*options.threads < 1 || *options.threads > kMostThreads)) {
    return fail(ErrorCode::usage, fmt::format("import: --threads takes 1 to {}", kMostThreads),
                "the threads that reached the roofs of the whole machine");
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
  parser.option("--threads", options.threads);
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
