#include "bench/runner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "bench/variants.hpp"

namespace ridge::bench {
namespace {

/// A set of several times a large cache takes seconds to walk through: before each such kernel a
/// stop is heard, though nothing of the turn is measured yet.
constexpr std::uint64_t kSlowToPrepareBytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t kPage = 4096;
constexpr unsigned kLeastSamples = 4;  ///< of a visit

KernelArguments arguments_for(const Walk& walk, std::byte* memory, std::uint64_t piece) {
  KernelArguments arguments;
  const std::uint64_t piece_bytes = walk.array_bytes / walk.pieces;
  std::uint64_t offset = piece_bytes * piece;
  for (std::byte*& array : arguments.arrays) {
    array = memory + offset;
    offset += walk.stride;
  }
  arguments.iterations = walk.turns;
  arguments.repetitions = walk.repetitions;
  return arguments;
}

/// Of one thread.
double work_per_sample(const Kernel& kernel, const LoopWork& loop, const Walk& walk) {
  return static_cast<double>(work_per_turn(kernel, loop)) * static_cast<double>(walk.turns) *
         static_cast<double>(walk.repetitions);
}

/// `work` of all threads in one sample.
Measured to_rates(const platform::TimingResult& taken, double work) {
  Measured measured;
  measured.thrown_away = taken.thrown_away;
  measured.threads_apart = taken.threads_apart;
  for (const platform::TimedSample& sample : taken.samples) {
    measured.rates.push_back(work / sample.time.value());
    measured.clocks.push_back(sample.clock.value());
    measured.burst_cycles.push_back(sample.burst_cycles);
  }
  measured.clocks = smoothed(measured.clocks);
  return measured;
}

}  // namespace

Result<ThreadBuffers> ThreadBuffers::make(const std::vector<unsigned>& cpus,
                                          std::uint64_t bytes_per_thread) {
  ThreadBuffers made;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    auto buffer = platform::PageBuffer::allocate(bytes_per_thread);
    if (!buffer) {
      return tl::make_unexpected(buffer.error());
    }
    made.buffers_.push_back(std::move(*buffer));
  }
  auto filled =
      platform::run_pinned(cpus, [&](unsigned thread) { made.buffers_.at(thread).fill(); });
  if (!filled) {
    return tl::make_unexpected(filled.error());
  }
  return made;
}

Walk lay_out(const JitKernel& kernel, unsigned arrays, std::uint64_t set_bytes) {
  Walk walk;
  if (arrays == 0) {
    return walk;
  }
  const std::uint64_t turn = kernel.bytes_per_turn();
  walk.turns = std::max<std::uint64_t>(1, set_bytes / arrays / turn);
  walk.array_bytes = walk.turns * turn;
  const std::uint64_t spread = kPage / arrays / 64 * 64;
  const std::uint64_t phase = walk.array_bytes % kPage;
  walk.stride = walk.array_bytes + (spread + kPage - phase) % kPage;
  return walk;
}

std::uint64_t extent(const Walk& walk, unsigned arrays) {
  return arrays == 0 ? 0 : walk.stride * (arrays - 1) + walk.array_bytes;
}

Walk fit(Walk walk, Seconds pass_time, Seconds sample_time) {
  const double passes = sample_time.value() / std::max(pass_time.value(), 1e-12);
  if (walk.array_bytes == 0) {
    walk.turns = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(passes)));
    return walk;
  }
  if (passes >= 1.0) {
    walk.repetitions = static_cast<std::uint64_t>(std::llround(passes));
    return walk;
  }
  const auto all = static_cast<double>(walk.turns);
  walk.pieces = static_cast<std::uint64_t>(std::clamp(std::round(1.0 / passes), 1.0, all));
  walk.turns = walk.turns / walk.pieces;
  // Whole turns and whole cache lines in every piece; what is left at the end is not touched.
  walk.array_bytes = walk.array_bytes / static_cast<std::uint64_t>(all) * walk.turns * walk.pieces;
  return walk;
}

std::uint64_t samples_through(const Walk& walk, unsigned arrays, std::uint64_t bytes) {
  const std::uint64_t per_sample = walk.array_bytes / walk.pieces * arrays * walk.repetitions;
  return per_sample == 0 ? 1 : std::max<std::uint64_t>(1, (bytes + per_sample - 1) / per_sample);
}

std::uint64_t work_per_turn(const Kernel& kernel, const LoopWork& loop) {
  switch (kernel.kind) {
    case CeilingKind::compute:
      return loop.flops + loop.ops;  // a loop has one or the other
    case CeilingKind::bandwidth:
      return loop.loaded_bytes + loop.stored_bytes;
    case CeilingKind::latency:
      break;
  }
  return loop.accesses;
}

