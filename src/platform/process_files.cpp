#include "platform/process_files.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace ridge::platform {

std::optional<std::string> read_to_end(int descriptor) {
  constexpr std::size_t kPiece = 4096;
  std::string text;
  std::array<char, kPiece> piece{};
  for (;;) {
    const ssize_t got = read(descriptor, piece.data(), piece.size());
    if (got > 0) {
      text.append(piece.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      return text;
    } else if (errno != EINTR) {
      return std::nullopt;
    }
  }
}

std::optional<std::string> read_process_file(pid_t pid, std::string_view name) {
  const int descriptor = open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return std::nullopt;
  }
  auto text = read_to_end(descriptor);
  close(descriptor);
  return text;
}

}  // namespace ridge::platform
