#include "measure/binary/runs/work_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace ridge::measure::binary {

Result<WorkFolder> WorkFolder::create() {
  std::error_code error;
  const auto base = std::filesystem::absolute(std::filesystem::temp_directory_path(error));
  std::string name = ((error ? std::filesystem::path("/tmp") : base) / "ridge-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot make a folder {}: {}", name, std::strerror(errno)),
                "TMPDIR names another place for temporary files.");
  }
  return WorkFolder(name);
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

WorkFolder::~WorkFolder() {
  if (!path_.empty()) {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
}

Result<std::filesystem::path> WorkFolder::room(const std::string& name) const {
  std::error_code error;
  auto room = path_ / name;
  std::filesystem::create_directory(room, error);
  if (error) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot make a folder {}: {}", room.string(), error.message()),
                "TMPDIR names another place for temporary files.");
  }
  return room;
}

}  // namespace ridge::measure::binary
