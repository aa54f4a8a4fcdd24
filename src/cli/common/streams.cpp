#include "cli/common/streams.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>

#include <fmt/format.h>

#include "cli/common/terminal.hpp"
#include "render/chart/text.hpp"

namespace ridge::cli {
namespace {

/// What cannot be told cannot be told that either.
void to_standard_error(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

}  // namespace

void guard_standard_streams() {
  for (const int descriptor : {0, 1, 2}) {
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      // The lowest free number is this one. Of the wrong direction: using it fails as before.
      (void)open("/dev/null", (descriptor == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    }
  }
}

Result<void> print(std::string_view text) {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) {
    const int error = errno;
    std::clearerr(stdout);
    errno = error;  // callers may tell a reader that went away
    return fail(ErrorCode::write_failed,
                fmt::format("cannot write to standard output: {}", std::strerror(error)),
                "Make room, or redirect it to another place.");
  }
  return {};
}

Result<void> print_screen(std::string_view text) {
  return print(render::clean_lines(text, text_style(stdout).colour));
}

void say(std::string_view text) {
  to_standard_error(fmt::format("ridge: {}\n", render::clean(text)));
}

void say_lines(std::string_view text) {
  to_standard_error(render::clean_lines(text, false));
}

void show_step(std::string_view text) {
  to_standard_error(fmt::format("\r\033[K{}", render::clean(text)));
}

int say_error(const Error& error) {
  constexpr std::string_view kIndent = "       ";
  say(error.message);
  if (!error.hint.empty()) {
    std::string hint = error.hint;
    for (std::size_t end = hint.find('\n'); end != std::string::npos;
         end = hint.find('\n', end + 1)) {
      hint.insert(end + 1, kIndent);  // messages of compilers have several lines
    }
    say_lines(fmt::format("{}{}\n", kIndent, hint));
  }
  return error.exit_code();
}

}  // namespace ridge::cli
