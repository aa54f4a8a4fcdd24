#include "execute/child.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include "execute/faults.hpp"
#include "execute/loaded.hpp"
#include "execute/quiet.hpp"
#include "platform/affinity.hpp"
#include "platform/conditions.hpp"
#include "platform/timing_loop.hpp"

namespace ridge::execute {
namespace {

using Clock = std::chrono::steady_clock;

/// Of a sample. The probes between samples take L1 for themselves; who takes the CPU takes it for
/// some ms.
constexpr double kSampleSeconds = 0.2e-3;
constexpr int kMostRounds = 5;  ///< of the budget, while others are at work on the core

[[noreturn]] void refuse(Report& report, const Error& error) {
  report.code = error.code;
  report.message.set(error.message);
  report.hint.set(error.hint);
  report.stage = Stage::refused;
  _exit(0);
}

template <class T>
T value_or_refuse(Report& report, Result<T> result) {
  if (!result) {
    refuse(report, result.error());
  }
  return *std::move(result);
}

void become_child(int errors, pid_t parent) {
  setpgid(0, 0);  // who ends us ends what the function starts
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);
  }
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE}) {
    std::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  dup2(errors, STDERR_FILENO);
}

/// A thread has 2 MiB where the limit of the stack was lifted, of all cases.
void lift_limit_of_threads() {
  constexpr std::size_t kStack = std::size_t{256} << 20U;
  rlimit limit{};
  pthread_attr_t attributes;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY &&
      pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, kStack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
}

