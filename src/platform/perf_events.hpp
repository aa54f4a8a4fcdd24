// Software clocks of the kernel that sample a program, one on each CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

#include <tl/expected.hpp>

#include "platform/perf_records.hpp"

struct perf_event_attr;

namespace ridge::platform {

struct PerfRequest {
  std::vector<pid_t> threads;  ///< what these start is sampled too
  std::uint64_t interval_nanoseconds = 1'000'000;
  bool with_kernel = false;  ///< also while the kernel works for the program
  bool from_exec = false;    ///< nothing before the next exec
  /// Of stacks: none are sampled where this is 0, or the kernel has no room for their buffers.
  std::uint64_t stack_interval_nanoseconds = 0;
};

/// Samples while it lives.
class PerfEvents {
 public:
  /// The error is the errno of perf_event_open or mmap: EACCES or EPERM where it is forbidden,
  /// ENOSYS where a kernel has none, ESRCH when all threads have ended, EMFILE.
  [[nodiscard]] static tl::expected<PerfEvents, int> open(const PerfRequest& request);

  PerfEvents(PerfEvents&& other) noexcept = default;
  PerfEvents& operator=(PerfEvents&& other) noexcept = default;
  PerfEvents(const PerfEvents&) = delete;
  PerfEvents& operator=(const PerfEvents&) = delete;
  ~PerfEvents() = default;

  /// No samples from now on; what is in the buffers can still be read.
  void stop();
  /// Appends what has come since the last call, CPU after CPU, each in the order of time.
  void read(std::vector<PerfRecord>& into);

 private:
  class File {
   public:
    explicit File(int number) : number_(number) {}
    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();
    [[nodiscard]] int number() const { return number_; }

   private:
    int number_;
  };

  class Ring {
   public:
    /// of_event: errno in the error.
    [[nodiscard]] static tl::expected<Ring, int> map(int event, std::size_t most_pages,
                                                     std::size_t fewest_pages);
    Ring(Ring&& other) noexcept;
    Ring& operator=(Ring&& other) noexcept;
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    ~Ring();
    void take(std::vector<std::byte>& into) const;

   private:
    Ring(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
    void* memory_;
    std::size_t bytes_;
  };

  /// Clocks of one kind, one on each CPU.
  struct Clocks {
    PerfLayout layout;
    std::size_t most_pages = 0;  ///< of each buffer, without the page before it
    std::size_t fewest_pages = 0;
    std::vector<File> events{};
    std::vector<Ring> rings{};

    /// errno, or 0.
    [[nodiscard]] int open(const perf_event_attr& wanted, const std::vector<pid_t>& threads);
    [[nodiscard]] int open_on(unsigned cpu, const perf_event_attr& wanted,
                              const std::vector<pid_t>& threads);
    [[nodiscard]] int control(unsigned long what) const;
    void read(std::vector<PerfRecord>& into) const;
  };

  PerfEvents() = default;

  Clocks samples_;
  Clocks stacks_;  ///< no events where there are none
};

}  // namespace ridge::platform
