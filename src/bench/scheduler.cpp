#include "bench/scheduler.hpp"

#include <algorithm>
#include <utility>

namespace ridge::bench {
namespace {

/// Of a visit, in each pass: even a ceiling without any budget comes up now and then.
constexpr double kLeastEarning = 0.01;

}  // namespace

Scheduler::Scheduler(std::vector<Claim> claims, unsigned passes)
    : claims_(std::move(claims)),
      passes_(std::max(passes, 1U)),
      earned_(claims_.size()),
      settled_(claims_.size(), false) {
  // All are visited in the first pass; from then on those with rare visits take turns, or every
  // so many passes they would all come in the same one.
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    earned_[i] = claims_[i].visit_time;
  }
}

std::vector<Scheduler::Visit> Scheduler::next_pass() {
  std::vector<Visit> visits;
  while (visits.empty() && settled() < size()) {
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      if (settled_[i]) {
        continue;
      }
      const Claim& claim = claims_[i];
      if (passes_made_ > 0) {
        earned_[i] += std::max(claim.budget / passes_, kLeastEarning * claim.visit_time);
      }
      if (earned_[i] >= claim.visit_time) {
        visits.push_back({i, earned_[i]});
        const double stagger = static_cast<double>(i) / static_cast<double>(size());
        earned_[i] = passes_made_ == 0 ? claim.visit_time * stagger : Seconds{};
      }
    }
    ++passes_made_;
  }
  return visits;
}

void Scheduler::settle(std::size_t index) {
  settled_.at(index) = true;
}

std::size_t Scheduler::settled() const {
  return static_cast<std::size_t>(std::count(settled_.begin(), settled_.end(), true));
}

}  // namespace ridge::bench
