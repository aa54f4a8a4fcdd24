#include "cli/serve_options.hpp"

#include "cli/help_texts.hpp"
#include "cli/option_parser.hpp"

namespace ridge::cli {

Result<std::optional<ServeOptions>> parse_serve_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> folders;
  std::optional<unsigned> port;
  OptionParser parser("serve", embedded::serve_help);
  parser.positional("folder", folders);
  parser.option("--port", port);
  const auto outcome = parser.parse(arguments);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  if (folders.size() != 1) {
    return fail(ErrorCode::usage, "serve: one folder is needed",
                "name the folder that holds results: ridge serve .");
  }
  constexpr unsigned kLastPort = 65535;
  if (port && *port > kLastPort) {
    return fail(ErrorCode::usage, "serve: --port is at most 65535");
  }
  return ServeOptions{folders.front(), port.value_or(0)};
}

}  // namespace ridge::cli
