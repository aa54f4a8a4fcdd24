// Looks at a running program from its start to its end, and at what outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>
#include <vector>

#include "measure/instrumented/sampler.hpp"
#include "measure/instrumented/snapshots.hpp"
#include "measure/source.hpp"
#include "platform/process_tree.hpp"

namespace ridge::measure {

struct WatchOptions {
  std::chrono::nanoseconds interval;              ///< between two looks, on average
  std::chrono::seconds descendants;               ///< as Request::wait_for_descendants
  std::function<void(std::string_view)> tell;     ///< as Request::tell
  std::function<void(const Progress&)> progress;  ///< as Request::progress
};

struct Watched {
  platform::ExitStatus status;
  double wall_seconds = 0.0;  ///< up to the end of the last process that was measured
  bool waited = false;        ///< processes were measured after the program's end
  std::vector<platform::LivingProcess> left_measured;  ///< that still run
  std::vector<platform::LivingProcess> left_others;
};

/// Intervals vary, so that no rhythm of the program can hide. `begin`: when the program started.
[[nodiscard]] Watched watch(platform::ProcessTree& tree, ArenaBytes arena, Sampler& sampler,
                            Snapshots& snapshots, const WatchOptions& options,
                            std::chrono::steady_clock::time_point begin);

}  // namespace ridge::measure
