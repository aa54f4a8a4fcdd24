#include "cli/predict/network_reader.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "cli/common/helper_program.hpp"
#include "platform/process.hpp"
#include "serialize/tensor_graph.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInstall =
    "it reads ONNX models: install libonnx-dev and libprotobuf-dev, then build Ridge again";

/// The reader ends by a signal when the ONNX library fails on what it was given, or takes too long.
Error killed(const std::string& file, int signal) {
  if (signal == SIGXCPU || signal == SIGKILL) {
    return {ErrorCode::bad_input,
            fmt::format("{}: reading the model takes longer than any sane model does", file),
            "it may be made to do so; give a part of it"};
  }
  return {ErrorCode::bad_input,
          fmt::format("{}: the ONNX library failed on this model (signal {})", file, signal),
          "the file is probably broken: check it with ONNX's own checker, or export it again"};
}

}  // namespace

std::string network_reader_path() {
  return helper_program_path("ridge-onnx");
}

Result<TensorGraph> read_network(const std::string& file, const NetworkSizes& sizes,
                                 const std::string& reader) {
  std::error_code ignored;
  if (!fs::exists(reader, ignored)) {
    return fail(ErrorCode::unavailable,
                fmt::format("this Ridge was built without ONNX: there is no {}", reader),
                std::string(kInstall));
  }
  std::vector<std::string> words{reader, file};
  if (sizes.batch) {
    words.insert(words.end(), {"--batch", fmt::format("{}", *sizes.batch)});
  }
  for (const auto& [name, size] : sizes.named) {
    words.insert(words.end(), {"-D", fmt::format("{}={}", name, size)});
  }
  const auto captured = platform::run_and_capture(words, std::chrono::minutes(2));
  if (!captured) {
    return tl::make_unexpected(captured.error());
  }
  if (captured->status.signal) {
    return tl::make_unexpected(killed(file, *captured->status.signal));
  }
  if (captured->status.code != 0) {
    return tl::make_unexpected(error_of_helper(captured->errors, *captured->status.code,
                                               "the reader of ONNX models", kInstall));
  }
  return serialize::parse_tensor_graph(captured->output, file);
}

}  // namespace ridge::cli
