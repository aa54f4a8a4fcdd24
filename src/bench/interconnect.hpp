// How fast the ranks of a start exchange messages: ping-pong, all ranks at once, all-reduce, each
// over a sweep of sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bench/kernel_table.hpp"
#include "core/result.hpp"
#include "core/value/interconnect.hpp"
#include "platform/communicator.hpp"

namespace ridge::bench {

struct InterconnectRequest {
  Effort effort = Effort::standard;
  std::uint64_t most_bytes = UINT64_MAX;  ///< of a message, where the effort allows more
  std::string host;                       ///< that this rank runs on
  unsigned cpus = 0;                      ///< of the host that are there for its ranks; 0: unknown
  std::string date;                       ///< ISO 8601, UTC
  /// Seconds since any moment, of a clock that does not jump.
  std::function<double()> now;
  /// Called in rank 0 before the first message with the number of links and of sizes.
  std::function<void(std::size_t links, std::size_t sizes)> on_start;
};

struct MeasuredInterconnect {
  Interconnect interconnect;
  bool speaks_for_host = false;  ///< the first rank of its host
};

/// To be called in all ranks at once; all get the same interconnect. Each size is visited in
/// several rounds, so that a disturbance spoils few samples of each. Error: `unavailable` where a
/// host has more ranks than CPUs, since the times would be those of taking turns.
[[nodiscard]] Result<MeasuredInterconnect> measure_interconnect(platform::Communicator& ranks,
                                                                const InterconnectRequest& request);

}  // namespace ridge::bench
