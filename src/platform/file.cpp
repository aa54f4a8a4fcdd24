#include "platform/file.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace ridge::platform {
namespace {

std::error_code last_error() {
  return {errno, std::generic_category()};
}

/// A limit of the file size shall be an error like any other.
class IgnoreFileSizeSignal {
 public:
  IgnoreFileSizeSignal() : before_(std::signal(SIGXFSZ, SIG_IGN)) {}
  IgnoreFileSizeSignal(const IgnoreFileSizeSignal&) = delete;
  IgnoreFileSizeSignal& operator=(const IgnoreFileSizeSignal&) = delete;
  ~IgnoreFileSizeSignal() { std::signal(SIGXFSZ, before_); }

 private:
  void (*before_)(int);
};

/// Of this process alone, so that two that write one file do not write one part.
std::string part_of(const std::string& name) {
  return name + "." + std::to_string(getpid()) + ".part";
}

std::error_code fill_file(int folder, const std::string& name, const FillFile& fill) {
  const int file = openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    return last_error();
  }
  FileSink sink(file);
  fill(sink);
  // Some file systems report a full disk only now.
  const bool closed = close(file) == 0;
  return sink.error() || closed ? sink.error() : last_error();
}

}  // namespace

void FileSink::put(std::string_view bytes) {
  while (!bytes.empty() && !error_) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      error_ = std::make_error_code(std::errc::no_space_on_device);
    } else if (errno != EINTR) {
      error_ = last_error();
    }
  }
}

std::error_code replace_file(int folder, const std::string& name, const FillFile& fill) {
  const IgnoreFileSizeSignal ignore;
  const std::string part = part_of(name);
  std::error_code error = fill_file(folder, part, fill);
  if (!error && renameat(folder, part.c_str(), folder, name.c_str()) != 0) {
    error = last_error();
  }
  if (error) {
    unlinkat(folder, part.c_str(), 0);
  }
  return error;
}

std::error_code replace_file(int folder, const std::string& name, std::string_view bytes) {
  return replace_file(folder, name, [&](FileSink& sink) { sink.put(bytes); });
}

std::error_code replace_file(const std::filesystem::path& file, const FillFile& fill) {
  return replace_file(AT_FDCWD, file.string(), fill);
}

std::error_code replace_file(const std::filesystem::path& file, std::string_view bytes) {
  return replace_file(AT_FDCWD, file.string(), bytes);
}

std::error_code try_to_replace(const std::filesystem::path& file) {
  const IgnoreFileSizeSignal ignore;
  const std::string part = part_of(file.string());
  const std::error_code error = fill_file(AT_FDCWD, part, [](FileSink& sink) { sink.put(" "); });
  unlink(part.c_str());
  return error;
}

}  // namespace ridge::platform
