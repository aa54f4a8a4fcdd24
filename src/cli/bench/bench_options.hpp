// The command line of `ridge bench`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/kernel_table.hpp"
#include "bench/quiet_wait.hpp"
#include "cli/common/option_parser.hpp"
#include "core/quantity/units.hpp"
#include "core/result.hpp"

namespace ridge::cli {

struct BenchOptions {
  bool quick = false;
  bool full = false;
  bool force = false;
  bool json = false;
  bool table = false;  ///< every ceiling instead of the summary
  bool raw = false;
  bool mpi = false;                        ///< the links between ranks instead of the roofs
  std::optional<std::string> mpi_library;  ///< that carries the messages
  std::optional<std::string> machine;      ///< file that the links are added to
  std::optional<std::string> show;         ///< a kernel, instead of measuring
  std::optional<unsigned> wait;            ///< most seconds to wait for other programs
  std::vector<unsigned> threads;
  std::vector<std::string> only;
  std::optional<std::string> output;

  [[nodiscard]] bench::Effort effort() const {
    return full ? bench::Effort::full : quick ? bench::Effort::quick : bench::Effort::standard;
  }
  [[nodiscard]] Seconds quiet_limit() const {
    return wait ? Seconds{static_cast<double>(*wait)} : bench::quiet_limit(effort());
  }
  /// Where `--raw` keeps the samples: beside the output file, or in the working folder.
  [[nodiscard]] std::optional<std::filesystem::path> samples_file() const;
};

/// Errors: `usage`.
[[nodiscard]] Result<ParseOutcome> parse_bench_options(const std::vector<std::string>& arguments,
                                                       BenchOptions& options);

/// Everything that can be refused before a minute is spent. Errors: `usage` for options that
/// contradict each other and for files that exist; `write_failed`.
[[nodiscard]] Result<void> check_bench_options(const BenchOptions& options);

}  // namespace ridge::cli
