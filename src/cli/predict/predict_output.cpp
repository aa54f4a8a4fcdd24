#include "cli/predict/predict_output.hpp"

#include <filesystem>

#include <fmt/core.h>

#include "cli/common/machine_file.hpp"
#include "cli/common/streams.hpp"

namespace ridge::cli {

Result<int> deliver(const std::string& json, const std::string& text,
                    const PredictOptions& options) {
  if (options.output) {
    if (!options.force && std::filesystem::exists(*options.output)) {
      return fail(ErrorCode::usage, fmt::format("{} exists", *options.output),
                  "--force overwrites it");
    }
    if (auto written = write_text_file(json, *options.output); !written) {
      return tl::make_unexpected(std::move(written.error()));
    }
  }
  return (options.json ? print(json) : print_screen(text)).map([] { return 0; });
}

}  // namespace ridge::cli
