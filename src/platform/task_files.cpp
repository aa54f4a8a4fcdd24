#include "platform/task_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include "platform/sample_source.hpp"

namespace ridge::platform {
namespace {

constexpr std::uint64_t kLeastPause = 10'000'000;
/// A look at thousands of threads must not take a CPU of its own.
constexpr std::uint64_t kPausePerLook = 20;

/// The beginning of a file, empty when it cannot be read. Samplers come here hundreds of times a
/// second.
class ShortText {
 public:
  explicit ShortText(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      const ssize_t got = read(file, text_.data(), text_.size());
      size_ = got > 0 ? static_cast<std::size_t>(got) : 0;
      close(file);
    }
  }
  [[nodiscard]] std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 4096> text_;
  std::size_t size_ = 0;
};

std::optional<pid_t> number(std::string_view word) {
  pid_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && stop != word.data() ? std::optional(value) : std::nullopt;
}

std::vector<pid_t> children_of(pid_t process, pid_t thread) {
  const ShortText file(fmt::format("/proc/{}/task/{}/children", process, thread));
  std::vector<pid_t> children;
  std::string_view rest = file.view();
  while (const auto child = number(rest)) {
    children.push_back(*child);
    rest.remove_prefix(std::min(rest.size(), rest.find(' ')));
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  }
  return children;
}

}  // namespace

std::uint64_t monotonic_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::uint64_t{1'000'000'000} * static_cast<std::uint64_t>(now.tv_sec) +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  DIR* folder = opendir(fmt::format("/proc/{}/task", process).c_str());
  if (folder == nullptr) {
    return threads;
  }
  while (const dirent* entry = readdir(folder)) {
    if (const auto thread = number(entry->d_name)) {
      threads.push_back(*thread);
    }
  }
  closedir(folder);
  std::sort(threads.begin(), threads.end());
  return threads;
}

std::vector<pid_t> processes_from(pid_t process) {
  std::vector<pid_t> all{process};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const pid_t thread : threads_of(all[i])) {
      for (const pid_t child : children_of(all[i], thread)) {
        if (std::find(all.begin(), all.end(), child) == all.end()) {
          all.push_back(child);
        }
      }
    }
  }
  return all;
}

std::optional<pid_t> process_of(pid_t thread) {
  constexpr std::string_view kKey = "\nTgid:\t";
  const ShortText file(fmt::format("/proc/{}/status", thread));
  const auto at = file.view().find(kKey);
  return at == std::string_view::npos ? std::nullopt : number(file.view().substr(at + kKey.size()));
}

std::optional<char> parse_state(std::string_view stat) {
  const auto name_end = stat.rfind(") ");  // the name may hold anything
  if (name_end == std::string_view::npos || name_end + 2 >= stat.size()) {
    return std::nullopt;
  }
  return stat[name_end + 2];
}

std::optional<char> state_of(pid_t process, pid_t thread) {
  return parse_state(ShortText(fmt::format("/proc/{}/task/{}/stat", process, thread)).view());
}

std::optional<std::uint64_t> parse_waiting_address(std::string_view syscall) {
  const auto line = syscall.substr(0, syscall.find('\n'));
  const auto space = line.rfind(' ');
  constexpr std::string_view kPrefix = "0x";
  if (space == std::string_view::npos || !line.substr(space + 1).starts_with(kPrefix)) {
    return std::nullopt;
  }
  const auto word = line.substr(space + 1 + kPrefix.size());
  std::uint64_t address = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), address, 16);
  return error == std::errc() && stop == word.data() + word.size() && address != 0
             ? std::optional(address)
             : std::nullopt;
}

Sleepers::Sleepers() : last_(monotonic_nanoseconds()) {}

std::vector<AddressSample> Sleepers::look(const std::vector<pid_t>& processes) {
  std::vector<AddressSample> samples;
  const std::uint64_t now = monotonic_nanoseconds();
  if (now < next_) {
    return samples;
  }
  for (const pid_t process : processes) {
    for (const pid_t thread : threads_of(process)) {
      const char state = state_of(process, thread).value_or('?');
      if (state != 'S' && state != 'D') {
        continue;
      }
      const ShortText file(fmt::format("/proc/{}/task/{}/syscall", process, thread));
      if (const auto address = parse_waiting_address(file.view())) {
        samples.push_back({now, now - last_, process, thread, *address, kNoMapping, true, true});
      }
    }
  }
  last_ = now;
  next_ = now + std::max(kLeastPause, kPausePerLook * (monotonic_nanoseconds() - now));
  return samples;
}

}  // namespace ridge::platform
