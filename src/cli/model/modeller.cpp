#include "cli/model/modeller.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "cli/common/helper_program.hpp"
#include "platform/process.hpp"
#include "serialize/loop_model.hpp"
#include "serialize/machine.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInstall =
    "it needs LLVM 19: install llvm-19-dev and clang-19, then build Ridge again";
constexpr auto kLongest = std::chrono::minutes(10);

/// The machine as a file that the modeller can open while we live.
class MachineFile {
 public:
  explicit MachineFile(const Machine& machine) : descriptor_(memfd_create("machine", MFD_CLOEXEC)) {
    const std::string text = serialize::write_machine(machine);
    std::size_t done = 0;
    while (descriptor_ >= 0 && done < text.size()) {
      const ssize_t written = write(descriptor_, text.data() + done, text.size() - done);
      if (written <= 0) {
        break;
      }
      done += static_cast<std::size_t>(written);
    }
  }
  MachineFile(const MachineFile&) = delete;
  MachineFile& operator=(const MachineFile&) = delete;
  ~MachineFile() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
  }

  [[nodiscard]] std::string path() const {
    return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
  }

 private:
  int descriptor_ = -1;
};

}  // namespace

std::string modeller_path() {
  return helper_program_path("ridge-model");
}

Result<LoopModels> model_by(const std::string& modeller, ModelRequest request,
                            const Machine& machine) {
  std::error_code ignored;
  if (!fs::exists(modeller, ignored)) {
    return fail(ErrorCode::unavailable,
                fmt::format("this Ridge was built without ridge-model: there is no {}", modeller),
                std::string(kInstall));
  }
  const MachineFile machine_file(machine);
  request.machine = machine_file.path();
  std::vector<std::string> words = words_of(request);
  words.insert(words.begin(), modeller);
  const auto captured = platform::run_and_capture(words, kLongest);
  if (!captured) {
    return tl::make_unexpected(captured.error());
  }
  if (captured->status.signal) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: ridge-model failed on this file (signal {})", request.file,
                            *captured->status.signal),
                "--function and --line name a part of it; please report the file");
  }
  if (captured->status.code != 0) {
    return tl::make_unexpected(
        error_of_helper(captured->errors, *captured->status.code, "ridge-model", kInstall));
  }
  return serialize::parse_loop_models(captured->output, request.file);
}

}  // namespace ridge::cli
