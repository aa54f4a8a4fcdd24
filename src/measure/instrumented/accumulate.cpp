#include "measure/instrumented/accumulate.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "measure/instrumented/wait_causes.hpp"

namespace ridge::measure {
namespace {

constexpr std::uint32_t kEmptyStack = 0;
constexpr double kLeastShare = 1e-6;  ///< what rounding leaves over is no sample
constexpr std::size_t kWaitingMax = 4096;
constexpr std::uint32_t kIdle = 0x80000000U;  ///< marks the node of a thread in no region

std::uint64_t tick_and_node(TickId tick, std::uint32_t node) {
  return (std::uint64_t{tick} << 32U) | node;
}

/// The regions that a stack is in, itself or through callers and lexical parents. Sorted.
using RegionSet = std::shared_ptr<const std::vector<std::uint32_t>>;

/// The set of each stack, made from that of the stack below it.
class Closures {
 public:
  Closures(const StackTable& stacks, const RegionTable& table) : table_(table) {
    sets_.reserve(stacks.size());
    sets_.push_back(std::make_shared<std::vector<std::uint32_t>>());
    tops_.push_back(kNoRegion);
    for (std::uint32_t node = 1; node < stacks.size(); ++node) {  // parents come first
      const std::uint32_t top = table.find(stacks.region(node));
      tops_.push_back(top);
      sets_.push_back(extended(sets_[stacks.parent(node)], top));
    }
  }

  [[nodiscard]] std::uint32_t top(std::uint32_t node) const { return tops_[node]; }
  [[nodiscard]] const std::vector<std::uint32_t>& all(std::uint32_t node) const {
    return *sets_[node];
  }

 private:
  RegionSet extended(const RegionSet& below, std::uint32_t region) const {
    std::vector<std::uint32_t> added;
    for (auto at = region; at != kNoRegion; at = table_.regions[at].parent.value_or(kNoRegion)) {
      if (!std::binary_search(below->begin(), below->end(), at)) {
        added.push_back(at);
      }
    }
    if (added.empty()) {
      return below;
    }
    added.insert(added.end(), below->begin(), below->end());
    std::sort(added.begin(), added.end());
    return std::make_shared<std::vector<std::uint32_t>>(std::move(added));
  }