std::vector<double> smoothed(const std::vector<double>& clocks) {
  constexpr std::size_t kReach = 2;
  constexpr double kAlike = 0.01;
  std::vector<double> result;
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    double sum = 0.0;
    double count = 0.0;
    const std::size_t end = std::min(clocks.size(), i + kReach + 1);
    for (std::size_t j = i - std::min(i, kReach); j < end; ++j) {
      const bool alike = std::abs(clocks[j] - clocks[i]) <= kAlike * clocks[i];
      sum += alike ? clocks[j] : 0.0;
      count += alike ? 1.0 : 0.0;
    }
    result.push_back(sum / count);
  }
  return result;
}

void Measured::append(const Measured& visit) {
  thrown_away += visit.thrown_away;
  if (visit.rates.empty()) {
    threads_apart = rates.empty() && (threads_apart || visit.threads_apart);
    return;
  }
  const unsigned number = visits.empty() ? 0 : visits.back() + 1;
  visits.insert(visits.end(), visit.rates.size(), number);
  rates.insert(rates.end(), visit.rates.begin(), visit.rates.end());
  clocks.insert(clocks.end(), visit.clocks.begin(), visit.clocks.end());
  burst_cycles.insert(burst_cycles.end(), visit.burst_cycles.begin(), visit.burst_cycles.end());
  threads_apart = false;
}

Runner::Runner(std::vector<unsigned> placement, platform::ClockProbe probe)
    : placement_(std::move(placement)), probe_(probe) {}

std::vector<unsigned> Runner::cpus(unsigned threads) const {
  return {placement_.begin(), placement_.begin() + threads};
}

void Runner::reserve(unsigned threads, std::uint64_t bytes_per_thread) {
  std::uint64_t& reserved = reserved_[threads];
  reserved = std::max(reserved, bytes_per_thread);
}

Result<const JitKernel*> Runner::code_for(const PlannedKernel& planned) {
  const std::string key =
      fmt::format("{} {} {} {} {} {}/{}", planned.kernel->name(), planned.kernel->free_adds,
                  static_cast<int>(planned.kernel->reach), to_string(planned.isa),
                  data_name(*planned.kernel, planned.precision), planned.kernel->mix.fmas,
                  planned.kernel->mix.loads);
  const auto found = code_.find(key);
  if (found != code_.end()) {
    return &found->second;
  }
  return JitKernel::build(*planned.kernel, planned.isa, planned.precision)
      .map([&](JitKernel kernel) -> const JitKernel* {
        return &code_.emplace(key, std::move(kernel)).first->second;
      });
}

Result<const ThreadBuffers*> Runner::buffers_for(unsigned threads, std::uint64_t bytes) {
  reserve(threads, std::max(bytes, kPage));
  const auto found = buffers_.find(threads);
  if (found != buffers_.end() && found->second.bytes_per_thread() >= bytes) {
    return &found->second;
  }
  return ThreadBuffers::make(cpus(threads), reserved_[threads])
      .map([&](ThreadBuffers made) -> const ThreadBuffers* {
        huge_pages_granted_ = huge_pages_granted_ && made.huge_pages_granted();
        return &buffers_.insert_or_assign(threads, std::move(made)).first->second;
      });
}

void Runner::Prepared::run(unsigned thread, std::uint64_t sample) const {
  if (traversal) {
    traversal->run(thread, walk.turns);
  } else {
    kernel.run(arguments_for(walk, buffers->of(thread), sample % walk.pieces));
  }
}

/// Of the whole walk; of one turn when it has no arrays to go through from the beginning.
Result<Seconds> Runner::pass_time(const Prepared& prepared) const {
  constexpr int kTries = 3;
  constexpr std::uint64_t kComputeTurns = 1000;
  constexpr std::uint64_t kTraversalTurns = 100;
  Prepared trial = prepared;
  const bool whole = trial.walk.array_bytes > 0;
  if (!whole) {
    trial.walk.turns = trial.traversal ? kTraversalTurns : kComputeTurns;
  }
  double best = std::numeric_limits<double>::max();
  const auto ran = platform::run_pinned(cpus(1), [&](unsigned) {
    if (trial.touch_first) {
      trial.traversal->touch(0);
    }
    for (int i = 0; i < kTries; ++i) {
      const std::uint64_t begin = platform::ticks_before();
      trial.run(0, 0);
      const auto ticks = static_cast<double>(platform::ticks_after() - begin);
      best = std::min(best, ticks / probe_.tsc_hertz());
    }
  });
  if (!ran) {
    return tl::make_unexpected(ran.error());
  }
  return Seconds{whole ? best : best / static_cast<double>(trial.walk.turns)};
}

