// What `ridge chart` draws: from options to lines and dots.
#pragma once

#include <string>
#include <vector>

#include "cli/chart/chart_options.hpp"
#include "cli/common/demand_subject.hpp"
#include "cli/common/result_file.hpp"
#include "core/result.hpp"
#include "core/value/roofline_chart.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::cli {

/// RESULT arguments, what of them is drawn, and whose machine each was measured on.
struct ChartResults {
  std::vector<StoredResult> results;
  std::vector<std::vector<std::uint32_t>> only;  ///< of each: ids of regions; empty: the hottest
  /// Of results without --on and --machine: their machines, each once. A machine file among the
  /// arguments is one of them.
  std::vector<TargetMachine> machines;
  std::vector<std::string> machine_of;  ///< of each result: key in `machines`; empty: none
};

/// Errors: `bad_input` for a file that is neither result nor machine; those of --only.
[[nodiscard]] Result<ChartResults> read_chart_results(const ChartOptions& options);

/// Dots of the loops.
void add_loops(const ChartResults& results, const std::vector<Level>& levels, RooflineChart& chart);

/// The whole of it. Errors: those of the options, machines, kernels, points and results.
[[nodiscard]] Result<RooflineChart> chart_content(const ChartOptions& options,
                                                  const ChartWords& words);

}  // namespace ridge::cli
