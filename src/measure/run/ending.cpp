#include "measure/run/ending.hpp"

#include <algorithm>
#include <array>
#include <csignal>

#include "platform/signals.hpp"

namespace ridge::measure {

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
