// `ridge model`: loops of a source file before they run.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/common/command.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/model/model_options.hpp"
#include "cli/model/modeller.hpp"
#include "cli/output/output_format.hpp"
#include "core/value/loop_model.hpp"
#include "predict/model/predict_loop.hpp"
#include "render/document/model/loop_document.hpp"
#include "serialize/compile_commands.hpp"
#include "serialize/loop_model.hpp"
#include "serialize/microarchitecture.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

OutputRequest output_of(const ModelOptions& options) {
  OutputRequest request;
  request.command = "model";
  request.file = options.output;
  request.force = options.force;
  return request;
}

/// The entry of compile_commands.json for the file, as a request.
Result<void> take_command(const ModelOptions& options, ModelRequest& request) {
  std::error_code none;
  std::ifstream stream(*options.commands, std::ios::binary);
  if (!stream || fs::is_directory(*options.commands, none)) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read {}", *options.commands),
                "--from takes a compile_commands.json");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto commands = serialize::parse_compile_commands(text, *options.commands);
  if (!commands) {
    return tl::make_unexpected(commands.error());
  }
  std::error_code error;
  const fs::path wanted = fs::weakly_canonical(options.file, error);
  for (const serialize::CompileCommand& command : *commands) {
    const fs::path file = fs::path(command.directory) / command.file;
    if (fs::weakly_canonical(file, error) == wanted && !command.arguments.empty()) {
      request.directory = command.directory;
      request.file = wanted.string();
      request.flags.assign(command.arguments.begin() + 1, command.arguments.end());
      std::erase(request.flags, command.file);
      return {};
    }
  }
  return fail(ErrorCode::bad_input,
              fmt::format("{} does not compile {}", *options.commands, options.file),
              "name a file that the build compiles, or give the flags behind --");
}

ModelRequest request_of(const ModelOptions& options) {
  ModelRequest request;
  request.file = options.file;
  request.function = options.function;
  request.line = options.line;
  request.sizes = options.sizes;
  for (const auto& [array, file] : options.index_files) {
    std::error_code error;
    request.index_files[array] = fs::absolute(file, error).string();
  }
  request.cpu = options.cpu;
  request.by_conditions = options.traffic != "simulation";
  request.by_simulation = options.traffic != "conditions";
  request.cores = options.cores;
  request.runs = options.run;
  request.flags = options.flags;
  return request;
}

void predict_all(LoopModels& models, const Machine& machine, unsigned cores) {
  const Microarchitecture* cpu =
      find_microarchitecture(serialize::known_microarchitectures(), machine.cpu);
  for (LoopModel& model : models.models) {
    model.predictions.push_back(predict::predict_loop(model, machine, cpu, cores));
  }
}

Result<int> hand_out(const ModelOptions& options, const LoopModels& models) {
  const OutputRequest output = output_of(options);
  if (auto written = write_output(&OutputFormat::model, output, models); !written) {
    return tl::make_unexpected(written.error());
  }
  if (options.output) {
    say(fmt::format("wrote {}", *options.output));
  }
  const auto printed =
      options.json
          ? print(serialize::write_loop_models(models))
          : print_screen(render::loop_models_text(models, text_style(stdout, options.ascii)));
  return printed ? Result<int>(0) : tl::make_unexpected(printed.error());
}

}  // namespace

Result<int> run_model(const std::vector<std::string>& arguments) {
  const auto parsed = parse_model_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const ModelOptions& options = **parsed;
  if (auto fine = check_output(&OutputFormat::model, output_of(options)); !fine) {
    return tl::make_unexpected(fine.error());
  }
  std::error_code error;
  if (!fs::is_regular_file(options.file, error)) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read {}", options.file),
                "name a source file of C, C++ or Fortran");
  }
  const auto machine = load_or_measure_machine(options.machine);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  ModelRequest request = request_of(options);
  if (options.commands) {
    if (auto taken = take_command(options, request); !taken) {
      return tl::make_unexpected(taken.error());
    }
  }
  auto models = model_by(modeller_path(), std::move(request), *machine);
  if (!models) {
    return tl::make_unexpected(models.error());
  }
  predict_all(*models, *machine, options.cores);
  return hand_out(options, *models);
}

}  // namespace ridge::cli
