#include "measure/instrumented/launch.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <unistd.h>

#include "platform/signals.hpp"

namespace ridge::measure {
namespace {

constexpr const char* kSessionVariable = "RIDGE_SESSION";

}  // namespace

platform::ProcessOptions options_for(const Request& request, const Arena& arena) {
  platform::ProcessOptions options;
  options.arguments = request.arguments;
  options.environment = {{kSessionVariable, arena.session()}};
  if (request.output_to_error) {
    options.standard_output = STDERR_FILENO;
  }
  return options;
}

platform::WhenWeDie when_we_die(const Request& request) {
  return request.detach ? platform::WhenWeDie::let_live : platform::WhenWeDie::end_tree;
}

bool was_interrupted(const platform::ExitStatus& status) {
  constexpr std::array kOutside{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL, SIGALRM, SIGPIPE};
  return platform::SignalGuard::last_received() != 0 ||
         (status.signal &&
          std::find(kOutside.begin(), kOutside.end(), *status.signal) != kOutside.end());
}

}  // namespace ridge::measure
