// Two measurements at once would measure each other: they take turns.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/result.hpp"

namespace ridge::cli {

struct TurnHooks {
  /// Sleeps between two looks and gives the time that passed since the first one.
  std::function<std::chrono::milliseconds()> pause;
  std::function<bool()> stop;  ///< asked often; may be empty
  /// The process that holds the lock, as far as it is known, and the time so far; may be empty.
  std::function<void(std::optional<int> holder, std::chrono::milliseconds waited)> on_wait;
};

/// The right to measure this machine: a lock (flock) on a file, which the kernel gives back however
/// its holder ends.
class MeasuringTurn {
 public:
  /// Waits until nobody else holds `lock_file`, which is made where there is none. Where that
  /// cannot be (no such folder, a file system without locks) nothing is waited for. Errors:
  /// `unavailable` when another process held it for ten minutes or `stop` said so.
  [[nodiscard]] static Result<MeasuringTurn> take(const std::filesystem::path& lock_file,
                                                  const TurnHooks& hooks);

  MeasuringTurn(MeasuringTurn&& other) noexcept;
  MeasuringTurn& operator=(MeasuringTurn&& other) noexcept;
  MeasuringTurn(const MeasuringTurn&) = delete;
  MeasuringTurn& operator=(const MeasuringTurn&) = delete;
  ~MeasuringTurn();

 private:
  MeasuringTurn() = default;
  void give_back();

  int descriptor_ = -1;
};

/// The lock beside a cached machine file, one for each host: several may share a home folder.
[[nodiscard]] std::filesystem::path lock_file_beside(const std::filesystem::path& machine_file);

/// Looks five times a second and shows on standard error who is waited for.
[[nodiscard]] TurnHooks waiting_on_terminal(std::function<bool()> stop);

}  // namespace ridge::cli
