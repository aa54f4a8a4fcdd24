// The wall time that one characterisation may take, and whether the user wants it to end sooner.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bench/characterise.hpp"
#include "core/quantity/units.hpp"

namespace ridge::bench {

/// Once stopped it stays so, whatever is answered later.
class WallBudget {
 public:
  /// `start`: platform::ticks_before(), `tsc_hertz`: of that counter. The functions may be empty.
  WallBudget(std::uint64_t start, double tsc_hertz, Seconds wall, std::function<bool()> stop,
             std::function<void(const Progress&)> on_progress);

  [[nodiscard]] Seconds wall() const { return wall_; }
  [[nodiscard]] Seconds elapsed() const;

  /// Asks.
  [[nodiscard]] bool must_stop();
  /// Whether the answer was yes once.
  [[nodiscard]] bool stopped() const { return stopped_; }

  /// Tells what is done now, and how long everything takes at most.
  void show_progress(const std::string& what) const;

 private:
  std::uint64_t start_;
  double tsc_hertz_;
  Seconds wall_;
  std::function<bool()> stop_;
  std::function<void(const Progress&)> on_progress_;
  bool stopped_ = false;
};

}  // namespace ridge::bench
