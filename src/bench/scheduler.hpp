// In which order and how often the ceilings of a plan are visited. Pure: knows no clock.
#pragma once

#include <cstddef>
#include <vector>

#include "core/quantity/units.hpp"

namespace ridge::bench {

/// What one ceiling asks for.
struct Claim {
  Seconds budget{};      ///< of sampling, over the whole run
  Seconds visit_time{};  ///< least length of one visit
};

/// Spreads every ceiling's samples over the whole run: in each pass every ceiling earns its share
/// of time and is visited once it has earned a visit. A disturbance of a second then takes a few
/// visits of every ceiling and not all of any one. Settled ceilings are left out, so that the
/// passes become shorter and the others are visited more often in the time that is left.
class Scheduler {
 public:
  /// `passes` at least 1: in how many passes a ceiling has earned its whole budget.
  Scheduler(std::vector<Claim> claims, unsigned passes);

  struct Visit {
    std::size_t index = 0;  ///< of the claim
    Seconds time{};
  };

  /// The visits of the next pass, in the order of the claims. The first pass visits all. Never
  /// empty unless all are settled.
  [[nodiscard]] std::vector<Visit> next_pass();

  /// This ceiling needs no more samples.
  void settle(std::size_t index);

  [[nodiscard]] bool is_settled(std::size_t index) const { return settled_.at(index); }
  [[nodiscard]] std::size_t settled() const;
  [[nodiscard]] std::size_t size() const { return claims_.size(); }
  [[nodiscard]] unsigned passes_made() const { return passes_made_; }

 private:
  std::vector<Claim> claims_;
  unsigned passes_;
  unsigned passes_made_ = 0;
  std::vector<Seconds> earned_;
  std::vector<bool> settled_;
};

}  // namespace ridge::bench
