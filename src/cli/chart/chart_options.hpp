// The command line of `ridge chart`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/point_figures.hpp"
#include "core/identity/isa.hpp"
#include "core/identity/level.hpp"
#include "core/result.hpp"
#include "core/value/specification.hpp"

namespace ridge::cli {

struct ChartOptions {
  std::vector<std::string> results;       ///< the words that are no options
  std::vector<std::string> on;            ///< machines
  std::vector<std::string> own_machines;  ///< --machine: clocks and widths, or a file
  std::vector<std::string> kernels;       ///< "gemm n=5000 time=1.4"
  std::vector<std::string> points;        ///< files
  FigureOptions figures;                  ///< of one computation
  std::vector<std::string> precisions;
  std::vector<std::string> isas;
  std::vector<std::string> ceilings;
  std::vector<std::string> levels;
  std::vector<std::string> only;
  std::optional<std::string> basis;
  std::optional<std::string> pipes;
  std::optional<std::string> axes;
  std::optional<std::string> style;
  std::optional<std::string> title;
  std::optional<std::string> output;
  bool spectrum = false;
  bool force = false;
  bool json = false;
  bool ascii = false;
};

/// What the words of the options mean.
struct ChartWords {
  std::vector<Level> levels;  ///< empty: as `memory_only` says
  std::optional<bool> memory_only;
  std::vector<Isa> isas;
  bool no_fma = false;
  bool no_simd = false;
  bool one_core = false;
  std::optional<Basis> basis;
  std::optional<Pipes> pipes;
  bool powers_of_two = false;
};

/// nullopt when --help was asked for and printed. Errors: `usage`.
[[nodiscard]] Result<std::optional<ChartOptions>> parse_chart_options(
    const std::vector<std::string>& arguments);

/// Errors: `usage` for a word that there is not, with those that there are.
[[nodiscard]] Result<ChartWords> chart_words(const ChartOptions& options);

/// Of --work, --bytes and the like any is given.
[[nodiscard]] bool has_figures(const FigureOptions& figures);

}  // namespace ridge::cli
