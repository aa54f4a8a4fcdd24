#include "measure/instrumented/code/class_work.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "measure/instrumented/code/lane_pairing.hpp"

namespace ridge::measure {
namespace {

/// Of one counter, in the IR.
struct CounterOfClass {
  std::uint32_t index = 0;
  bool selects = false;  ///< of lanes: those that a select takes, of operations counted elsewhere
  OperationCounts per_lane;  ///< of lanes
  OperationCounts flops;     ///< a counter of executions: per execution; of lanes: all lanes on
  Traffic frame{};           ///< at fixed places of the frame
  std::uint64_t bytes = 0;   ///< loaded and stored
};

void add_bytes(const ridge_term_descriptor& term, CounterOfClass& counter) {
  switch (term.quantity) {
    case RIDGE_BYTES_LOADED:
    case RIDGE_BYTES_STORED:
      counter.bytes += term.amount;
      return;
    case RIDGE_BYTES_ON_FRAME:
      (term.operation == 0 ? counter.frame.read : counter.frame.written) += term.amount;
      return;
    default:
      return;
  }
}

std::optional<OperationKey> key_of(const ridge_term_descriptor& term) {
  const bool is_flops = term.quantity == RIDGE_FLOPS || term.quantity == RIDGE_SELECTED_FLOPS;
  if (!is_flops || term.precision > RIDGE_BF16 || term.operation > RIDGE_SQRT) {
    return std::nullopt;
  }
  return OperationKey{static_cast<Precision>(term.precision),
                      static_cast<OperationKind>(term.operation), term.width_bits};
}

/// The counters of a class, those of executions apart from those of lanes.
struct Counters {
  std::vector<CounterOfClass> executions;
  std::vector<CounterOfClass> lanes;
};

Counters sort_counters(const Descriptor& descriptor, const std::vector<std::uint32_t>& indices) {
  Counters counters;
  for (const std::uint32_t index : indices) {
    const auto described = descriptor.counter(index);
    CounterOfClass counter;
    counter.index = index;
    const bool counts_lanes = described.counts != RIDGE_COUNTS_EXECUTIONS;
    for (std::uint32_t t = 0; t < described.term_count; ++t) {
      const auto term = descriptor.term(described.first_term + t);
      if (const auto key = key_of(term)) {
        const unsigned lanes = std::max(1U, key->width_bits / element_bits(key->precision));
        counter.flops.add(*key, term.amount * (counts_lanes ? lanes : 1));
        counter.per_lane.add(*key, counts_lanes ? term.amount : 0);
        counter.selects = counter.selects || term.quantity == RIDGE_SELECTED_FLOPS;
      }
      add_bytes(term, counter);
    }
    if (!counts_lanes) {
      counters.executions.push_back(std::move(counter));
    } else if (!counter.flops.empty()) {
      counters.lanes.push_back(std::move(counter));
    }
  }
  return counters;
}

OperationCounts sum_of(const std::vector<CounterOfClass>& counters) {
  OperationCounts sum;
  for (const CounterOfClass& counter : counters) {
    sum += counter.flops;
  }
  return sum;
}

std::vector<WorkTerm> terms_of(const OperationCounts& counts) {
  std::vector<WorkTerm> terms;
  for (const auto& [key, flops] : counts.by_key()) {
    terms.push_back({key.precision, key.kind, key.width_bits, flops});
  }
  return terms;
}

/// Which of `counters` lacks most of what the IR gave it; where none does, the one with most.
std::size_t neediest(const std::vector<CounterOfClass>& counters,
                     const std::vector<OperationCounts>& given) {
  std::size_t best = 0;
  const auto need = [&](std::size_t i) {
    const std::uint64_t had = counters[i].flops.total();
    return std::pair(had - std::min(had, given[i].total()), had);
  };
  for (std::size_t i = 1; i < counters.size(); ++i) {
    if (need(i) > need(best)) {
      best = i;
    }
  }
  return best;
}

/// `flops` over the counters: each gets what it had, as far as that is still there, and the rest
/// goes where most is missing.
std::vector<OperationCounts> share_out(const OperationCounts& flops,
                                       const std::vector<CounterOfClass>& counters) {
  std::vector<OperationCounts> given(counters.size());
  OperationCounts left = flops;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    given[i] = least(counters[i].flops, left);
    left = beyond(left, given[i]);
  }
  for (const auto& [key, rest] : left.by_key()) {
    given[neediest(counters, given)].add(key, rest);
  }
  return given;
}

/// Where the machine code leaves it open: the IR's, if that is possible, else the nearest end.
OperationCounts best_guess(const OperationCounts& low, const OperationCounts& high,
                           const OperationCounts& in_ir) {
  return most(low, least(high, in_ir));
}

/// What counters of executions add.
struct PlainWork {
  OperationCounts flops;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// Of masked operations that nobody counts all lanes may be on, or none.
PlainWork plain_work(const WorkRange& work, const OperationCounts& in_ir,
                     const OperationCounts& open) {
  PlainWork plain;
  plain.flops = best_guess(work.least.plain, work.most.plain, in_ir);
  plain.least = work.least.plain.total();
  plain.most = work.most.plain.total();
  plain.flops += open;
  plain.most += open.total();
  return plain;
}

CounterWork exactly(const OperationCounts& counts) {
  return {terms_of(counts), counts.total(), counts.total()};
}

/// Counters of lanes add what they count, or nothing. What a select takes counts only where the
/// machine code masks it.
void set_lanes(const Counters& counters, const LanePairing& pairing,
               std::map<std::uint32_t, CounterWork>& counts) {
  for (const CounterOfClass& counter : counters.lanes) {
    const OperationKey& key = counter.flops.by_key().begin()->first;
    const bool is_right = pairing.counted.contains({key.precision, key.kind});
    if (!is_right) {
      counts[counter.index] = {};
    } else if (counter.selects) {
      counts[counter.index] = exactly(counter.per_lane);
    }
  }
}

/// Without what the IR moves there itself: locals that stand in memory. The least that copies and
/// ways do: what a loop's end fetches back would count with each of its turns otherwise.
Traffic spilled(const WorkRange& work, const std::vector<CounterOfClass>& counters) {
  Traffic in_ir;
  for (const CounterOfClass& counter : counters) {
    in_ir += counter.frame;
  }
  const Traffic& moved = work.least.frame;
  return {moved.read - std::min(moved.read, in_ir.read),
          moved.written - std::min(moved.written, in_ir.written)};
}

/// The first of those that load and store most.
std::size_t busiest(const std::vector<CounterOfClass>& counters) {
  const auto most = std::max_element(
      counters.begin(), counters.end(),
      [](const CounterOfClass& a, const CounterOfClass& b) { return a.bytes < b.bytes; });
  return static_cast<std::size_t>(most - counters.begin());
}

}  // namespace

void add_class_work(const Descriptor& descriptor, const std::vector<std::uint32_t>& indices,
                    const WorkRange& work, std::map<std::uint32_t, CounterWork>& counts) {
  const Counters counters = sort_counters(descriptor, indices);
  if (counters.executions.empty()) {
    return;
  }
  const LanePairing pairing = pair_lanes(work, sum_of(counters.lanes));
  const PlainWork plain = plain_work(work, sum_of(counters.executions), pairing.open);
  const auto given = share_out(plain.flops, counters.executions);
  const std::size_t open = neediest(counters.executions, given);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::uint64_t total = given[i].total();
    const bool takes_interval = i == open && plain.least < plain.most;
    const std::uint64_t sum = plain.flops.total();
    counts[counters.executions[i].index] = {
        terms_of(given[i]), takes_interval ? total - std::min(total, sum - plain.least) : total,
        takes_interval ? total + (plain.most - sum) : total};
  }
  const CounterOfClass& moving = counters.executions[busiest(counters.executions)];
  counts[moving.index].spilled = spilled(work, counters.executions);
  set_lanes(counters, pairing, counts);
}

}  // namespace ridge::measure
