#include "spmv/read/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "platform/quota.hpp"

namespace ridge::spmv {

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
  // Not blocking: a named pipe without a writer is refused below instead of waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    const bool short_of = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    return fail(short_of ? ErrorCode::unavailable : ErrorCode::bad_input,
                fmt::format("{}: {}", path.string(), std::strerror(errno)),
                "Name a matrix file that you can read.");
  }
  InputFile file(descriptor, 0, path.string());
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return file.bad("not a regular file", "Write the matrix to a file first.");
  }
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  if (file.size_ == 0) {
    return file.bad("the file is empty", "Name a matrix file.");
  }
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      name_(std::move(other.name_)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(name_, other.name_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Result<std::size_t> InputFile::read_some(std::uint64_t offset, char* to, std::size_t bytes) const {
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;  // the system refuses more than 2 GiB
  std::size_t done = 0;
  while (done < bytes && offset + done < size_) {
    const ssize_t got = ::pread(descriptor_, to + done, std::min(bytes - done, kAtOnce),
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return fail(ErrorCode::unavailable, fmt::format("{}: {}", name_, std::strerror(errno)),
                  "The file cannot be read; look at the disk or the network behind it.");
    }
    if (got == 0) {
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<void> InputFile::read(std::uint64_t offset, char* to, std::size_t bytes) const {
  const auto got = read_some(offset, to, bytes);
  if (!got) {
    return tl::make_unexpected(got.error());
  }
  if (*got != bytes) {
    return bad_byte(offset + *got,
                    fmt::format("the file ends here, {} byte more are due", bytes - *got));
  }
  return {};
}

namespace {

std::string or_default(std::string hint) {
  return hint.empty() ? "The file is damaged or of another format; docs/formats/matrix-files.md "
                        "says what is read."
                      : std::move(hint);
}

}  // namespace

tl::unexpected<Error> InputFile::bad(std::string_view reason, std::string hint) const {
  return fail(ErrorCode::bad_input, fmt::format("{}: {}", name_, reason),
              or_default(std::move(hint)));
}

tl::unexpected<Error> InputFile::bad_line(std::uint64_t line, std::string_view reason,
                                          std::string hint) const {
  return fail(ErrorCode::bad_input, fmt::format("{}:{}: {}", name_, line, reason),
              or_default(std::move(hint)));
}

tl::unexpected<Error> InputFile::bad_byte(std::uint64_t offset, std::string_view reason,
                                          std::string hint) const {
  return fail(ErrorCode::bad_input, fmt::format("{}: at byte {}: {}", name_, offset, reason),
              or_default(std::move(hint)));
}

std::string shown_text(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    shown += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return text.size() > kLongest ? shown + "..." : shown;
}

Result<void> check_memory(std::uint64_t bytes, std::string_view what) {
  const std::uint64_t available = platform::available_memory_bytes();
  if (available != 0 && bytes > available) {
    return fail(
        ErrorCode::unavailable,
        fmt::format("{} needs {:.3g} GB of memory, {:.3g} GB are available", what,
                    1e-9 * static_cast<double>(bytes), 1e-9 * static_cast<double>(available)),
        "Free memory, or use a machine with more of it.");
  }
  return {};
}

}  // namespace ridge::spmv
