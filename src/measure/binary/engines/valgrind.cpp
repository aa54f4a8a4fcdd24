#include "measure/binary/engines/valgrind.hpp"

#include <fmt/format.h>

#include "measure/run/companions.hpp"
#include "platform/process.hpp"

namespace ridge::measure::binary {
namespace {

constexpr const char* kTool = "valgrind/ridge-amd64-linux";

/// Debian's `valgrind` is a script that changes the environment of the program; behind it lies
/// `valgrind.bin`.
const char* launcher() {
  return platform::find_program("valgrind.bin") ? "valgrind.bin" : "valgrind";
}

}  // namespace

Result<void> valgrind_available() {
  if (!platform::find_program(launcher())) {
    return fail(ErrorCode::unavailable, "valgrind is not installed",
                "On Debian: apt install valgrind.");
  }
  std::error_code error;
  if (!std::filesystem::exists(companion(kTool), error)) {
    return fail(ErrorCode::unavailable,
                fmt::format("Ridge's tool for Valgrind is missing ({})", companion(kTool).string()),
                "Ridge was built without Valgrind's development files: install valgrind and "
                "build Ridge again.");
  }
  return {};
}

Result<void> valgrind_suits(const std::string& /*program*/) {
  return {};
}

Result<EngineStart> prepare_valgrind(const EngineJob& job) {
  EngineStart start;
  start.arguments = {launcher(),
                     "--command-line-only=yes",
                     "--tool=ridge",
                     "-q",
                     "--log-file=/dev/null",
                     "--vgdb=no",
                     "--fair-sched=try",
                     "--trace-children=yes",
                     fmt::format("--record={}", (job.folder / "record").string())};
  if (job.plan) {
    start.arguments.push_back(fmt::format("--plan={}", job.plan->string()));
  }
  start.arguments.insert(start.arguments.end(), job.arguments.begin(), job.arguments.end());
  start.environment = job.variables;
  start.environment.emplace_back("VALGRIND_LIB", companion("valgrind").string());
  return start;
}

}  // namespace ridge::measure::binary
