#include "measure/instrumented/attach.hpp"

#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

constexpr int kLoaderFailed = 127;

/// What exec grants to the program beyond our own rights; empty: nothing.
std::string granted_by(const std::string& path) {
  struct stat file{};
  struct statvfs system{};
  const bool is_ignored = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
                          (statvfs(path.c_str(), &system) == 0 && (system.f_flag & ST_NOSUID) != 0);
  if (is_ignored || stat(path.c_str(), &file) != 0) {
    return {};
  }
  if ((file.st_mode & S_ISUID) != 0 && file.st_uid != geteuid()) {
    return fmt::format("it runs as another user (setuid {})", file.st_uid);
  }
  if ((file.st_mode & S_ISGID) != 0 && (file.st_mode & S_IXGRP) != 0 && file.st_gid != getegid()) {
    return fmt::format("it runs as another group (setgid {})", file.st_gid);
  }
  return getxattr(path.c_str(), "security.capability", nullptr, 0) > 0 ? "its file has capabilities"
                                                                       : "";
}

bool has_limit_of_memory() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

Result<void> check_proc() {
  if (access("/proc/self/fd", X_OK) == 0) {
    return {};
  }
  return fail(ErrorCode::unavailable,
              "could not attach to any program, because /proc is not there: a measured program "
              "finds the memory that it shares with Ridge in it",
              "Mount it: `mount -t proc proc /proc` in this root or container.");
}

std::string why_not_attached(const std::string& path, const platform::ExitStatus& status) {
  if (const std::string granted = granted_by(path); !granted.empty()) {
    return fmt::format(
        "{}, and the system then keeps the environment from it that names the session: run a copy "
        "without these rights (`cp` makes one)",
        granted);
  }
  if (status.code == kLoaderFailed) {
    return "it ended with code 127 before its own code ran: `ldd` says whether a library is "
           "missing";
  }
  if (status.signal) {
    return fmt::format("signal {} ended it before its own code ran", *status.signal);
  }
  if (has_limit_of_memory()) {
    return "the limit of its address space (`ulimit -v`) left no room for the shared memory";
  }
  return "it was linked without Ridge's runtime (compile and link with ridge-cc or ridge-c++), or "
         "it could not open the session below /proc, which it then says on standard error: is it "
         "in "
         "another container, root folder or user than Ridge, or without /proc?";
}

}  // namespace ridge::measure