/// Of all threads of this process.
double seconds_on_cpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Child {
 public:
  Child(const Call& call, const platform::ClockProbe& probe, Report& report)
      : call_(call), probe_(probe), report_(report) {}

  [[noreturn]] void run() {
    lift_limit_of_threads();
    watch_process(report_);
    loaded_ = value_or_refuse(report_, LoadedCall::load(call_));
    const std::vector<unsigned> cpus{call_.cpu.value_or(platform::allowed_cpus().front())};
    report_.stage = Stage::preparing;
    must(platform::run_pinned(cpus, [&](unsigned) {
      watch_stack_of_thread();
      call_first();
      prepare_timing();
    }));
    const std::vector<platform::Visit> visits = planned_visits();
    report_.stage = Stage::timing;
    for (int round = 0; round == 0 || (round < kMostRounds && wants_more(visits)); ++round) {
      keep(visits, value_or_refuse(report_, platform::take_samples(cpus, probe_, visits)));
    }
    look_at_arrays();
    report_.stage = Stage::done;
    _exit(0);
  }

 private:
  void must(const Result<void>& result) {
    if (!result) {
      refuse(report_, result.error());
    }
  }

  [[nodiscard]] double seconds_left() const {
    return std::chrono::duration<double>(start_ + call_.limit - Clock::now()).count();
  }

  /// An exception ends here: what calls us is not made for those of others.
  void make_calls(std::uint64_t calls) const {
    const auto complain = [&](const std::string& what) {
      refuse(report_, {ErrorCode::bad_input, fmt::format("{} threw {}", call_.symbol, what),
                       "choose a function, or values, for which it does not"});
    };
    try {
      for (std::uint64_t i = 0; i < calls; ++i) {
        loaded_->call();
      }
    } catch (const std::exception& thrown) {
      complain(fmt::format("an exception: {}", thrown.what()));
    } catch (...) {
      complain("an exception");
    }
  }

  [[nodiscard]] double seconds_of(std::uint64_t calls) const {
    const std::uint64_t begin = platform::ticks_before();
    make_calls(calls);
    return static_cast<double>(platform::ticks_after() - begin) / probe_.tsc_hertz();
  }

  void give(ArrayMemory& memory) {
    std::vector<Span> spans = memory.spans();
    loaded_->bind(spans);
    memory.mark_margins();
    const std::vector<Span> own = loaded_->own_spans();
    spans.insert(spans.end(), own.begin(), own.end());
    report_.arrays = static_cast<std::uint32_t>(std::min(spans.size(), kMostArrays));
    std::copy_n(spans.begin(), report_.arrays, report_.spans.begin());
  }

  /// In memory that shows every step beside an array.
  void call_first() {
    ArrayMemory memory = value_or_refuse(report_, ArrayMemory::guarded(loaded_->sizes()));
    give(memory);
    report_.stage = Stage::first_call;
    report_.first_call_seconds = seconds_of(1);
    report_.stage = Stage::preparing;
    check(memory);
  }

  void check(const ArrayMemory& memory) {
    if (const auto damage = memory.damage()) {
      report_.has_damage = true;
      report_.damage = *damage;
      report_.stage = Stage::done;
      _exit(0);
    }
  }

  void prepare_timing() {
    constexpr std::uint64_t kTelling = std::uint64_t{8} << 20U;
    memory_ = value_or_refuse(report_, ArrayMemory::compact(loaded_->sizes()));
    for (const Span& span : loaded_->own_spans()) {
      advise_huge_pages(span);
    }
    give(*memory_);
    for (const Span& span : memory_->spans()) {
      const auto share = span.bytes >= kTelling ? platform::huge_page_share(span.first) : 1.0;
      report_.has_small_pages = report_.has_small_pages || (share && *share < 0.5);
    }
  }

  /// Whole pages of the array; does nothing where the system gives none.
  static void advise_huge_pages(const Span& span) {
    constexpr std::uintptr_t kPage = 4096;
    const std::uintptr_t first = (span.first + kPage - 1) / kPage * kPage;
    const std::uintptr_t end = (span.first + span.bytes) / kPage * kPage;
    if (end > first) {
      static_cast<void>(madvise(span.data() + (first - span.first), end - first, MADV_HUGEPAGE));
    }
  }

  [[nodiscard]] std::vector<platform::Visit> planned_visits() {
    const double left = seconds_left();
    const double once = report_.first_call_seconds;
    const auto work = [this](unsigned, std::uint64_t sample) {
      watch_stack_of_thread();
      if (report_.calls_per_sample == 0) {
        find_calls_per_sample();
      }
      const double begin = seconds_on_cpu();
      make_calls(report_.calls_per_sample);
      on_cpu_.resize(std::max<std::size_t>(on_cpu_.size(), sample + 1));
      on_cpu_[sample] = seconds_on_cpu() - begin;
    };
    if (once < call_.long_call.value() && 5.0 * once < left) {
      report_.calls_per_sample = 0;
      const double budget = std::min(call_.budget.value(), left / 10.0);
      return {{.work = work, .budget = Seconds{budget}, .least_samples = 8}};
    }
    const std::size_t calls = 3.0 * once < left ? 2 : 1.5 * once < left ? 1 : 0;
    std::vector<platform::Visit> visits;
    for (std::size_t i = 0; i < calls; ++i) {
      visits.push_back({.work = work,
                        .budget = Seconds{1e-9},
                        .least_samples = 1,
                        .first_sample = i,
                        .warm_ups = 0});
    }
    return visits;
  }

  void find_calls_per_sample() {
    constexpr double kMostGrowth = 10.0;
    std::uint64_t calls = 1;
    make_calls(1);
    while (true) {
      const double seconds = seconds_of(calls);
      if (seconds >= 0.8 * kSampleSeconds) {
        break;
      }
      const double growth = std::min(kMostGrowth, kSampleSeconds / std::max(seconds, 1e-9));
      calls = static_cast<std::uint64_t>(static_cast<double>(calls) * growth) + 1;
    }
    report_.calls_per_sample = calls;
  }

  void keep(const std::vector<platform::Visit>& visits,
            const std::vector<platform::TimingResult>& results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::uint64_t number = visits[i].first_sample + visits[i].warm_ups;
      for (const platform::TimedSample& sample : results[i].samples) {
        if (report_.samples < kMostSamples) {
          report_.sample[report_.samples++] = {sample.time.value(), on_cpu_.at(number),
                                               sample.clock.value(), sample.burst_cycles};
        }
        ++number;
      }
    }
  }

  [[nodiscard]] bool wants_more(const std::vector<platform::Visit>& visits) const {
    constexpr double kMostOfARound = 5.0;  // of its budget
    const auto end = report_.sample.begin() + report_.samples;
    return !visits.empty() &&
           seconds_left() > 2.0 * kMostOfARound * visits.front().budget.value() &&
           quiet_samples({report_.sample.begin(), end}).is_disturbed;
  }

  void look_at_arrays() {
    check(*memory_);
    const std::vector<const Array*> arrays = arrays_of(call_);
    for (std::uint32_t i = 0; i < report_.arrays; ++i) {
      if (has_subnormal(*arrays[i], report_.spans[i].data())) {
        report_.subnormal = static_cast<std::int32_t>(i);
      }
    }
  }

  const Call& call_;
  const platform::ClockProbe& probe_;
  Report& report_;
  Clock::time_point start_ = Clock::now();
  std::optional<LoadedCall> loaded_;
  std::optional<ArrayMemory> memory_;
  std::vector<double> on_cpu_;  ///< seconds of each sample, by its number
};

}  // namespace

std::vector<const Array*> arrays_of(const Call& call) {
  std::vector<const Array*> arrays;
  for (const Argument& argument : call.arguments) {
    if (const auto* array = std::get_if<Array>(&argument)) {
      arrays.push_back(array);
    }
  }
  for (const bool is_pointer : {true, false}) {
    for (const Global& global : call.globals) {
      const auto* array = std::get_if<Array>(&global.value);
      if (array != nullptr && global.is_pointer == is_pointer) {
        arrays.push_back(array);
      }
    }
  }
  return arrays;
}

void run_child(const Call& call, const platform::ClockProbe& probe, const Parent& parent,
               Report& report) noexcept {
  become_child(parent.errors, parent.pid);
  Child(call, probe, report).run();
}

}  // namespace ridge::execute
