// Test helper: the arena that `ridge run` would make, programs run in it, and a look inside
// afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <signal.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "abi/descriptor.h"
#include "abi/layout.h"
#include "abi/version.h"
}

namespace ridge::runtime_testing {

inline constexpr std::uint64_t kArenaBytes = std::uint64_t{4} << 30;

class Arena {
 public:
  explicit Arena(std::uint64_t bytes = kArenaBytes, std::uint32_t mode = RIDGE_MODE_COUNT)
      : file_(memfd_create("ridge-test", 0)), bytes_(bytes) {
    EXPECT_EQ(ftruncate(file_, static_cast<off_t>(bytes)), 0);
    base_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    EXPECT_NE(base_, MAP_FAILED);
    header().magic = RIDGE_ARENA_MAGIC;
    header().abi_version = RIDGE_ABI_VERSION;
    header().mode = mode;
    header().size_bytes = bytes;
    header().used_bytes = (sizeof(ridge_arena) + 63) / 64 * 64;
  }
  ~Arena() {
    munmap(base_, bytes_);
    close(file_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] ridge_arena& header() { return *static_cast<ridge_arena*>(base_); }
  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] std::string session() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
  }
  template <class T>
  [[nodiscard]] T* at(std::uint64_t offset) {
    return reinterpret_cast<T*>(static_cast<char*>(base_) + offset);
  }

  // Oldest first.
  [[nodiscard]] std::vector<ridge_process_record*> processes() {
    return list<ridge_process_record>(header().processes);
  }
  [[nodiscard]] std::vector<ridge_thread*> threads(const ridge_process_record& process) {
    return list<ridge_thread>(process.threads);
  }
  [[nodiscard]] std::vector<ridge_module_record*> modules(const ridge_process_record& process) {
    return list<ridge_module_record>(process.modules);
  }
  [[nodiscard]] std::string file_of(const ridge_module_record& module) {
    const auto* header = at<ridge_descriptor_header>(module.descriptor);
    return reinterpret_cast<const char*>(header) + header->total_bytes - header->string_bytes +
           header->source_file;
  }
  [[nodiscard]] const ridge_module_record* module(const ridge_process_record& process,
                                                  const std::string& file) {
    for (const ridge_module_record* record : modules(process)) {
      if (file_of(*record) == file) {
        return record;
      }
    }
    return nullptr;
  }
  // Sum over the threads of the process; -1 if there is no such module.
  [[nodiscard]] std::int64_t counter(const ridge_process_record& process, std::uint32_t index,
                                     const std::string& file = "emulated_program.c") {
    const ridge_module_record* record = module(process, file);
    if (record == nullptr) {
      return -1;
    }
    std::int64_t sum = 0;
    for (const ridge_thread* thread : threads(process)) {
      sum += static_cast<std::int64_t>(thread->counters[record->counter_base + index]);
    }
    return sum;
  }
  // Of region 1 (WORKER) of the emulated program.
  [[nodiscard]] const ridge_region_traffic& worker_traffic(const ridge_process_record& process) {
    const ridge_module_record* record = module(process, "emulated_program.c");
    return at<ridge_region_traffic>(process.traffic)[record->region_base + 1];
  }

  // The same on the caches with this number, or null.
  [[nodiscard]] const ridge_region_traffic* worker_elsewhere(const ridge_process_record& process,
                                                             std::size_t index) {
    const ridge_module_record* record = module(process, "emulated_program.c");
    return process.elsewhere[index] == 0
               ? nullptr
               : &at<ridge_region_traffic>(process.elsewhere[index])[record->region_base + 1];
  }

 private:
  template <class T>
  [[nodiscard]] std::vector<T*> list(std::uint64_t offset) {
    std::vector<T*> found;
    for (; offset != 0 && found.size() < 1000; offset = found.back()->next) {
      found.push_back(at<T>(offset));
    }
    return {found.rbegin(), found.rend()};
  }

  int file_;
  std::uint64_t bytes_;
  void* base_ = nullptr;
};

struct Ended {
  int status = -1;
  std::string errors;
  [[nodiscard]] bool exited(int code) const {
    return WIFEXITED(status) && WEXITSTATUS(status) == code;
  }
  [[nodiscard]] bool killed(int signal) const {
    return WIFSIGNALED(status) && WTERMSIG(status) == signal;
  }
};

inline Ended run(
    const std::string& program, const std::vector<std::string>& arguments,
    const std::string& session, const std::function<void()>& before_exec = [] {}) {
  std::array<int, 2> pipe_ends{};
  EXPECT_EQ(pipe2(pipe_ends.data(), O_CLOEXEC), 0);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (session.empty()) {
      unsetenv("RIDGE_SESSION");
    } else {
      setenv("RIDGE_SESSION", session.c_str(), 1);
    }
    dup2(pipe_ends[1], STDERR_FILENO);
    for (int file = 3; file < 256; ++file) {
      fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    before_exec();
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(pipe_ends[1]);
  Ended ended;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(pipe_ends[0], buffer.data(), buffer.size())) > 0;) {
    ended.errors.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(pipe_ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

inline Ended run(Arena& arena, const std::string& scenario) {
  return run(RIDGE_TEST_PROGRAM, {scenario, RIDGE_TEST_LIBRARY}, arena.session());
}

// 4 KiB and 64 KiB, 4 cores, the second level shared.
inline void ask_for_traffic(Arena& arena) {
  ridge_cache_config& caches = arena.header().caches;
  caches.level_count = 2;
  caches.core_count = 4;
  caches.levels[0] = {4096, 4, 64, 1, RIDGE_NON_INCLUSIVE, 1, 0};
  caches.levels[1] = {65536, 8, 64, 4, RIDGE_NON_INCLUSIVE, 1, 0};
}

// One class of each eight.
inline void ask_for_sampling(Arena& arena, std::uint32_t mode) {
  ask_for_traffic(arena);
  arena.header().traffic_mode = mode;
  arena.header().sample_mask = 0x0101010101010101;
}

}  // namespace ridge::runtime_testing
