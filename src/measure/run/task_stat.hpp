// The few facts of /proc/PID that the sampler needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <sys/types.h>

namespace ridge::measure {

/// Of a line of /proc/PID/stat or /proc/PID/task/TID/stat.
struct TaskStat {
  char state = '?';
  unsigned threads = 0;    ///< of its process
  unsigned processor = 0;  ///< where it ran last
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t kernel_ticks = 0;  ///< CPU time in the kernel; sysconf(_SC_CLK_TCK) make a second

  /// Dead, also when nobody has asked for its exit code yet.
  [[nodiscard]] bool has_ended() const { return state == 'Z' || state == 'X' || state == 'x'; }
};

/// nullopt when the line is not what proc(5) says.
[[nodiscard]] std::optional<TaskStat> parse_task_stat(std::string_view line);
/// Of a schedstat file, as the scheduler last brought it up to date.
struct ScheduleTimes {
  std::uint64_t running_nanoseconds = 0;
  std::uint64_t waiting_nanoseconds = 0;  ///< ready to run, while others had the CPU
};
[[nodiscard]] std::optional<ScheduleTimes> parse_schedstat(std::string_view text);

/// nullopt once the process is gone.
[[nodiscard]] std::optional<TaskStat> read_process_stat(pid_t pid);
[[nodiscard]] std::optional<TaskStat> read_thread_stat(pid_t pid, pid_t tid);

/// The stat file of one thread of another process, opened once and read often.
class ThreadStatFile {
 public:
  ThreadStatFile() = default;
  ThreadStatFile(pid_t pid, pid_t tid);
  ThreadStatFile(ThreadStatFile&& other) noexcept;
  ThreadStatFile& operator=(ThreadStatFile&& other) noexcept;
  ThreadStatFile(const ThreadStatFile&) = delete;
  ThreadStatFile& operator=(const ThreadStatFile&) = delete;
  ~ThreadStatFile();

  /// nullopt once the thread is gone, and when /proc does not show it.
  [[nodiscard]] std::optional<TaskStat> read() const;

 private:
  int file_ = -1;
};

/// The CPU clock of one thread of another process, as the scheduler last brought it up to date.
class ThreadClock {
 public:
  ThreadClock() = default;
  ThreadClock(pid_t pid, pid_t tid);
  ThreadClock(ThreadClock&& other) noexcept;
  ThreadClock& operator=(ThreadClock&& other) noexcept;
  ThreadClock(const ThreadClock&) = delete;
  ThreadClock& operator=(const ThreadClock&) = delete;
  ~ThreadClock();

  /// nullopt once the thread is gone, and when /proc does not show it.
  [[nodiscard]] std::optional<ScheduleTimes> read() const;

 private:
  int file_ = -1;
};

/// The exact CPU time of a whole process; nullopt once it is gone.
[[nodiscard]] std::optional<std::uint64_t> process_cpu_nanoseconds(pid_t pid);

}  // namespace ridge::measure
