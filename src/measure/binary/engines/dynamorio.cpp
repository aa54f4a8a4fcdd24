#include "measure/binary/engines/dynamorio.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "measure/run/companions.hpp"
#include "platform/process.hpp"

namespace ridge::measure::binary {
namespace {

constexpr const char* kClient = "libridge_dynamorio.so";
constexpr const char* kInstall =
    "Unpack a release of DynamoRIO (dynamorio.org), let DYNAMORIO_HOME name its folder, and "
    "build Ridge again with cmake -DDynamoRIO_DIR=$DYNAMORIO_HOME/cmake.";

Result<std::string> drrun() {
  if (const char* home = std::getenv("DYNAMORIO_HOME"); home != nullptr && *home != '\0') {
    return platform::find_program((std::filesystem::path(home) / "bin64" / "drrun").string());
  }
  return platform::find_program("drrun");
}

}  // namespace

Result<void> dynamorio_available() {
  if (!drrun()) {
    return fail(ErrorCode::unavailable, "DynamoRIO is not installed", kInstall);
  }
  std::error_code error;
  if (!std::filesystem::exists(companion(kClient), error)) {
    return fail(
        ErrorCode::unavailable,
        fmt::format("Ridge's client for DynamoRIO is missing ({})", companion(kClient).string()),
        kInstall);
  }
  return {};
}

Result<void> dynamorio_suits(const std::string& /*program*/) {
  return {};
}

Result<EngineStart> start_dynamorio(const EngineJob& job) {
  const auto path = drrun();
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  EngineStart start;
  start.arguments = {*path, "-quiet", "-c", companion(kClient).string(),
                     fmt::format("record={}", (job.folder / "record").string())};
  if (job.plan) {
    start.arguments.push_back(fmt::format("plan={}", job.plan->string()));
  }
  start.arguments.emplace_back("--");
  start.arguments.insert(start.arguments.end(), job.arguments.begin(), job.arguments.end());
  start.environment = job.variables;
  return start;
}

}  // namespace ridge::measure::binary
