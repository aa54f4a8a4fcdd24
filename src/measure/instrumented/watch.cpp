#include "measure/instrumented/watch.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "measure/instrumented/descendants.hpp"
#include "platform/signals.hpp"

namespace ridge::measure {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

/// A longer gap between two looks means that we were stopped or starved: what the program did in it
/// is unknown, so only this much is put down to what is seen then.
constexpr double kGapMax = 0.25;
/// Each time the table of samples has grown by this many words (128 MiB), they are taken half as
/// often: memory grows with the logarithm of the run time.
constexpr std::size_t kWordsPerHalving = std::size_t{1} << 25U;
/// Whoever waits longer for descendants is told what for.
constexpr std::chrono::seconds kSilence{1};
constexpr std::chrono::seconds kBetweenProgress{1};

double seconds(nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

class Watch {
 public:
  Watch(platform::ProcessTree& tree, ArenaBytes arena, Sampler& sampler, Snapshots& snapshots,
        const WatchOptions& options, Clock::time_point begin)
      : tree_(tree),
        arena_(arena),
        sampler_(sampler),
        snapshots_(snapshots),
        options_(options),
        begin_(begin),
        random_(static_cast<unsigned>(tree.pid())),
        interval_(options.interval),
        last_(Clock::now()) {}

  Watched run() {
    if (options_.progress) {
      options_.progress({});
    }
    while (true) {
      sleep();
      if (const auto status = tree_.poll()) {
        result_.status = *status;
        result_.wall_seconds = seconds(Clock::now() - begin_);
        break;
      }
      look();
      snapshots_.offer();
      tell_progress();
    }
    wait_for_descendants();
    return std::move(result_);
  }

 private:
  void sleep() {
    std::this_thread::sleep_for(nanoseconds(
        static_cast<nanoseconds::rep>(static_cast<double>(interval_.count()) * jitter_(random_))));
  }

  void look() {
    const auto now = Clock::now();
    const double gone = seconds(now - last_);
    sampler_.tick(std::min(gone, kGapMax), std::max(0.0, gone - kGapMax));
    last_ = now;
    if (sampler_.size_words() > next_halving_) {
      next_halving_ += kWordsPerHalving;
      interval_ *= 2;
    }
  }

  void tell_progress() {
    if (options_.progress && last_ >= next_progress_) {
      options_.progress({RunOfProgram::first, Seconds(seconds(last_ - begin_)), {}, {}});
      next_progress_ = last_ + kBetweenProgress;
    }
  }

  void wait_for_descendants() {
    platform::SignalGuard::forward_to(0);  // its number may soon be another's
    Descendants descendants(tree_, arena_, options_.descendants);
    const auto ended = Clock::now();
    bool is_said = false;
    while (descendants.worth_waiting()) {
      if (descendants.any_measured()) {
        look();
        snapshots_.offer();
        tell_progress();
        result_.waited = true;
        result_.wall_seconds = seconds(Clock::now() - begin_);
      }
      last_ = Clock::now();
      if (descendants.any_measured() && !is_said && last_ - ended > kSilence && options_.tell) {
        is_said = true;
        options_.tell(fmt::format(
            "the program has ended, but {} runs on: waiting at most {} s (--wait-descendants), "
            "Ctrl-C ends that",
            name_list(descendants.measured()), options_.descendants.count()));
      }
      sleep();
    }
    result_.left_measured = descendants.measured();
    result_.left_others = descendants.others();
  }

  platform::ProcessTree& tree_;
  ArenaBytes arena_;
  Sampler& sampler_;
  Snapshots& snapshots_;
  const WatchOptions& options_;
  Clock::time_point begin_;
  std::minstd_rand random_;
  std::uniform_real_distribution<double> jitter_{0.5, 1.5};
  nanoseconds interval_;
  std::size_t next_halving_ = kWordsPerHalving;
  Clock::time_point last_;
  Clock::time_point next_progress_ = begin_ + kBetweenProgress;
  Watched result_;
};

}  // namespace

Watched watch(platform::ProcessTree& tree, ArenaBytes arena, Sampler& sampler, Snapshots& snapshots,
              const WatchOptions& options, Clock::time_point begin) {
  return Watch(tree, arena, sampler, snapshots, options, begin).run();
}

}  // namespace ridge::measure
