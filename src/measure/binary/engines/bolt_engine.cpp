#include "measure/binary/engines/bolt_engine.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "measure/binary/engines/bolt.hpp"
#include "measure/binary/program_file.hpp"
#include "measure/run/companions.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"

namespace ridge::measure::binary {
namespace {

constexpr const char* kRuntime = "libridge_bolt_runtime.a";

Result<void> write_records(const BoltProgram& program, const std::filesystem::path& folder) {
  const auto records = read_bolt_records(program);
  if (!records) {
    return tl::make_unexpected(records.error());
  }
  for (std::size_t i = 0; i < records->size(); ++i) {
    const BoltRecord& record = (*records)[i];
    const auto file = folder / fmt::format("record.{}.{}", record.pid, i);
    const auto error = platform::replace_file(
        file,
        std::string_view(reinterpret_cast<const char*>(record.bytes.data()), record.bytes.size()));
    if (error) {
      return fail(ErrorCode::write_failed,
                  fmt::format("cannot write {}: {}", file.string(), error.message()));
    }
  }
  return {};
}

}  // namespace

Result<void> bolt_available() {
  if (!platform::find_program("llvm-bolt-19") && !platform::find_program("llvm-bolt")) {
    return fail(ErrorCode::unavailable, "llvm-bolt is not installed",
                "On Debian: apt install bolt-19.");
  }
  std::error_code error;
  if (!std::filesystem::exists(companion(kRuntime), error)) {
    return fail(
        ErrorCode::unavailable,
        fmt::format("Ridge's run-time file for BOLT is missing ({})", companion(kRuntime).string()),
        "Build Ridge again.");
  }
  return {};
}

Result<void> bolt_suits(const std::string& program) {
  if (program_that_runs(program) != program) {
    return fail(ErrorCode::unavailable,
                fmt::format("{} is a script, which BOLT cannot count", program));
  }
  return check_bolt(program);
}

Result<EngineStart> start_bolt(const EngineJob& job) {
  const auto path = platform::find_program(job.arguments.front());
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  std::error_code error;  // as the kernel names it, by which samples and counts meet
  const auto real = std::filesystem::canonical(*path, error);
  auto program = prepare_bolt(error ? *path : real.string(), job.folder, companion(kRuntime));
  if (!program) {
    return tl::make_unexpected(program.error());
  }
  EngineStart start;
  start.arguments = job.arguments;
  start.arguments.front() = program->instrumented;
  start.environment = job.variables;
  start.environment.insert(start.environment.end(), program->environment.begin(),
                           program->environment.end());
  start.collect = [program = std::move(*program), folder = job.folder] {
    return write_records(program, folder);
  };
  return start;
}

}  // namespace ridge::measure::binary