Result<Runner::Prepared> Runner::prepare_straight(const PlannedKernel& planned,
                                                  const JitKernel& code) {
  const unsigned arrays = planned.kernel->arrays();
  Prepared next{code, nullptr, lay_out(code, arrays, planned.set_bytes)};
  const auto buffers = buffers_for(planned.threads, extent(next.walk, arrays));
  if (!buffers) {
    return tl::make_unexpected(buffers.error());
  }
  next.buffers = *buffers;
  return pass_time(next).map([&](Seconds time) {
    next.walk = fit(next.walk, time, planned.sample_time);
    next.warm_ups = samples_through(next.walk, arrays, planned.warm_up_bytes);
    return next;
  });
}

Result<std::shared_ptr<const TraversalMemory>> Runner::traversal_memory(
    const PlannedKernel& planned) {
  const bool huge = planned.kernel->pages == platform::Pages::huge;
  auto& memory =
      traversal_memory_[fmt::format("{} {} {}", planned.threads, planned.set_bytes, huge)];
  if (!memory) {
    auto made =
        TraversalMemory::make(cpus(planned.threads), planned.set_bytes, planned.kernel->pages);
    if (!made) {
      return tl::make_unexpected(made.error());
    }
    huge_pages_granted_ = huge_pages_granted_ && (!huge || made->huge_pages_granted());
    memory = std::make_shared<const TraversalMemory>(std::move(*made));
  }
  return memory;
}

/// Memory is visited where the last visit ended: what comes next was left longest ago. A cache is
/// filled by reading in order, which is quick, and then settles on the way itself: by the end of a
/// quarter of it the inner cache holds no more lines of that reading.
Result<Runner::Prepared> Runner::prepare_traversal(const PlannedKernel& planned,
                                                   const JitKernel& code) {
  const auto memory = traversal_memory(planned);
  if (!memory) {
    return tl::make_unexpected(memory.error());
  }
  Prepared next{code};
  next.traversal = std::make_shared<Traversal>(*planned.kernel, code, *memory);
  next.touch_first = planned.warm_up_bytes > planned.set_bytes;  // as planned for caches only
  return pass_time(next).map([&](Seconds time) {
    next.walk = fit(next.walk, time, planned.sample_time);
    const std::uint64_t quarter = next.traversal->turns_per_pass() / 4;
    next.warm_ups = 1 + (next.touch_first ? quarter / next.walk.turns : 0);
    return next;
  });
}

Result<Runner::Prepared*> Runner::prepare(const PlannedKernel& planned) {
  const auto found = prepared_.find(planned.id);
  if (found != prepared_.end()) {
    return &found->second;
  }
  const auto code = code_for(planned);
  if (!code) {
    return tl::make_unexpected(code.error());
  }
  auto next = planned.kernel->order == Order::straight ? prepare_straight(planned, **code)
                                                       : prepare_traversal(planned, **code);
  return next.map([&](Prepared ready) {
    return &prepared_.emplace(planned.id, std::move(ready)).first->second;
  });
}

Result<LoopWork> Runner::loop_work(const PlannedKernel& planned) {
  return code_for(planned).map([](const JitKernel* kernel) { return kernel->loop(); });
}

Result<std::vector<Measured>> Runner::run(const std::vector<Turn>& turns,
                                          const std::function<bool()>& stop) {
  std::vector<Prepared*> all_ready;
  std::vector<platform::Visit> visits;
  for (const Turn& turn : turns) {
    if (stop && turn.planned->set_bytes >= kSlowToPrepareBytes && stop()) {
      break;
    }
    const auto prepared = prepare(*turn.planned);
    if (!prepared) {
      return tl::make_unexpected(prepared.error());
    }
    Prepared& ready = **prepared;
    all_ready.push_back(&ready);
    visits.push_back(
        {.work =
             [&ready, first = ready.next_sample](unsigned thread, std::uint64_t sample) {
               if (ready.touch_first && sample == first) {
                 ready.traversal->touch(thread);
               }
               ready.run(thread, sample);
             },
         .budget = turn.budget,
         .least_samples = kLeastSamples,
         .first_sample = ready.next_sample,
         .warm_ups = ready.warm_ups});
  }
  if (visits.empty()) {
    return std::vector<Measured>{};
  }
  const auto taken =
      platform::take_samples(cpus(turns.front().planned->threads), probe_, visits, stop);
  if (!taken) {
    return tl::make_unexpected(taken.error());
  }
  std::vector<Measured> measured;
  for (std::size_t i = 0; i < taken->size(); ++i) {
    Prepared& ready = *all_ready[i];
    ready.next_sample = (*taken)[i].next_sample;
    const PlannedKernel& planned = *turns[i].planned;
    const double work =
        planned.threads * work_per_sample(*planned.kernel, ready.kernel.loop(), ready.walk);
    measured.push_back(to_rates((*taken)[i], work));
  }
  return measured;
}

}  // namespace ridge::bench
