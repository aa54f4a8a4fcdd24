#include "cli/common/picture.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/common/helper_program.hpp"
#include "cli/common/machine_file.hpp"
#include "platform/process.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstall =
    "Install librsvg2-dev, then build Ridge again; -o FILE.svg works without it.";

/// The SVG on its way to the program; gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "ridge-picture-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) {
      path_ = pattern;
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) {
      fs::remove_all(path_, ignored);
    }
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string picture_program_path() {
  return helper_program_path("ridge-picture");
}

Result<std::string> picture_of(std::string_view svg, std::string_view kind, const std::string& date,
                               const std::string& program) {
  std::error_code ignored;
  if (!fs::exists(program, ignored)) {
    return fail(ErrorCode::unavailable,
                fmt::format("this Ridge was built without librsvg, which makes {} files: there is "
                            "no {}",
                            kind, program),
                kInstall);
  }
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    return fail(ErrorCode::unavailable, "no temporary folder can be made",
                "Set TMPDIR to a folder that can be written.");
  }
  const fs::path file = folder.path() / "picture.svg";
  if (auto written = write_text_file(svg, file); !written) {
    return tl::make_unexpected(written.error());
  }
  auto captured = platform::run_and_capture({program, std::string(kind), file.string(), date},
                                            std::chrono::minutes(2));
  if (!captured) {
    return tl::make_unexpected(captured.error());
  }
  const auto& status = captured->status;
  if (status.signal || status.code != 0) {
    std::string why = captured->errors.substr(0, captured->errors.find('\n'));
    constexpr int kDrawingFailed = 3;
    return fail(status.code == kDrawingFailed ? ErrorCode::bad_input : ErrorCode::unavailable,
                fmt::format("the {} cannot be made: {}", kind,
                            why.empty() ? "its program was stopped" : why),
                kInstall);
  }
  return std::move(captured->output);
}

}  // namespace ridge::cli
