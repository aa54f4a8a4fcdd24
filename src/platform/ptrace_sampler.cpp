#include "platform/ptrace_sampler.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <future>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "platform/ptrace_tracer.hpp"

namespace ridge::platform {
namespace {

constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(10);
/// Without records of the kernel, a library that was loaded where another lay is noticed late.
constexpr std::uint64_t kMapsHold = 1'000'000'000;
constexpr std::uint64_t kBetweenLooks = 100'000'000;

/// Nobody else's: ends a waitpid of the thread that it is sent to.
int tick_signal() {
  return SIGRTMAX - 3;
}

void ignore_tick(int /*signal*/) {}

/// Ticks for the calling thread while it lives.
class Ticks {
 public:
  explicit Ticks(std::chrono::nanoseconds interval) {
    struct sigaction action{};
    action.sa_handler = ignore_tick;  // without SA_RESTART: waitpid is to end
    sigemptyset(&action.sa_mask);
    sigaction(tick_signal(), &action, nullptr);
    sigset_t mask;
    sigfillset(&mask);
    sigdelset(&mask, tick_signal());
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick_signal();
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    works_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
    const timespec every{interval.count() / 1'000'000'000, interval.count() % 1'000'000'000};
    const itimerspec times{every, every};
    works_ = works_ && timer_settime(timer_, 0, &times, nullptr) == 0;
  }
  Ticks(const Ticks&) = delete;
  Ticks& operator=(const Ticks&) = delete;
  ~Ticks() {
    if (works_) {
      timer_delete(timer_);
    }
  }
  [[nodiscard]] bool works() const { return works_; }

 private:
  timer_t timer_{};
  bool works_ = false;
};

/// The thread that is started meanwhile gets none of the signals of this process.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

void PtraceResults::add(AddressSample sample) {
  const std::uint64_t now = monotonic_nanoseconds();
  const auto last = looked_at.find(sample.pid);
  const bool is_known = last != looked_at.end();
  sample.mapping = spaces.find(sample.pid, sample.address);
  const std::uint64_t holds = sample.mapping == kNoMapping ? kBetweenLooks : kMapsHold;
  if (!is_known || now > last->second + holds) {
    looked_at[sample.pid] = now;
    if (const auto maps = read_memory_maps(sample.pid)) {
      spaces.replace(sample.pid, *maps);
    }
    sample.mapping = spaces.find(sample.pid, sample.address);
  }
  samples.push_back(sample);
}

tl::expected<std::unique_ptr<PtraceSampler>, int> PtraceSampler::attach(
    pid_t program, const PtraceRequest& request) {
  PtraceRequest bounded = request;
  bounded.interval = std::max(request.interval, kShortest);
  std::unique_ptr<PtraceSampler> sampler(new PtraceSampler(bounded.interval));
  std::promise<int> seized;
  auto error = seized.get_future();
  const auto trace = [bounded, program, &seized, self = sampler.get()] {
    PtraceTracer tracer(bounded, self->results_);
    const Ticks ticks(bounded.interval);
    const int failure = ticks.works() ? tracer.seize(program) : EAGAIN;
    seized.set_value(failure);
    if (failure == 0) {
      tracer.run(self->stopping_);
    }
  };
  try {
    const SignalsElsewhere elsewhere;
    sampler->thread_ = std::thread(trace);
  } catch (const std::system_error&) {
    return tl::make_unexpected(EAGAIN);
  }
  if (const int failure = error.get(); failure != 0) {
    return tl::make_unexpected(failure);
  }
  return sampler;
}

PtraceSampler::~PtraceSampler() {
  stop();
}

void PtraceSampler::stop() {
  stopping_ = true;
  if (thread_.joinable()) {
    thread_.join();
  }
}

std::vector<AddressSample> PtraceSampler::take(bool /*is_last*/) {
  const std::scoped_lock lock(results_.mutex);
  auto samples = std::exchange(results_.samples, {});
  std::stable_sort(
      samples.begin(), samples.end(),
      [](const AddressSample& a, const AddressSample& b) { return a.nanoseconds < b.nanoseconds; });
  return samples;
}

void PtraceSampler::add(const std::vector<AddressSample>& samples) {
  const std::scoped_lock lock(results_.mutex);
  for (const AddressSample& sample : samples) {
    results_.add(sample);
  }
}

std::vector<pid_t> PtraceSampler::processes() {
  const std::scoped_lock lock(results_.mutex);
  return {results_.processes.begin(), results_.processes.end()};
}

void PtraceSampler::append_mappings(std::vector<CodeMapping>& known) {
  const std::scoped_lock lock(results_.mutex);
  const auto& all = results_.spaces.mappings();
  known.insert(known.end(), all.begin() + static_cast<std::ptrdiff_t>(known.size()), all.end());
}

}  // namespace ridge::platform
