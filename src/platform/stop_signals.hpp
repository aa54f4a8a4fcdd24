// SIGINT and SIGTERM as a wish to stop early, for work that can keep what is done.
#pragma once

namespace ridge::platform {

/// While one lives, the first SIGINT, SIGTERM or SIGHUP is only noted; the second of the same kind
/// ends the process as usual. What was ignored before stays ignored (nohup). At most one at a time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  /// The first signal that came in; 0: none.
  [[nodiscard]] static int received();
};

}  // namespace ridge::platform
