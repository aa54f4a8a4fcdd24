#include "cli/bench/bench_options.hpp"

#include <fmt/core.h>

#include "cli/common/help_texts.hpp"
#include "cli/common/machine_file.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

Result<void> check_file(const fs::path& file, bool force) {
  if (!force && fs::exists(file)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", file.string()), "--force overwrites it");
  }
  return check_writable(file);
}

}  // namespace

std::optional<fs::path> BenchOptions::samples_file() const {
  if (!raw) {
    return std::nullopt;
  }
  return fs::path(output.value_or("ridge") + ".samples.jsonl");
}

Result<ParseOutcome> parse_bench_options(const std::vector<std::string>& arguments,
                                         BenchOptions& options) {
  OptionParser parser("bench", embedded::bench_help);
  parser.flag("--quick", options.quick);
  parser.flag("--full", options.full);
  parser.flag("--force", options.force);
  parser.flag("--json", options.json);
  parser.flag("--table", options.table);
  parser.flag("--raw", options.raw);
  parser.flag("--mpi", options.mpi);
  parser.option("--mpi-library", options.mpi_library);
  parser.option("--machine", options.machine);
  parser.option("--show", options.show);
  parser.option("--threads", options.threads);
  parser.option("--wait", options.wait);
  parser.option("--only", options.only);
  parser.option("-o,--output", options.output);
  return parser.parse(arguments);
}

Result<void> check_bench_options(const BenchOptions& options) {
  if (options.quick && options.full) {
    return fail(ErrorCode::usage, "--quick and --full exclude each other");
  }
  if (options.json && options.table) {
    return fail(ErrorCode::usage, "--json and --table exclude each other");
  }
  if (options.mpi && (options.raw || options.show || options.wait || !options.threads.empty() ||
                      !options.only.empty())) {
    return fail(ErrorCode::usage,
                "--mpi measures the links between ranks, and goes with --quick, --full, --table, "
                "--json, -o and --force alone");
  }
  if ((options.mpi_library || options.machine) && !options.mpi) {
    return fail(ErrorCode::usage,
                options.machine ? "--machine needs --mpi" : "--mpi-library needs --mpi");
  }
  for (const auto& file : {options.output ? std::optional<fs::path>(*options.output) : std::nullopt,
                           options.samples_file()}) {
    if (file) {
      if (auto fine = check_file(*file, options.force); !fine) {
        return fine;
      }
    }
  }
  return {};
}

}  // namespace ridge::cli
