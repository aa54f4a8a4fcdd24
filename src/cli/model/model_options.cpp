#include "cli/model/model_options.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {
namespace {

constexpr unsigned kMostCores = 65536;

Result<void> check(const ModelOptions& options) {
  if (options.cores < 1 || options.cores > kMostCores) {
    return fail(ErrorCode::usage, fmt::format("model: --cores takes 1 to {}", kMostCores),
                "cores that run the loop at the same time, and share caches");
  }
  const auto& traffic = options.traffic;
  if (traffic && traffic != "conditions" && traffic != "simulation" && traffic != "both") {
    return fail(ErrorCode::usage, fmt::format("model: --traffic={} is no method", *traffic),
                "conditions (layer conditions), simulation, or both");
  }
  if (options.run && (options.cpu || options.cores > 1)) {
    return fail(ErrorCode::usage, "model: --run runs the loop on one core of this machine",
                "leave out --cpu and --cores");
  }
  if (options.commands && !options.flags.empty()) {
    return fail(ErrorCode::usage, "model: --from has the compiler's flags already",
                "leave out --from, or what stands behind --");
  }
  return {};
}

}  // namespace

Result<std::optional<ModelOptions>> parse_model_options(const std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  ModelOptions options;
  std::vector<std::string> files;
  std::vector<std::string> definitions;
  std::vector<std::string> indices;
  std::optional<unsigned> cores;
  OptionParser parser("model", embedded::model_help);
  parser.positional("files", files);
  parser.option("--function", options.function);
  parser.option("--line", options.line);
  parser.repeated("-D", definitions);
  parser.repeated("--index", indices);
  parser.option("--from", options.commands);
  parser.option("--machine", options.machine);
  parser.option("--cpu", options.cpu);
  parser.option("--traffic", options.traffic);
  parser.option("--cores", cores);
  parser.option("-o,--output", options.output);
  parser.flag("--run", options.run);
  parser.flag("--force", options.force);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  const auto outcome = parser.parse({arguments.begin(), dashes});
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  if (files.size() != 1) {
    return fail(ErrorCode::usage,
                files.empty() ? "model: no FILE is named" : "model: one FILE at a time",
                "ridge model stencil.c -D N=4000");
  }
  options.file = files.front();
  options.cores = cores.value_or(1);
  if (dashes != arguments.end()) {
    options.flags.assign(dashes + 1, arguments.end());
  }
  auto sizes = sizes_of(definitions);
  if (!sizes) {
    return tl::make_unexpected(sizes.error());
  }
  options.sizes = std::move(*sizes);
  for (const std::string& word : indices) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorCode::usage, fmt::format("model: --index {} names no file", word),
                  "--index col=columns.txt: the array of the source, and a file of whole numbers");
    }
    options.index_files[word.substr(0, equals)] = word.substr(equals + 1);
  }
  if (auto fine = check(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  return options;
}

}  // namespace ridge::cli
