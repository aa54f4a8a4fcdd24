// A program and everything that it starts: descendants that outlive it are known, and all of them
// end with us.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/result.hpp"
#include "platform/guard.hpp"
#include "platform/process.hpp"

namespace ridge::platform {

/// What happens to the program when we are killed.
enum class WhenWeDie { end_tree, let_live };

struct LivingProcess {
  pid_t pid = 0;
  std::string name;  ///< at most 15 bytes, as the kernel keeps it
};

/// Of processes that have ended and were waited for.
struct UsageOfTree {
  double user_seconds = 0.0;
  double kernel_seconds = 0.0;
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
};

/// Whoever drops one of which the program still runs kills all of it.
class ProcessTree {
 public:
  /// Errors as Process::start.
  [[nodiscard]] static Result<ProcessTree> start(const ProcessOptions& options,
                                                 WhenWeDie when_we_die);

  ProcessTree(ProcessTree&& other) noexcept;
  ProcessTree& operator=(ProcessTree&& other) noexcept;
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;
  ~ProcessTree();

  /// Of the program.
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// How the program ended; nullopt while it runs. Returns at once, but for a program that stopped
  /// itself (follow_stop). Passes on what pass_on_interrupts() has to.
  [[nodiscard]] std::optional<ExitStatus> poll();
  /// Waits at most `limit` for that.
  [[nodiscard]] std::optional<ExitStatus> wait_for(std::chrono::milliseconds limit);
  /// After the program's end: whether processes that it started still live. Returns at once.
  [[nodiscard]] bool has_others();
  /// Those, and the program itself while it runs; empty without /proc.
  [[nodiscard]] std::vector<LivingProcess> living() const;
  [[nodiscard]] const UsageOfTree& usage() const { return usage_; }

  /// Whoever drops this from now on kills what the program started, though it has ended itself.
  void end_others_too() { ends_others_ = true; }

  /// In a copy of us made by fork(), which must not keep the guard from noticing that we are gone.
  void forget_in_copy();

 private:
  ProcessTree() = default;
  [[nodiscard]] bool receive(int flags);
  void take(const GuardReport& report);
  void pass_on_interrupts();
  void interrupt(int signal) const;
  [[nodiscard]] bool has_pending(int signal) const;
  void end();

  using Clock = std::chrono::steady_clock;
  struct Interrupt {
    unsigned noted = 0;  ///< by us, so far judged
    unsigned seen = 0;   ///< by the guard
    std::optional<Clock::time_point> since;
  };

  pid_t pid_ = -1;
  pid_t guard_ = -1;
  int link_ = -1;
  SeenByGroup* seen_ = nullptr;
  std::array<Interrupt, kTerminalSignals.size()> interrupts_;
  bool has_others_ = false;
  bool ends_others_ = false;
  std::optional<ExitStatus> status_;
  UsageOfTree usage_;
};

}  // namespace ridge::platform
