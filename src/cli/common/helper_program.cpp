#include "cli/common/helper_program.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace ridge::cli {

namespace fs = std::filesystem;

std::string helper_program_path(std::string_view name) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path().parent_path() / "lib" / "ridge" / name).string();
}

Error error_of_helper(const std::string& errors, int code, std::string_view what,
                      std::string_view install) {
  const std::size_t end = errors.find('\n');
  const std::string message = errors.substr(0, end);
  if (code <= 1 || code > static_cast<int>(ErrorCode::write_failed)) {  // 127: a library is missing
    return {ErrorCode::unavailable, fmt::format("{} does not start: {}", what, message),
            std::string(install)};
  }
  std::string hint = end == std::string::npos ? "" : errors.substr(end + 1);
  while (!hint.empty() && hint.back() == '\n') {
    hint.pop_back();
  }
  return {static_cast<ErrorCode>(code), message, hint};
}

}  // namespace ridge::cli
