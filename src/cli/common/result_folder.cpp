#include "cli/common/result_folder.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "platform/file.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnnamed = "ridge-out";
constexpr std::string_view kProfile = "profile.json";
constexpr int kOlderResultsMax = 100'000;

/// The folder itself, or what it would be made in.
fs::path nearest_existing(const fs::path& path) {
  fs::path at = fs::absolute(path);
  std::error_code error;
  while (!fs::exists(at, error) && at.has_relative_path()) {
    at = at.parent_path();
  }
  return at;
}

/// 0 or an errno. Permissions do not tell everything: root may write anywhere, yet not in /proc.
int try_to_write_in(const fs::path& folder) {
  std::string probe = (folder / ".ridge-probe-XXXXXX").string();
  if (mkdtemp(probe.data()) == nullptr) {
    return errno;
  }
  return rmdir(probe.c_str()) == 0 ? 0 : errno;
}

/// Tries the cache and the temporary folders; empty when all of them refuse.
std::string save_elsewhere(const ResultFile& file) {
  const auto variable = [](const char* name, const char* below) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/' ? std::string(value) + below : std::string{};
  };
  const std::array<std::string, 5> folders{variable("TMPDIR", ""), "/tmp", "/dev/shm",
                                           variable("XDG_CACHE_HOME", ""),
                                           variable("HOME", "/.cache")};
  for (const std::string& folder : folders) {
    std::string place = folder + "/ridge-saved-XXXXXX";
    if (!folder.empty() && mkdtemp(place.data()) != nullptr) {
      const std::string path = place + "/" + file.name;
      if (!platform::replace_file(path, file.text)) {
        return path;
      }
      rmdir(place.c_str());
    }
  }
  return {};
}

tl::unexpected<Error> not_written(const fs::path& path, int error, const ResultFile& profile) {
  const std::string saved = save_elsewhere(profile);
  return fail(ErrorCode::write_failed,
              fmt::format("cannot write {}: {}", path.string(), std::strerror(error)),
              saved.empty() ? "Nowhere else was room either: make some, or print the result "
                              "with --json."
                            : fmt::format("The profile was saved as {}", saved));
}

}  // namespace

int move_aside(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) {
    return 0;
  }
  for (int number = 1; number < kOlderResultsMax; ++number) {
    const fs::path older = fmt::format("{}.{}", path.string(), number);
    if (!fs::exists(fs::symlink_status(older, error))) {
      return std::rename(path.c_str(), older.c_str()) == 0 ? 0 : errno;
    }
  }
  return EEXIST;
}

Result<ResultFolder> ResultFolder::prepare(const std::optional<std::string>& name, bool force) {
  const fs::path path = name.value_or(kUnnamed);
  std::error_code error;
  if (path.empty()) {
    return fail(ErrorCode::usage, "the name of the result folder is empty");
  }
  if (name && !force && fs::exists(path / kProfile, error)) {
    return fail(ErrorCode::usage, fmt::format("{} holds a result already", path.string()),
                "--force overwrites it.");
  }
  // An unnamed one is replaced as a whole, so the folder around it counts.
  const fs::path base = name ? nearest_existing(path) : fs::absolute(path).parent_path();
  if (!fs::is_directory(base, error)) {
    return fail(ErrorCode::write_failed,
                fmt::format("cannot write {}: {} is not a folder", path.string(), base.string()),
                "Name another folder with -o.");
  }
  if (const int refused = try_to_write_in(base); refused != 0) {
    return fail(ErrorCode::write_failed,
                fmt::format("cannot write {}: {}: {}", path.string(), base.string(),
                            std::strerror(refused)),
                "Name another folder with -o.");
  }
  return ResultFolder(fs::absolute(path), name.has_value());
}

ResultFolder::ResultFolder(ResultFolder&& other) noexcept
    : path_(std::move(other.path_)),
      is_named_(other.is_named_),
      folder_(std::exchange(other.folder_, -1)) {}

ResultFolder& ResultFolder::operator=(ResultFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(is_named_, other.is_named_);
  std::swap(folder_, other.folder_);
  return *this;
}

ResultFolder::~ResultFolder() {
  if (folder_ >= 0) {
    close(folder_);
  }
}

fs::path ResultFolder::path() const {
  struct stat ours{};
  struct stat named{};
  const bool is_moved = folder_ >= 0 && fstat(folder_, &ours) == 0 &&
                        (stat(path_.c_str(), &named) != 0 || ours.st_ino != named.st_ino ||
                         ours.st_dev != named.st_dev);
  if (!is_moved) {
    return path_;
  }
  std::error_code error;
  const fs::path now = fs::read_symlink(fmt::format("/proc/self/fd/{}", folder_), error);
  return error ? path_ : now;
}

/// Somebody may have removed it.
bool ResultFolder::still_exists() const {
  struct stat ours{};
  return folder_ >= 0 && fstat(folder_, &ours) == 0 && ours.st_nlink > 0;
}

/// 0 or an errno.
int ResultFolder::try_to_claim() {
  if (still_exists()) {
    return 0;
  }
  if (const int error = is_named_ ? 0 : move_aside(path_); error != 0) {
    return error;
  }
  std::error_code created;
  fs::create_directories(path_, created);
  if (created) {
    return created.value();
  }
  const int opened = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) {
    return errno;
  }
  if (folder_ >= 0) {
    close(folder_);
  }
  folder_ = opened;
  return 0;
}

bool ResultFolder::claim() {
  return try_to_claim() == 0;
}

bool ResultFolder::write_snapshot(std::string_view profile) const {
  if (platform::replace_file(folder_, std::string(kProfile), profile)) {
    return false;
  }
  for (const char* older : {"roofline.svg", "report.html"}) {
    unlinkat(folder_, older, 0);
  }
  return true;
}

Result<void> ResultFolder::write(const std::vector<ResultFile>& files) {
  if (const int error = try_to_claim(); error != 0) {
    return not_written(path_, error, files.front());
  }
  for (const ResultFile& file : files) {
    if (const auto error = platform::replace_file(folder_, file.name, file.text)) {
      return not_written(path() / file.name, error.value(), files.front());
    }
  }
  return {};
}

}  // namespace ridge::cli
