#include "cli/serve/serve_options.hpp"

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {

Result<std::optional<ServeOptions>> parse_serve_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> folders;
  std::optional<unsigned> port;
  std::optional<unsigned> timeout;
  std::optional<unsigned> connections;
  OptionParser parser("serve", embedded::serve_help);
  parser.positional("folder", folders);
  parser.option("--port", port);
  parser.option("--timeout", timeout);
  parser.option("--connections", connections);
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
  ServeOptions options{folders.front(), port.value_or(0)};
  options.timeout = timeout.value_or(options.timeout);
  options.connections = connections.value_or(options.connections);
  constexpr unsigned kLongest = 3600;
  constexpr unsigned kMostConnections = 1000;
  if (options.timeout < 1 || options.timeout > kLongest) {
    return fail(ErrorCode::usage, "serve: --timeout is 1 to 3600 seconds");
  }
  if (options.connections < 1 || options.connections > kMostConnections) {
    return fail(ErrorCode::usage, "serve: --connections is 1 to 1000");
  }
  return options;
}

}  // namespace ridge::cli
