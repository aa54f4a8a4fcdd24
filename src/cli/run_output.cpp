#include "cli/run_output.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

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

/// 0 or an errno.
int write_file(const fs::path& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    return errno;
  }
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = written == 0 ? ENOSPC : errno;
    }
  }
  // Some file systems report a full disk only now.
  const bool closed = close(file) == 0;
  return error != 0 || closed ? error : errno;
}

/// Readers see the old or the new file, never a part. 0 or an errno.
int replace_file(const fs::path& path, std::string_view text) {
  fs::path partial = path;
  partial += ".partial";
  int error = write_file(partial, text);
  if (error == 0 && std::rename(partial.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    unlink(partial.c_str());
  }
  return error;
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
      if (write_file(path, file.text) == 0) {
        return path;
      }
      unlink(path.c_str());
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

/// ridge-out becomes ridge-out.1, or .2 when that exists ...
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

}  // namespace

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

Result<void> ResultFolder::write(const std::vector<ResultFile>& files) const {
  // A limit of the file size shall be an error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  if (const int error = is_named_ ? 0 : move_aside(path_); error != 0) {
    return not_written(path_, error, files.front());
  }
  std::error_code created;
  fs::create_directories(path_, created);
  if (created) {
    return not_written(path_, created.value(), files.front());
  }
  for (const ResultFile& file : files) {
    if (const int error = replace_file(path_ / file.name, file.text); error != 0) {
      return not_written(path_ / file.name, error, files.front());
    }
  }
  return {};
}

}  // namespace ridge::cli
