#include "platform/address_sampler.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "platform/perf_events.hpp"
#include "platform/perf_sampler.hpp"
#include "platform/ptrace_sampler.hpp"
#include "platform/task_files.hpp"

namespace ridge::platform {
namespace {

using Source = std::unique_ptr<SampleSource>;

struct Attempt {
  Source source;  ///< nullptr: `error` is an errno
  int error = 0;
};

Attempt attach_perf(pid_t program, const SamplingRequest& request, bool with_kernel) {
  PerfRequest wanted;
  wanted.interval_nanoseconds = static_cast<std::uint64_t>(request.interval.count());
  wanted.with_kernel = with_kernel;
  wanted.from_exec = request.from_exec;
  wanted.stack_interval_nanoseconds = static_cast<std::uint64_t>(request.stack_interval.count());
  std::vector<pid_t> running;
  if (request.from_exec) {
    wanted.threads = {program};
  } else {
    running = processes_from(program);
    for (const pid_t process : running) {
      const auto threads = threads_of(process);
      wanted.threads.insert(wanted.threads.end(), threads.begin(), threads.end());
    }
  }
  auto events = PerfEvents::open(wanted);
  if (!events) {
    return {nullptr, events.error()};
  }
  return {std::make_unique<PerfSampler>(std::move(*events), request.interval, running)};
}

Attempt attach_ptrace(pid_t program, const SamplingRequest& request) {
  auto sampler = PtraceSampler::attach(program, {request.interval, request.from_exec, false});
  if (!sampler) {
    return {nullptr, sampler.error()};
  }
  return {std::move(*sampler)};
}

Attempt attach_by(SamplingMethod method, pid_t program, const SamplingRequest& request) {
  return method == SamplingMethod::ptrace
             ? attach_ptrace(program, request)
             : attach_perf(program, request, method == SamplingMethod::perf_events);
}

/// Of another method there may be something to hope for.
bool is_forbidden(int error) {
  return error == EACCES || error == EPERM || error == ENOSYS || error == EINVAL ||
         error == EOPNOTSUPP || error == ENOENT;
}

const char* name_of(SamplingMethod method) {
  return method == SamplingMethod::ptrace ? "ptrace" : "perf_event_open";
}

tl::unexpected<Error> no_sampling(int error, const std::string& what_failed) {
  if (error == ESRCH) {
    return fail(ErrorCode::unavailable, "the program has ended before it could be sampled");
  }
  std::string hint =
      "One of these allows it: `sysctl kernel.perf_event_paranoid=2` and, in a container, a "
      "seccomp "
      "profile with perf_event_open (`--cap-add=PERFMON`); `sysctl kernel.yama.ptrace_scope=1` or, "
      "in a container, `--cap-add=SYS_PTRACE`.";
  if (error == EMFILE || error == ENFILE) {
    hint = "Raise the limit of open files (`ulimit -n`): one is needed for each CPU and thread.";
  } else if (error == ENOMEM || error == EAGAIN) {
    hint = "Raise `sysctl kernel.perf_event_mlock_kb` or the limit of locked memory (`ulimit -l`).";
  }
  return fail(ErrorCode::unavailable, fmt::format("the program cannot be sampled: {}", what_failed),
              std::move(hint));
}

}  // namespace

Result<AddressSampler> AddressSampler::attach(pid_t program, const SamplingRequest& request) {
  std::vector<SamplingMethod> methods{
      SamplingMethod::perf_events, SamplingMethod::perf_events_user_only, SamplingMethod::ptrace};
  if (request.method) {
    methods = {*request.method};
  }
  std::string what_failed;
  int error = 0;
  for (const SamplingMethod method : methods) {
    Attempt attempt = attach_by(method, program, request);
    if (attempt.source) {
      return AddressSampler(method, std::move(attempt.source));
    }
    error = attempt.error;
    if (method != SamplingMethod::perf_events || request.method || !is_forbidden(error)) {
      what_failed += fmt::format("{}{}: {}", what_failed.empty() ? "" : "; ", name_of(method),
                                 std::strerror(error));
    }
    if (!is_forbidden(error)) {
      break;
    }
  }
  return no_sampling(error, what_failed);
}

AddressSampler::AddressSampler(SamplingMethod method, std::unique_ptr<SampleSource> source)
    : method_(method), source_(std::move(source)), sleepers_(std::make_unique<Sleepers>()) {}

AddressSampler::AddressSampler(AddressSampler&& other) noexcept = default;
AddressSampler& AddressSampler::operator=(AddressSampler&& other) noexcept = default;
AddressSampler::~AddressSampler() = default;

std::chrono::nanoseconds AddressSampler::interval() const {
  return source_->interval();
}

std::vector<AddressSample> AddressSampler::take() {
  auto samples = source_->take(false);
  source_->append_mappings(mappings_);
  return samples;
}

std::vector<AddressSample> AddressSampler::finish() {
  source_->stop();
  auto samples = source_->take(true);
  source_->append_mappings(mappings_);
  return samples;
}

std::vector<StackSample> AddressSampler::take_stacks() {
  auto stacks = source_->take_stacks();
  source_->append_mappings(mappings_);
  return stacks;
}

void AddressSampler::look_at_sleepers() {
  source_->add(sleepers_->look(source_->processes()));
}

std::uint64_t AddressSampler::lost() const {
  return source_->lost();
}

std::uint64_t AddressSampler::throttled() const {
  return source_->throttled();
}

}  // namespace ridge::platform
