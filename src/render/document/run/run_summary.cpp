#include "render/document/run/run_summary.hpp"

#include <fmt/format.h>

#include "render/chart/ceiling_figures.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/communication_text.hpp"
#include "render/document/run/elsewhere_table.hpp"
#include "render/document/run/first_screen.hpp"
#include "render/document/run/library_table.hpp"
#include "render/document/run/loop_table.hpp"
#include "render/document/run/mpi_table.hpp"
#include "render/document/run/node_table.hpp"
#include "render/document/run/process_table.hpp"
#include "render/document/run/rank_table.hpp"
#include "render/document/run/report_facts.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/roofline_chart.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMostRemarks = 16;

std::string indented(const std::string& text, Paint how, const TextStyle& style,
                     std::size_t indent = kIndent) {
  std::string out;
  std::size_t at = kIndent;
  for (const std::string& line : wrap(text, usable_columns(style) - indent)) {
    out += std::string(at, ' ') + paint(line, how, style) + "\n";
    at = indent;
  }
  return out;
}

/// "7.21 s, 160 GFlop, 22.2 GFlop/s, 961 GB from DRAM; exit code 0".
std::string totals_line(const Profile& profile) {
  const Totals sums = totals(profile);
  std::string line = "wall time " + (profile.program.wall_seconds > Seconds(0.0)
                                         ? si(profile.program.wall_seconds.value(), "s")
                                         : std::string(kUnknown));
  if (sums.flops) {
    line += fmt::format(", {}", si(sums.flops, "Flop"));
  }
  if (sums.flops_per_second) {
    line += fmt::format(", {}", si(sums.flops_per_second, "Flop/s"));
  }
  if (sums.outermost_bytes) {
    line += fmt::format(", {} of {} traffic ({})", si(sums.outermost_bytes, "B"),
                        to_string(sums.outermost_level), to_string(profile.origins.traffic));
  }
  const std::string end = ending(profile);
  return clean(end.empty() ? line : line + "; " + end);
}

/// What was run where, in full.
std::string about_the_run(const Profile& profile, const TextStyle& style) {
  const bool unicode = style.unicode;
  const std::string command = command_line(profile.program.argv, unicode);
  std::string out =
      "\n" + indented(command.empty() ? program_name(profile, unicode) : command, kBold, style);
  const std::string machine = clean(profile.machine.name, unicode);
  out += indented(fmt::format("{}: {}", machine, topology_line(profile.machine, unicode)), kPlain,
                  style);
  out += indented(clean(compiler_line(profile), unicode), kPlain, style);
  out += indented(clean(totals_line(profile), unicode), kPlain, style);
  const Totals sums = totals(profile);
  if (sums.samples > 0) {
    out += indented(fmt::format("{} samples of time, {} not attributed to a region", sums.samples,
                                unattributed_words(profile)),
                    kDim, style);
  }
  return out;
}

/// What stands in the way of the hottest regions.
std::string findings(const Profile& profile, const Prediction& prediction, const TextStyle& style) {
  constexpr std::size_t kEach = 3;
  constexpr std::size_t kMost = 9;
  constexpr std::size_t kHottest = 8;
  const auto all =
      top_findings(profile, prediction, select_regions(profile, prediction, kHottest), kEach);
  if (all.empty()) {
    return {};
  }
  std::string out = fmt::format("\n  {}\n", paint("Findings", kBold, style));
  for (std::size_t i = 0; i < all.size() && i < kMost; ++i) {
    out += indented("- " + clean(fmt::format("{}: {}", all[i].about, all[i].text), style.unicode),
                    kPlain, style, kIndent + 2);
  }
  return out + indented("ridge report RESULT --explain NUMBER says everything about one region",
                        kDim, style);
}

std::string notes(const Profile& profile, const Prediction& prediction, const TextStyle& style) {
  const auto all = remarks(profile, select_regions(profile, prediction, kMostTableRows));
  if (all.empty()) {
    return {};
  }
  std::string out = fmt::format("\n  {}\n", paint("Notes", kBold, style));
  for (std::size_t i = 0; i < all.size() && i < kMostRemarks; ++i) {
    const std::string text =
        all[i].about.empty() ? all[i].text : fmt::format("{}: {}", all[i].about, all[i].text);
    out += indented("- " + clean(text, style.unicode), kPlain, style, kIndent + 2);
  }
  if (all.size() > kMostRemarks) {
    out += indented(fmt::format("- {} more in the HTML report", all.size() - kMostRemarks), kDim,
                    style);
  }
  return out;
}

}  // namespace

std::string run_summary(const Profile& profile, const Prediction& prediction,
                        const TextStyle& style, CountedWork work) {
  std::string out = first_screen(profile, prediction, style) + "\n";
  out += roofline_chart(profile, prediction, style, {}, work) + "\n";
  out += loop_table(profile, prediction, style, {}, work);
  out += rank_table(profile, prediction, style);
  out += node_table(profile, style);
  out += elsewhere_table(profile, prediction, style);
  out += findings(profile, prediction, style);
  out += about_the_run(profile, style);
  out += mpi_table(profile, style);
  out += communication_text(profile, prediction, style);
  out += library_table(profile, style);
  out += process_table(profile, style);
  out += notes(profile, prediction, style);
  return out;
}

}  // namespace ridge::render
