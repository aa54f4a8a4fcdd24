#include "bench/passes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace ridge::bench {
namespace {

constexpr unsigned kLeastPasses = 32;        ///< before any ceiling is settled
constexpr unsigned kPassesBetweenLooks = 4;  ///< at which are settled

std::vector<Claim> claims_of(const std::vector<PlannedKernel>& planned) {
  std::vector<Claim> claims;
  for (const PlannedKernel& kernel : planned) {
    claims.push_back({kernel.budget, kernel.visit_time});
  }
  return claims;
}

}  // namespace

Passes::Passes(std::vector<PlannedKernel> planned, std::vector<Level> cache_levels, unsigned passes)
    : planned_(std::move(planned)),
      cache_levels_(std::move(cache_levels)),
      scheduler_(claims_of(planned_), passes),
      measured_(planned_.size()) {}

bool Passes::must_stop(const Control& control) const {
  return (control.stop && control.stop()) ||
         (scheduler_.passes_made() > 1 && control.out_of_time && control.out_of_time());
}

Result<void> Passes::run(const TakeTurns& take, const Control& control) {
  while (!must_stop(control)) {
    const auto visits = scheduler_.next_pass();
    if (visits.empty()) {
      break;
    }
    if (auto made = make(take, visits, control); !made) {
      return made;
    }
    if (scheduler_.passes_made() >= kLeastPasses &&
        scheduler_.passes_made() % kPassesBetweenLooks == 0) {
      settle();
    }
  }
  return {};
}

std::vector<std::size_t> Passes::apart() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < size(); ++i) {
    if (measured_[i].threads_apart) {
      indices.push_back(i);
    }
  }
  return indices;
}

Result<void> Passes::repeat_apart(const TakeTurns& take, const Control& control) {
  constexpr double kLonger = 4.0;
  const auto over = [&] {
    return (control.stop && control.stop()) || (control.out_of_time && control.out_of_time());
  };
  for (auto left = apart(); !left.empty() && !over(); left = apart()) {
    std::vector<Scheduler::Visit> visits;
    for (const std::size_t index : left) {
      visits.push_back({index, planned_[index].visit_time * kLonger});
    }
    if (auto made = make(take, visits, control); !made) {
      return made;
    }
  }
  return {};
}

/// Threads are started once for all neighbouring visits with the same number of them.
Result<void> Passes::make(const TakeTurns& take, const std::vector<Scheduler::Visit>& visits,
                          const Control& control) {
  for (auto begin = visits.begin(); begin != visits.end();) {
    const unsigned threads = planned_[begin->index].threads;
    const auto end = std::find_if(begin, visits.end(), [&](const Scheduler::Visit& visit) {
      return planned_[visit.index].threads != threads;
    });
    std::vector<Turn> turns;
    std::transform(begin, end, std::back_inserter(turns), [&](const Scheduler::Visit& visit) {
      return Turn{&planned_[visit.index], visit.time};
    });
    if (control.on_turn) {
      control.on_turn();
    }
    const auto taken = take(turns, [&] { return must_stop(control); });
    if (!taken) {
      return tl::make_unexpected(taken.error());
    }
    for (std::size_t i = 0; i < taken->size(); ++i) {
      const Measured& visit = (*taken)[i];
      measured_[(begin + static_cast<std::ptrdiff_t>(i))->index].append(visit);
      if (!visit.rates.empty()) {
        quickest_bursts_[threads].push_back(quickest_burst(visit));
      }
    }
    begin = end;
  }
  return {};
}

Scale Passes::scale_of(const PlannedKernel& planned) const {
  const bool in_core = !planned.level || std::find(cache_levels_.begin(), cache_levels_.end(),
                                                   planned.level) != cache_levels_.end();
  return in_core ? Scale::per_cycle : Scale::per_second;
}

Sorted Passes::sorted(std::size_t index) const {
  const PlannedKernel& planned = planned_.at(index);
  const double most = scale_of(planned) == Scale::per_second
                          ? std::numeric_limits<double>::infinity()
                          : quiet_burst_cycles(quickest_bursts_.at(planned.threads)).value();
  return sort_out(measured_.at(index), most);
}

bool Passes::is_known(const PlannedKernel& planned, const Sorted& sorted) const {
  const auto uncertainty = uncertainty_of_p90(sorted.kept, scale_of(planned));
  return !sorted.disturbed && uncertainty && *uncertainty <= planned.tolerance;
}

void Passes::settle() {
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    if (!scheduler_.is_settled(i) && !measured_[i].rates.empty() &&
        is_known(planned_[i], sorted(i))) {
      scheduler_.settle(i);
    }
  }
}

/// Ids of the planned ceilings for which no form of their kernel gave a sample of threads at once.
std::vector<std::string> ceilings_apart(const std::vector<PlannedKernel>& planned,
                                        const Passes& passes, const Machine& machine) {
  std::vector<std::string> ids;
  for (const std::size_t index : passes.apart()) {
    if (index < planned.size() && !planned[index].kernel->free_adds &&
        find_ceiling(machine, planned[index].id) == nullptr) {
      ids.push_back(planned[index].id);
    }
  }
  return ids;
}

}  // namespace ridge::bench
