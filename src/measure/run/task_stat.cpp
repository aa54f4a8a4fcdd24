#include "measure/run/task_stat.hpp"

#include <array>
#include <charconv>
#include <fcntl.h>
#include <string>
#include <time.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

// Numbers of the fields as proc(5) counts them, from 1.
constexpr unsigned kStateField = 3;
constexpr unsigned kMinorFaultsField = 10;
constexpr unsigned kMajorFaultsField = 12;
constexpr unsigned kKernelTicksField = 15;
constexpr unsigned kThreadsField = 20;
constexpr unsigned kProcessorField = 39;
constexpr std::size_t kStatBytes = 1024;

template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

std::optional<TaskStat> read_stat(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  std::array<char, kStatBytes> buffer{};
  const ssize_t got = read(file, buffer.data(), buffer.size());
  close(file);
  return got > 0 ? parse_task_stat({buffer.data(), static_cast<std::size_t>(got)}) : std::nullopt;
}

/// False when the field is one of ours and holds no number.
bool read_field(unsigned field, std::string_view word, TaskStat& stat) {
  const auto into = [&](auto& number) {
    const auto value = to_number<std::remove_reference_t<decltype(number)>>(word);
    number = value.value_or(number);
    return value.has_value();
  };
  switch (field) {
    case kStateField:
      stat.state = word.front();
      return true;
    case kMinorFaultsField:
      return into(stat.minor_faults);
    case kMajorFaultsField:
      return into(stat.major_faults);
    case kKernelTicksField:
      return into(stat.kernel_ticks);
    case kThreadsField:
      return into(stat.threads);
    case kProcessorField:
      return into(stat.processor);
    default:
      return true;
  }
}

}  // namespace

std::optional<TaskStat> parse_task_stat(std::string_view line) {
  const auto name_end = line.rfind(')');  // the name may hold blanks and parentheses itself
  if (name_end == std::string_view::npos || name_end + 2 >= line.size()) {
    return std::nullopt;
  }
  std::string_view rest = line.substr(name_end + 2);
  TaskStat stat;
  for (unsigned field = kStateField; field <= kProcessorField; ++field) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word.empty() || !read_field(field, word, stat)) {
      return std::nullopt;
    }
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return stat;
}

std::optional<ScheduleTimes> parse_schedstat(std::string_view text) {
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos) {
    return std::nullopt;
  }
  const auto running = to_number<std::uint64_t>(text.substr(0, blank));
  const auto waiting = to_number<std::uint64_t>(text.substr(blank + 1));
  return running && waiting ? std::optional(ScheduleTimes{*running, *waiting}) : std::nullopt;
}

std::optional<TaskStat> read_process_stat(pid_t pid) {
  return read_stat(fmt::format("/proc/{}/stat", pid));
}

std::optional<TaskStat> read_thread_stat(pid_t pid, pid_t tid) {
  return read_stat(fmt::format("/proc/{}/task/{}/stat", pid, tid));
}

ThreadStatFile::ThreadStatFile(pid_t pid, pid_t tid)
    : file_(open(fmt::format("/proc/{}/task/{}/stat", pid, tid).c_str(), O_RDONLY | O_CLOEXEC)) {}

ThreadStatFile::ThreadStatFile(ThreadStatFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)) {}

ThreadStatFile& ThreadStatFile::operator=(ThreadStatFile&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

ThreadStatFile::~ThreadStatFile() {
  if (file_ >= 0) {
    close(file_);
  }
}

std::optional<TaskStat> ThreadStatFile::read() const {
  std::array<char, kStatBytes> buffer{};
  const ssize_t got = file_ < 0 ? -1 : ::pread(file_, buffer.data(), buffer.size(), 0);
  return got > 0 ? parse_task_stat({buffer.data(), static_cast<std::size_t>(got)}) : std::nullopt;
}

ThreadClock::ThreadClock(pid_t pid, pid_t tid)
    : file_(open(fmt::format("/proc/{}/task/{}/schedstat", pid, tid).c_str(),
                 O_RDONLY | O_CLOEXEC)) {}

ThreadClock::ThreadClock(ThreadClock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

ThreadClock& ThreadClock::operator=(ThreadClock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

ThreadClock::~ThreadClock() {
  if (file_ >= 0) {
    close(file_);
  }
}

std::optional<ScheduleTimes> ThreadClock::read() const {
  std::array<char, 64> buffer{};
  const ssize_t got = file_ < 0 ? -1 : ::pread(file_, buffer.data(), buffer.size(), 0);
  return got > 0 ? parse_schedstat({buffer.data(), static_cast<std::size_t>(got)}) : std::nullopt;
}

std::optional<std::uint64_t> process_cpu_nanoseconds(pid_t pid) {
  clockid_t clock{};
  timespec now{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &now) != 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000ULL +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace ridge::measure
