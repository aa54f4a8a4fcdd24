// The time that verdicts go by: wall time, or CPU time where threads waited for a CPU.
#pragma once

#include <optional>

#include "core/value/profile.hpp"

namespace ridge::predict {

/// From this share of a region's time on, waiting for a CPU makes its wall time tell of the
/// machine's load instead of its code.
inline constexpr double kBusy = 0.05;

struct JudgedTime {
  SampledTime time;
  bool by_cpu = false;  ///< CPU time of the busiest thread; else wall time
};

/// Of the region itself; nullopt without a time.
[[nodiscard]] std::optional<JudgedTime> judged_time(const Region& region);

/// Seconds of judged_time, 0 when unknown.
[[nodiscard]] double judged_seconds(const Region& region);

/// Of the time that threads were on a CPU or ready for one, the part that they waited; 0 when
/// unknown.
[[nodiscard]] double waited_share(const Region& region);

}  // namespace ridge::predict
