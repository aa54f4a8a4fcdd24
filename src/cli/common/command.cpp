#include "cli/common/command.hpp"

#include <algorithm>
#include <array>

namespace ridge::cli {
namespace {

constexpr std::array kCommands{
    Command{"bench", "characterise this machine: every roof, measured", run_bench},
    Command{"run", "measure a program and place every hot loop on the roof", run_run},
    Command{"merge", "ranks of a parallel program joined into one result", run_merge},
    Command{"machines", "what is published about machines: peaks, bandwidths, ridge points",
            run_machines},
    Command{"model", "how fast a loop could be, from its source, before it runs", run_model},
    Command{"predict", "what a kernel could reach on machines that need not be here", run_predict},
    Command{"chart", "one roofline chart: machines, kernels, points and measured loops", run_chart},
    Command{"spmv", "a sparse matrix: what limits its product, which format to use", run_spmv},
    Command{"compare", "what changed between results, loop by loop; a gate for CI", run_compare},
    Command{"serve", "a local page over stored results", run_serve},
    Command{"import", "what other tools measured, as a result of Ridge", run_import},
    Command{"report", "stored results as pictures, tables and pages", run_report},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == kCommands.end() ? nullptr : &*found;
}

}  // namespace ridge::cli
