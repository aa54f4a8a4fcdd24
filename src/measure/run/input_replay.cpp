#include "measure/run/input_replay.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

void close_one(int& file) {
  if (file >= 0) {
    close(std::exchange(file, -1));
  }
}

int create_temporary() {
  const char* folder = std::getenv("TMPDIR");
  const std::string base = folder != nullptr && *folder != '\0' ? folder : "/tmp";
  const int unnamed = open(base.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) {
    return unnamed;
  }
  std::string name = base + "/ridge-input-XXXXXX";  // not every file system has unnamed files
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) {
    unlink(name.c_str());
  }
  return named;
}

bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written < 0 && errno != EINTR) {
      return false;
    }
    const auto done = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    data += done;
    size -= done;
  }
  return true;
}

InputKind classify(int input) {
  struct stat info{};
  if (fstat(input, &info) != 0 || isatty(input) == 1) {
    return InputKind::empty;
  }
  if (S_ISREG(info.st_mode)) {
    return InputKind::file;
  }
  return S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) ? InputKind::relayed
                                                          : InputKind::inherited;
}

}  // namespace

Result<InputReplay> InputReplay::prepare(int input) {
  InputReplay replay;
  replay.input_ = input;
  replay.kind_ = classify(input);
  if (replay.kind_ == InputKind::file) {
    replay.offset_ = lseek(input, 0, SEEK_CUR);
  }
  if (replay.kind_ != InputKind::relayed) {
    return replay;
  }
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) == 0) {
    replay.pipe_read_ = ends[0];
    replay.pipe_write_ = ends[1];
    // Little is taken from the real input that the program does not ask for.
    (void)fcntl(replay.pipe_write_, F_SETPIPE_SZ, 4096);
    (void)fcntl(replay.pipe_write_, F_SETFL, O_NONBLOCK);
  }
  replay.stop_event_ = eventfd(0, EFD_CLOEXEC);
  replay.copy_ = create_temporary();
  if (replay.pipe_read_ < 0 || replay.stop_event_ < 0 || replay.copy_ < 0) {
    return fail(
        ErrorCode::unavailable,
        fmt::format("cannot keep standard input for the second run: {}", std::strerror(errno)),
        "Set TMPDIR to a folder with room, or use --no-traffic (one run only).");
  }
  return replay;
}

InputReplay::InputReplay(InputReplay&& other) noexcept
    : kind_(other.kind_),
      input_(other.input_),
      offset_(other.offset_),
      pipe_read_(std::exchange(other.pipe_read_, -1)),
      pipe_write_(std::exchange(other.pipe_write_, -1)),
      stop_event_(std::exchange(other.stop_event_, -1)),
      copy_(std::exchange(other.copy_, -1)),
      second_(std::exchange(other.second_, -1)),
      relay_(std::move(other.relay_)) {}

InputReplay::~InputReplay() {
  (void)stop();
  close_one(pipe_read_);
  close_one(stop_event_);
  close_one(copy_);
  close_one(second_);
}

std::optional<int> InputReplay::first_input() const {
  return kind_ == InputKind::relayed ? std::optional(pipe_read_) : std::nullopt;
}

void InputReplay::start() {
  if (kind_ == InputKind::relayed) {
    close_one(pipe_read_);  // the program has it: when it closes its input, we learn of it
    relay_ = std::thread([this] { relay(); });
  }
}

void InputReplay::relay() {
  std::array<char, 4096> buffer{};
  std::size_t begin = 0;
  std::size_t end = 0;
  while (true) {
    const bool is_empty = begin == end;
    // Without interest in the pipe's room (events 0) its reader going away is still reported.
    std::array<pollfd, 3> waiting{{{stop_event_, POLLIN, 0},
                                   {pipe_write_, static_cast<short>(is_empty ? 0 : POLLOUT), 0},
                                   {is_empty ? input_ : -1, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
      break;
    }
    if (waiting[0].revents != 0 || (waiting[1].revents & POLLERR) != 0) {
      break;  // the program has ended, or wants no more input
    }
    if (is_empty && waiting[2].revents != 0) {
      const ssize_t got = read(input_, buffer.data(), buffer.size());
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        break;
      }
      begin = 0;
      end = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
      if (kept_all_ && !write_all(copy_, buffer.data(), end)) {
        kept_all_ = false;
      }
    } else if (!is_empty && waiting[1].revents != 0) {
      const ssize_t written = write(pipe_write_, buffer.data() + begin, end - begin);
      if (written < 0 && errno != EINTR && errno != EAGAIN) {
        break;
      }
      begin += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
  }
  close_one(pipe_write_);
}

bool InputReplay::stop() {
  if (relay_.joinable()) {
    const std::uint64_t one = 1;
    (void)!write(stop_event_, &one, sizeof one);
    relay_.join();
  }
  close_one(pipe_write_);
  return kept_all_;
}

Result<std::optional<int>> InputReplay::second_input() {
  if (second_ >= 0) {
    close(std::exchange(second_, -1));
  }
  switch (kind_) {
    case InputKind::inherited:
      return std::nullopt;
    case InputKind::empty:
      second_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
      break;
    case InputKind::relayed:
      lseek(copy_, 0, SEEK_SET);
      return copy_;
    case InputKind::file:
      // A new opening has an offset of its own: whoever reads on after us finds its place
      // unchanged.
      second_ = open(fmt::format("/proc/self/fd/{}", input_).c_str(), O_RDONLY | O_CLOEXEC);
      if (second_ >= 0) {
        lseek(second_, offset_, SEEK_SET);
      }
      break;
  }
  if (second_ < 0) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot open standard input again: {}", std::strerror(errno)));
  }
  return second_;
}

}  // namespace ridge::measure
