#include "cli/predict/predict_options.hpp"

#include <string_view>

#include <fmt/core.h>

#include "cli/common/help_texts.hpp"

namespace ridge::cli {
namespace {

constexpr std::string_view kHelp = "`ridge predict --help` explains the command.";

/// Figures of a computation of the user's own. With --kernel some of them are the goal of --solve.
bool has_computation(const PredictOptions& options) {
  const bool figures = !options.work.empty() || !options.bytes.empty() || options.balance ||
                       options.intensity || options.performance;
  return options.points || (figures && options.kernels.empty());
}

struct Foreign {
  bool given;
  std::string_view option;
  std::string_view belongs;
};

/// Options that say nothing about the subject.
Result<void> check_foreign(const PredictOptions& options, PredictSubject subject) {
  const bool kernel = subject == PredictSubject::kernel;
  const bool network = subject == PredictSubject::network;
  const bool demand = kernel || subject == PredictSubject::computation;
  if (!options.parameters.empty() && !kernel && !network) {
    return fail(ErrorCode::usage, "predict: -D sets a parameter of a kernel: --kernel is missing",
                "`ridge predict --list` lists the kernels and their parameters.");
  }
  for (const Foreign& foreign :
       {Foreign{(options.batch || options.fuse) && !network, "--batch and --fuse",
                "networks: MODEL.onnx"},
        Foreign{options.launch_latency && !network, "--launch-latency", "networks: MODEL.onnx"},
        Foreign{options.cache_aware && !demand, "--cache-aware", "--kernel"},
        Foreign{(options.cold || options.working_set || options.launches) && !demand,
                "--cold, --working-set and --launches", "--kernel, and for --work and --bytes"},
        Foreign{(options.stores || !options.memory.empty()) && !demand, "--stores and --memory",
                "--kernel, and for --work and --bytes"},
        Foreign{options.cores && network, "--cores",
                "kernels, computations and results of `ridge run`"},
        Foreign{options.per_row && !kernel, "--nnz-per-row", "--kernel"},
        Foreign{(options.time || options.solve) && !demand, "--time and --solve",
                "--kernel, and for --work and --bytes"},
        Foreign{
            (!options.demands.empty() || !options.rates.empty() || options.overlap_of) && !demand,
            "--demand, --rate and a value of --overlap", "--kernel, and for --work and --bytes"},
        Foreign{options.relative_to && !demand, "--relative-to",
                "--kernel, and for --work and --bytes"}}) {
    if (foreign.given) {
      return fail(ErrorCode::usage,
                  fmt::format("predict: {} {} for {}", foreign.option,
                              foreign.option.find(" and ") == std::string_view::npos ? "is" : "are",
                              foreign.belongs),
                  std::string(kHelp));
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> PredictOptions::machines() const {
  return on.empty() && own_machines.empty() ? std::vector<std::string>{"this"} : on;
}

Result<ParseOutcome> parse_predict_options(const std::vector<std::string>& arguments,
                                           PredictOptions& options) {
  OptionParser parser("predict", embedded::predict_help);
  parser.positional("subject", options.subjects);
  parser.option("--kernel", options.kernels);
  parser.option("-D", options.parameters);
  parser.option("--nnz-per-row", options.per_row);
  parser.option("--work", options.work);
  parser.option("--bytes", options.bytes);
  parser.option("--balance", options.balance);
  parser.option("--intensity", options.intensity);
  parser.option("--performance", options.performance);
  parser.option("--time", options.time);
  parser.option("--points", options.points);
  parser.option("--solve", options.solve);
  parser.option("--traffic", options.traffic);
  parser.option("--fraction", options.fraction);
  parser.option("--relative-to", options.relative_to);
  parser.repeated("--machine", options.own_machines);
  parser.option("--demand", options.demands);
  parser.option("--rate", options.rates);
  parser.option("--precision", options.precision);
  parser.option("--on", options.on);
  parser.option("--what-if", options.what_if);
  parser.option("--basis", options.basis);
  parser.option("--pipes", options.pipes);
  parser.option("--data", options.data);
  parser.option("--link", options.link);
  parser.option("--latency", options.latencies);
  parser.option("--stores", options.stores);
  parser.option("--memory", options.memory);
  parser.flag("--cold", options.cold);
  parser.option("--working-set", options.working_set);
  parser.option("--launches", options.launches);
  parser.option("--batch", options.batch);
  parser.option("--launch-latency", options.launch_latency);
  parser.flag("--fuse", options.fuse);
  parser.flag("--cache-aware", options.cache_aware);
  parser.option("--cores", options.cores);
  parser.flag("--duplex", options.duplex);
  parser.flag("--overlap", options.overlap, options.overlap_of);
  parser.flag("--force", options.force);
  parser.option("-o,--output", options.output);
  parser.flag("--list", options.list);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  return parser.parse(arguments);
}

Result<PredictSubject> predict_subject(const PredictOptions& options) {
  const bool computation = has_computation(options);
  const std::size_t given = options.subjects.size() + (options.kernels.empty() ? 0U : 1U) +
                            (options.list ? 1U : 0U) + (computation ? 1U : 0U);
  if (given != 1) {
    return fail(ErrorCode::usage,
                given == 0 ? "predict: nothing to predict"
                           : "predict: one thing at a time: --list, --kernel NAME, --work and "
                             "--bytes, --points FILE, or a file",
                std::string(kHelp));
  }
  const bool is_network = !options.subjects.empty() && options.subjects[0].ends_with(".onnx");
  const PredictSubject subject = options.list               ? PredictSubject::kernel_list
                                 : !options.kernels.empty() ? PredictSubject::kernel
                                 : computation              ? PredictSubject::computation
                                 : is_network               ? PredictSubject::network
                                                            : PredictSubject::result;
  if (auto fine = check_foreign(options, subject); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  return subject;
}

}  // namespace ridge::cli