  const RegionTable& table_;
  std::vector<RegionSet> sets_;
  std::vector<std::uint32_t> tops_;
};

/// How many threads of one tick are in each region.
using ThreadCounts = std::map<std::uint32_t, unsigned>;

/// By region itself, and with what it encloses and calls. `nodes`: the key of a tick.
std::pair<ThreadCounts, ThreadCounts> count_threads(const std::vector<std::uint32_t>& nodes,
                                                    const Closures& closures) {
  ThreadCounts self;
  ThreadCounts inclusive;
  for (const std::uint32_t node : nodes) {
    if (node >= kIdle) {
      break;
    }
    if (closures.top(node) != kNoRegion) {
      ++self[closures.top(node)];
    }
    for (const std::uint32_t region : closures.all(node)) {
      ++inclusive[region];
    }
  }
  return {std::move(self), std::move(inclusive)};
}

}  // namespace

StackTable::StackTable() : nodes_{{kEmptyStack, 0}} {}

std::uint32_t StackTable::push(std::uint32_t node, std::uint32_t region) {
  const std::uint64_t key = (std::uint64_t{node} << 32U) | region;
  const auto [entry, is_new] = children_.try_emplace(key, size());
  if (is_new) {
    nodes_.push_back({node, region});
  }
  return entry->second;
}

TickId Accumulator::add_tick(std::vector<std::uint32_t> nodes, double seconds,
                             const std::vector<std::uint32_t>& idle, unsigned processes) {
  ++ticks_;
  std::erase(nodes, kEmptyStack);
  if (nodes.empty()) {
    return kNoTick;
  }
  most_threads_ = std::max(most_threads_, static_cast<unsigned>(nodes.size()));
  for (const std::uint32_t node : idle) {
    nodes.push_back(node | kIdle);
  }
  std::sort(nodes.begin(), nodes.end());
  const auto [entry, is_new] = ticks_by_stacks_.try_emplace(std::move(nodes));
  TickSum& sum = entry->second;
  if (is_new) {
    words_ += entry->first.size() + 8;
    sum.id = static_cast<TickId>(ticks_by_stacks_.size() - 1);
  }
  sum.seconds += seconds;
  sum.share += seconds / processes;
  ++sum.count;
  return sum.id;
}

void Accumulator::add_cpu(std::uint32_t node, double seconds, std::uint64_t samples,
                          std::uint32_t thread) {
  RegionTimes::Cpu& sum = cpu_by_stack_[(std::uint64_t{node} << 32U) | thread];
  sum.seconds += seconds;
  sum.samples += samples;
  cpu_seconds_ += seconds;
  cpu_samples_ += samples;
}

void Accumulator::add_wait(std::uint32_t node, double seconds, std::uint32_t thread, TickId tick) {
  cpu_by_stack_[(std::uint64_t{node} << 32U) | thread].waited += seconds;
  if (tick != kNoTick) {
    const auto [entry, is_new] = waited_by_tick_.try_emplace(tick_and_node(tick, node), 0.0);
    entry->second += seconds;
    words_ += is_new ? 4 : 0;
  }
}

std::vector<bool> Accumulator::asleep() const {
  constexpr std::uint64_t kEnoughTicks = 20;
  constexpr double kAwake = 0.05;  // of the time
  std::vector<bool> asleep(stacks_.size(), false);
  if (cpu_samples_ == 0) {
    return asleep;
  }
  std::vector<double> seen(stacks_.size(), 0.0);
  std::vector<std::uint64_t> ticks(stacks_.size(), 0);
  for (const auto& [nodes, sum] : ticks_by_stacks_) {
    for (const std::uint32_t node : nodes) {
      if (node < kIdle) {
        seen[node] += sum.seconds;
        ticks[node] += sum.count;
      }
    }
  }
  std::vector<double> ran(stacks_.size(), 0.0);
  for (const auto& [key, sum] : cpu_by_stack_) {
    ran[static_cast<std::uint32_t>(key >> 32U)] += sum.seconds + sum.waited;
  }
  for (std::size_t node = 0; node < asleep.size(); ++node) {
    asleep[node] = ticks[node] >= kEnoughTicks && ran[node] < kAwake * seen[node];
  }
  return asleep;
}

void Accumulator::add_shares(const RegionTable& table, const CpusOfProcess& cpus,
                             std::vector<RegionTimes>& times) const {
  const auto seen = times;
  const WaitBlame blame(stacks_, table, seen, cpus, asleep());
  for (const auto& [key, sum] : ticks_by_stacks_) {
    const auto first_idle = std::lower_bound(key.begin(), key.end(), kIdle);
    const std::vector<std::uint32_t> nodes(key.begin(), first_idle);
    std::vector<std::uint32_t> idle(first_idle, key.end());
    for (std::uint32_t& node : idle) {
      node &= ~kIdle;
    }
    std::vector<double> without_cpu;
    for (const std::uint32_t node : nodes) {
      const auto waited = waited_by_tick_.find(tick_and_node(sum.id, node));
      const auto threads = static_cast<double>(std::count(nodes.begin(), nodes.end(), node));
      const double all = sum.seconds * threads;
      const bool is_known = waited != waited_by_tick_.end() && all > 0.0;
      without_cpu.push_back(is_known ? std::min(1.0, waited->second / all) : 0.0);
    }
    blame.add({nodes, without_cpu, idle, sum.seconds, sum.share}, times);
  }
}

std::vector<RegionTimes> Accumulator::resolve(const RegionTable& table,
                                              const CpusOfProcess& cpus) const {
  const Closures closures(stacks_, table);
  std::vector<RegionTimes> times(table.regions.size());
  for (const auto& [nodes, sum] : ticks_by_stacks_) {
    const auto [self, inclusive] = count_threads(nodes, closures);
    for (const auto& [region, threads] : self) {
      times[region].wall_self += sum.seconds;
      times[region].ticks_self += sum.count;
      times[region].threads_self = std::max(times[region].threads_self, threads);
    }
    for (const auto& [region, threads] : inclusive) {
      times[region].wall_inclusive += sum.seconds;
      times[region].ticks_inclusive += sum.count;
      times[region].threads_inclusive = std::max(times[region].threads_inclusive, threads);
    }
  }
  for (const auto& [key, sum] : cpu_by_stack_) {
    const auto node = static_cast<std::uint32_t>(key >> 32U);
    for (const std::uint32_t region : closures.all(node)) {
      const bool is_marker = table.regions[region].kind == RegionKind::marker;
      times[region].waited_self += is_marker ? sum.waited : 0.0;
    }
    if (closures.top(node) != kNoRegion) {
      RegionTimes& top = times[closures.top(node)];
      top.cpu_self += sum.seconds;
      top.cpu_samples_self += sum.samples;
      top.waited_self += sum.waited;
      if (sum.samples == 0) {
        continue;  // it waited all the time
      }
      RegionTimes::Cpu& own = top.cpu_self_by_thread[static_cast<std::uint32_t>(key)];
      own.seconds += sum.seconds;
      own.samples += sum.samples;
    }
    for (const std::uint32_t region : closures.all(node)) {
      times[region].cpu_inclusive += sum.seconds;
      times[region].cpu_samples_inclusive += sum.samples;
    }
  }
  add_shares(table, cpus, times);
  return times;
}

void CpuShare::sample(std::uint32_t node, double wall_seconds, TickId tick) {
  waiting_.push_back({node, tick, wall_seconds});
  if (waiting_.size() > kWaitingMax) {
    waiting_.pop_front();  // no reading moved for seconds: the thread slept
  }
}

void CpuShare::reading(std::uint64_t nanoseconds, Accumulator& into,
                       std::optional<std::uint64_t> waited) {
  const bool is_first = !has_last_;
  const std::uint64_t used = nanoseconds > last_ ? nanoseconds - last_ : 0;
  if (!is_first && used == 0) {
    return;
  }
  const std::uint64_t waiting = waited.value_or(0);
  const std::uint64_t waited_more = waiting > last_waited_ ? waiting - last_waited_ : 0;
  last_ = nanoseconds;
  last_waited_ = waiting;
  has_last_ = true;
  if (waited) {
    into.waits_are_known();
  }
  if (!is_first) {
    share_out(static_cast<double>(used) * 1e-9, static_cast<double>(waited_more) * 1e-9, into);
  }
  waiting_.clear();
}

void CpuShare::share_out(double used, double waited, Accumulator& into) {
  double all = 0.0;
  for (const Sample& sample : waiting_) {
    all += sample.seconds;
  }
  const double covered = std::min(used, all);
  const double off = all - covered;
  const double ready = off > 0.0 ? std::min(1.0, waited / off) : 0.0;
  double left = covered;
  for (auto at = waiting_.rbegin(); at != waiting_.rend(); ++at) {
    const double ran = std::min(at->seconds, left);
    left -= ran;
    if (ran > kLeastShare * covered) {
      into.add_cpu(at->node, used * ran / covered, 1, thread_);
    }
    if (const double wait = (at->seconds - ran) * ready; wait > kLeastShare * all) {
      into.add_wait(at->node, wait, thread_, at->tick);
    }
  }
}

}  // namespace ridge::measure
