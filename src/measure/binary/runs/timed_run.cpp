#include "measure/binary/runs/timed_run.hpp"

#include <algorithm>
#include <bit>
#include <ctime>
#include <iterator>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "measure/binary/stacks/stack_reservoir.hpp"
#include "measure/calls/call_memory.hpp"
#include "measure/run/ending.hpp"
#include "measure/run/task_stat.hpp"
#include "platform/affinity.hpp"
#include "platform/signals.hpp"

namespace ridge::measure::binary {
namespace {

using Clock = std::chrono::steady_clock;

/// From one look at the samples to the next.
constexpr std::chrono::milliseconds kBetweenLooks{10};
constexpr std::chrono::seconds kBetweenProgress{1};
/// From one stack of a thread to the next: on many CPUs together they are still few.
constexpr std::chrono::milliseconds kBetweenStacks{20};
constexpr unsigned kCpusAtThatRate = 8;
/// Each is an open file.
constexpr std::size_t kMostClocks = 256;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t now_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

class Watch {
 public:
  Watch(const Request& request, std::optional<platform::AddressSampler> sampler)
      : request_(request), sampler_(std::move(sampler)), collector_(now_nanoseconds()) {}

  TimedRun run(platform::ProcessTree& tree) {
    TimedRun result;
    result.pid = tree.pid();
    if (request_.progress) {
      request_.progress({RunOfProgram::times, Seconds(0.0), {}, {}});
    }
    std::optional<platform::ExitStatus> status;
    while (!(status = tree.wait_for(kBetweenLooks))) {
      look();
    }
    result.status = *status;
    result.wall_seconds = since(begin_);
    wait_for_descendants(tree, result);
    if (result.left.empty()) {
      result.usage = tree.usage();
    }
    take_samples(result);
    return result;
  }

 private:
  void look() {
    if (sampler_) {
      sampler_->look_at_sleepers();
      const auto samples = sampler_->take();
      collector_.add(samples, sampler_->mappings());
      stacks_.add(sampler_->take_stacks());
      read_clocks();
      read_identities();
    }
    if (request_.progress && Clock::now() >= next_progress_) {
      request_.progress({RunOfProgram::times, Seconds(since(begin_)), {}, {}});
      next_progress_ = Clock::now() + kBetweenProgress;
    }
  }

  /// How long threads have waited for a CPU so far. Of very many threads it is not known.
  void read_clocks() {
    const auto& threads = collector_.code().threads;
    while (clocks_.size() < std::min(threads.size(), kMostClocks)) {
      const SampledThread& thread = threads[clocks_.size()];
      clocks_.emplace_back(thread.pid, thread.tid);
    }
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
      if (const auto times = clocks_[i].read()) {
        collector_.set_waiting(i, times->waiting_nanoseconds);
      }
    }
  }

  /// A process that has just begun may become another program at once: it is looked at again after
  /// one look, two, four, and so on.
  void read_identities() {
    const auto& processes = collector_.code().processes;
    identities_.resize(processes.size());
    looks_.resize(processes.size(), 0);
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (std::has_single_bit(++looks_[i])) {
        if (auto identity = read_process_identity(processes[i])) {
          identities_[i] = std::move(*identity);
        }
      }
    }
  }

  void wait_for_descendants(platform::ProcessTree& tree, TimedRun& result) {
    platform::SignalGuard::forward_to(0);  // its number may soon be another's
    const auto ended = Clock::now();
    while (tree.has_others() && platform::SignalGuard::last_received() == 0 &&
           Clock::now() - ended < request_.wait_for_descendants) {
      look();
      result.waited = true;
      std::this_thread::sleep_for(kBetweenLooks);
      result.wall_seconds = since(begin_);
    }
    if (tree.has_others()) {
      result.left = tree.living();
    }
  }

  void take_samples(TimedRun& result) {
    if (!sampler_) {
      return;
    }
    const auto samples = sampler_->finish();
    collector_.add(samples, sampler_->mappings());
    stacks_.add(sampler_->take_stacks());
    result.stacks = stacks_.finish();
    result.mappings = sampler_->mappings();
    result.method = sampler_->method();
    result.interval = sampler_->interval();
    result.lost = sampler_->lost();
    result.throttled = sampler_->throttled();
    identities_.resize(collector_.code().processes.size());
    result.processes = std::move(identities_);
    result.samples = collector_.finish();
  }

  const Request& request_;
  std::optional<platform::AddressSampler> sampler_;
  SampleCollector collector_;
  StackReservoir stacks_;
  std::vector<ProcessIdentity> identities_;  ///< like the processes of the collector
  std::vector<std::uint64_t> looks_;         ///< at each of them
  std::vector<ThreadClock> clocks_;          ///< of the first threads of the collector
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_progress_ = begin_ + kBetweenProgress;
};

std::chrono::nanoseconds stack_interval() {
  const auto cpus = static_cast<unsigned>(platform::cpuset_cpus().size());
  return kBetweenStacks * std::max(1U, cpus / kCpusAtThatRate);
}

}  // namespace

Result<TimedRun> run_timed(const Request& request, InputReplay* input,
                           const std::vector<std::pair<std::string, std::string>>& variables) {
  const auto calls = CallMemory::create(request);
  if (!calls) {
    return tl::make_unexpected(calls.error());
  }
  platform::ProcessOptions options;
  options.arguments = request.arguments;
  options.environment = variables;
  std::ranges::move(calls->variables(), std::back_inserter(options.environment));
  options.standard_input = input != nullptr ? input->first_input() : std::nullopt;
  if (request.output_to_error) {
    options.standard_output = STDERR_FILENO;
  }
  std::optional<platform::AddressSampler> sampler;
  std::vector<Note> notes;
  options.before_exec = [&](pid_t program) -> Result<void> {
    auto attached = platform::AddressSampler::attach(program, {.interval = request.interval,
                                                               .from_exec = true,
                                                               .method = std::nullopt,
                                                               .stack_interval = stack_interval()});
    if (attached) {
      sampler = std::move(*attached);
    } else {
      notes.push_back({"no-times", fmt::format("there are no times of regions: {}. {}",
                                               attached.error().message, attached.error().hint)});
    }
    return {};
  };
  auto tree = platform::ProcessTree::start(options, when_we_die(request));
  if (!tree) {
    return tl::make_unexpected(tree.error());
  }
  platform::SignalGuard::forward_to(tree->pid());
  if (input != nullptr) {
    input->start();
  }
  TimedRun result = Watch(request, std::move(sampler)).run(*tree);
  result.notes = std::move(notes);
  result.calls = calls->read();
  return result;
}

}  // namespace ridge::measure::binary
