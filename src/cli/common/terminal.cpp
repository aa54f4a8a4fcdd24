#include "cli/common/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ridge::cli {
namespace {

constexpr unsigned kDefaultColumns = 100;

std::string_view environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(environment(variable));
    if (value.empty()) {
      continue;  // the first that is set decides (POSIX)
    }
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) == 1;
}

unsigned terminal_columns(std::FILE* stream) {
  winsize size{};
  if (is_terminal(stream) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  const std::string columns(environment("COLUMNS"));
  const unsigned long value = std::strtoul(columns.c_str(), nullptr, 10);
  return value > 0 && value < 10000 ? static_cast<unsigned>(value) : kDefaultColumns;
}

render::TextStyle text_style(std::FILE* stream, bool ascii) {
  render::TextStyle style;
  style.columns = static_cast<int>(terminal_columns(stream));
  style.unicode = !ascii && locale_is_utf8();
  style.colour =
      is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  return style;
}

}  // namespace ridge::cli
