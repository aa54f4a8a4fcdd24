// ridge-model: the loops of a source file as ridge.loop-model/1 on standard output. A program of
// its own, since libLLVM takes longer to start than all of `ridge`, and ends itself where it meets
// what it does not expect.
//
// On an error: the message in the first line of standard error, the hint behind it, and the exit
// code of the error.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/core.h>

#include "cli/modelling/compile.hpp"
#include "cli/modelling/model_loops.hpp"
#include "cli/modelling/model_request.hpp"
#include "serialize/loop_model.hpp"
#include "serialize/machine.hpp"

namespace ridge::cli {
namespace {

int report(const Error& error) {
  std::string message = error.message;
  std::replace(message.begin(), message.end(), '\n', ' ');
  fmt::print(stderr, "{}\n{}\n", message, error.hint);
  return error.exit_code();
}

Result<Machine> read_machine(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read {}", file), "name a machine file");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return serialize::parse_machine(text, file);
}

Result<void> enter(const std::string& directory) {
  std::error_code error;
  if (!directory.empty()) {
    std::filesystem::current_path(directory, error);
  }
  if (error) {
    return fail(ErrorCode::bad_input,
                fmt::format("cannot enter {}: {}", directory, error.message()),
                "compile_commands.json names it: configure the project again");
  }
  return {};
}

Result<LoopModels> model_file(const ModelRequest& request, const Machine& machine) {
  if (request.file.ends_with(".s") || request.file.ends_with(".S")) {
    return assemble(request.file).and_then([&](const std::string& object) {
      return model_code(request, machine, object);
    });
  }
  constexpr std::string_view kMagic = "\177ELF";
  std::ifstream stream(request.file, std::ios::binary);
  std::string bytes(kMagic.size(), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream || bytes != kMagic) {
    return model_loops(request, machine);
  }
  bytes.append(std::istreambuf_iterator<char>(stream), {});
  return model_code(request, machine, bytes);
}

int run(const std::vector<std::string>& words) {
  const auto models = model_request_from(words).and_then([](const ModelRequest& request) {
    return read_machine(request.machine).and_then([&](const Machine& machine) {
      return enter(request.directory).and_then([&] { return model_file(request, machine); });
    });
  });
  if (!models) {
    return report(models.error());
  }
  const std::string text = serialize::write_loop_models(*models);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? 0
             : report({ErrorCode::write_failed, "standard output cannot be written", ""});
}

}  // namespace
}  // namespace ridge::cli

int main(int argc, char** argv) {
  try {
    return ridge::cli::run({argv + 1, argv + argc});
  } catch (const std::exception& problem) {
    return ridge::cli::report({ridge::ErrorCode::bad_input, problem.what(),
                               "a smaller part of the file (--function) may do"});
  }
}
