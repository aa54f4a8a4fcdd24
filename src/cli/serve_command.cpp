// `ridge serve`: becomes ridge-serve, which links the HTTP library (it and what it needs cost more
// at start than all of `ridge`).
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/serve_options.hpp"

namespace ridge::cli {

Result<int> run_serve(const std::vector<std::string>& arguments) {
  namespace fs = std::filesystem;
  const auto options = parse_serve_options(arguments);
  if (!options) {
    return tl::make_unexpected(options.error());
  }
  if (!*options) {
    return 0;
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const std::string server =
      (program.parent_path().parent_path() / "lib" / "ridge" / "ridge-serve").string();
  const std::string port = std::to_string((*options)->port);
  execl(server.c_str(), "ridge-serve", (*options)->folder.c_str(), port.c_str(), nullptr);
  return fail(ErrorCode::unavailable,
              fmt::format("serve: {} does not start: {}", server, std::strerror(errno)),
              "install libcpp-httplib-dev, then build Ridge again");
}

}  // namespace ridge::cli
