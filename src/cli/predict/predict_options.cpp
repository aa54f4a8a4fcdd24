#include "cli/predict/predict_options.hpp"

#include <string_view>

#include <fmt/core.h>

#include "cli/common/help_texts.hpp"

namespace ridge::cli {
namespace {

constexpr std::string_view kHelp = "`ridge predict --help` explains the command.";

}  // namespace

std::vector<std::string> PredictOptions::machines() const {
  return on.empty() ? std::vector<std::string>{"this"} : on;
}

Result<ParseOutcome> parse_predict_options(const std::vector<std::string>& arguments,
                                           PredictOptions& options) {
  OptionParser parser("predict", embedded::predict_help);
  parser.positional("subject", options.subjects);
  parser.option("--kernel", options.kernel);
  parser.option("-D", options.parameters);
  parser.option("--precision", options.precision);
  parser.option("--on", options.on);
  parser.option("--what-if", options.what_if);
  parser.option("--basis", options.basis);
  parser.option("--pipes", options.pipes);
  parser.option("--data", options.data);
  parser.option("--link", options.link);
  parser.option("--latency", options.latencies);
  parser.option("--batch", options.batch);
  parser.flag("--fuse", options.fuse);
  parser.flag("--cache-aware", options.cache_aware);
  parser.option("--cores", options.cores);
  parser.flag("--duplex", options.duplex);
  parser.flag("--overlap", options.overlap);
  parser.flag("--force", options.force);
  parser.option("-o,--output", options.output);
  parser.flag("--list", options.list);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  return parser.parse(arguments);
}

Result<PredictSubject> predict_subject(const PredictOptions& options) {
  const std::size_t given =
      options.subjects.size() + (options.kernel ? 1U : 0U) + (options.list ? 1U : 0U);
  if (given != 1) {
    return fail(ErrorCode::usage,
                given == 0 ? "predict: nothing to predict"
                           : "predict: one thing at a time: --list, --kernel NAME or a file",
                std::string(kHelp));
  }
  const bool is_file = !options.list && !options.kernel;
  if ((options.batch || options.fuse) && !(is_file && options.subjects[0].ends_with(".onnx"))) {
    return fail(ErrorCode::usage, "predict: --batch and --fuse are for networks: MODEL.onnx",
                std::string(kHelp));
  }
  if (options.cache_aware && !options.kernel) {
    return fail(ErrorCode::usage, "predict: --cache-aware is for --kernel", std::string(kHelp));
  }
  if (options.list) {
    return PredictSubject::kernel_list;
  }
  if (options.kernel) {
    return PredictSubject::kernel;
  }
  const bool is_network = options.subjects[0].ends_with(".onnx");
  if (!options.parameters.empty() && !is_network) {
    return fail(ErrorCode::usage, "predict: -D sets a parameter of a kernel: --kernel is missing",
                "`ridge predict --list` lists the kernels and their parameters.");
  }
  return is_network ? PredictSubject::network : PredictSubject::result;
}

}  // namespace ridge::cli
