// The measurement of an instrumented program: counted and sampled in one run, simulated in a
// second.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "measure/instrumented/snapshots.hpp"

namespace ridge::measure {

/// What the runs after the first, for traffic, simulate.
enum class TrafficRequest {
  off,        ///< there are none
  exact,      ///< all lines of memory
  sampled,    ///< some lines for all, trusted or not
  automatic,  ///< sampled, and once more exactly where that cannot be trusted
};

struct Request {
  std::vector<std::string> arguments;  ///< program, found through PATH, and what it is told
  TrafficRequest traffic = TrafficRequest::exact;
  /// Caches of other machines, at most kMostElsewhere: needs exact traffic.
  std::vector<CachesElsewhere> also;
  /// The program need not be instrumented itself: it starts or loads what is.
  bool launcher = false;
  /// What the program writes to standard output goes to standard error (--json).
  bool output_to_error = false;
  std::chrono::nanoseconds interval = std::chrono::milliseconds(1);
  /// How long processes that outlive the program are waited for in the first run, if they are
  /// measured.
  std::chrono::seconds wait_for_descendants{60};
  /// The program goes on when somebody kills us.
  bool detach = false;
  /// Gets what is known every few seconds of the first run and before the second.
  SnapshotSink snapshots;
  /// Called with one line when the second run or a third begins; may be empty.
  std::function<void(std::string_view)> progress;
};

/// Runs the program on the real standard streams, then once or (TrafficRequest::automatic) twice
/// more for traffic with the same input and its output thrown away. How the program ended stands in
/// Profile::program. Errors before the program starts: bad_input (not found, not executable, not
/// instrumented, another version), unavailable (no memory, no file descriptors). After that
/// everything that went wrong is a note.
[[nodiscard]] Result<Profile> measure(const Request& request, const Machine& machine);

/// Nothing when `arguments` name a program that can be measured; the errors of measure() that come
/// before anything is started.
[[nodiscard]] Result<void> check(const Request& request);

}  // namespace ridge::measure
