#include "render/document/run/markdown_report.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "render/chart/ceiling_figures.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/communication_text.hpp"
#include "render/document/run/first_screen.hpp"
#include "render/document/run/library_table.hpp"
#include "render/document/run/loop_cells.hpp"
#include "render/document/run/mpi_table.hpp"
#include "render/document/run/node_table.hpp"
#include "render/document/run/report_facts.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"

namespace ridge::render {
namespace {

std::string fraction(const std::optional<Bound>& bound) {
  return percent(bound ? bound->fraction : std::nullopt);
}

std::string where_cell(const Region& region) {
  const std::string whole = source_location(region);
  const std::string place = whole.substr(whole.find_last_of('/') + 1);
  const std::string name = markdown_code(brief_name(plain_name(region)));
  return place.empty() ? name : fmt::format("{} {}", name, markdown_code(place));
}

std::vector<std::string> heading(const Selection& selection) {
  const bool floating = selection.work == CountedWork::flops;
  const std::string rate(units_of(selection.work).rate_title);
  std::vector<std::string> cells{"loop"};
  if (floating) {
    cells.emplace_back("bound by");
  }
  cells.insert(cells.end(), {"#", "time", rate, "I at level"});
  for (const Level level : selection.levels) {
    cells.push_back(fmt::format("I {}", to_string(level)));
  }
  if (floating) {
    for (const char* title : {"% of code's roof", "% of machine's roof", "gain"}) {
      cells.emplace_back(title);
    }
  }
  return cells;
}

std::vector<std::string> cells_of(const ShownRegion& row, const Selection& selection) {
  const bool floating = selection.work == CountedWork::flops;
  std::vector<std::string> cells{where_cell(*row.region)};
  if (floating) {
    cells.push_back(markdown_text(bound_cell(row, false, true)));
  }
  cells.insert(cells.end(), {fmt::format("{}{}{}", row.rank, row.region->overlaps ? "+" : "",
                                         row.region->partial ? "\\*" : ""),
                             fmt::format("{}{}", row.uncertain ? "\\~" : "", percent(row.share, 1)),
                             rate_cell(row), binding_cell(row, selection)});
  for (const LevelFigures& level : row.levels) {
    cells.push_back(row.has_work ? intensity_cell(level) : std::string(kUnknown));
  }
  if (!floating) {
    return cells;
  }
  cells.push_back(row.prediction != nullptr ? fraction(row.prediction->code)
                                            : std::string(kUnknown));
  cells.push_back(row.prediction != nullptr ? fraction(row.prediction->machine)
                                            : std::string(kUnknown));
  cells.push_back(row.gain ? fmt::format("{:.2f}x", *row.gain) : std::string(kUnknown));
  return cells;
}

std::string loop_rows(const Selection& selection) {
  if (selection.shown.empty()) {
    return {};
  }
  const std::size_t words = selection.work == CountedWork::flops ? 2 : 1;
  MarkdownTable table(heading(selection), words);
  for (const ShownRegion& row : selection.shown) {
    table.add(cells_of(row, selection));
  }
  return table.text();
}

std::string legend(const Selection& selection) {
  const bool floating = selection.work == CountedWork::flops;
  std::string out = fmt::format(
      "`#`: rank by time. {}: with a unit, bytes across the level that binds, of what has little "
      "{} work. I: intensity in {}, at the level that binds and at each.{}",
      units_of(selection.work).rate_title, floating ? "floating-point" : "integer",
      units_of(selection.work).per_byte,
      floating ? " gain: speed-up of the program if the loop reached the roof of its code." : "");
  const auto any = [&](auto test) {
    return std::any_of(selection.shown.begin(), selection.shown.end(), test);
  };
  if (any([](const ShownRegion& row) { return row.uncertain; })) {
    out += " \\~: short loop, uncertain share.";
  }
  if (any([](const ShownRegion& row) { return row.region->overlaps; })) {
    out += " +: a marker, all that ran between its start and its stop.";
  }
  if (any([](const ShownRegion& row) { return row.region->partial; })) {
    out += " \\*: cut midway, counts lag behind or run ahead.";
  }
  if (any([](const ShownRegion& row) {
        return std::any_of(row.levels.begin(), row.levels.end(),
                           [](const LevelFigures& level) { return level.unbounded; });
      })) {
    out += " unb.: nothing crosses that boundary.";
  }
  if (has_doubtful_figures(selection)) {
    out += " ?: from sampled lines, which may not speak for all (`--traffic=exact` is right).";
  }
  if (selection.omitted > 0) {
    out += fmt::format(" {} more region{}: {} of the time.", selection.omitted,
                       selection.omitted == 1 ? "" : "s", percent(selection.omitted_share, 1));
  }
  return out + "\n\n";
}

std::string list_of(const char* title, const std::vector<Remark>& remarks) {
  if (remarks.empty()) {
    return {};
  }
  std::string out = fmt::format("**{}**\n\n", title);
  for (const Remark& remark : remarks) {
    out += fmt::format("- {}{}\n",
                       remark.about.empty() ? "" : fmt::format("{}: ", markdown_code(remark.about)),
                       markdown_text(remark.text));
  }
  return out + "\n";
}

std::string facts(const Profile& profile) {
  MarkdownTable table({"", ""}, 2);
  const std::string command = command_line(profile.program.argv);
  table.add({"program", markdown_code(command.empty() ? program_name(profile) : command)});
  table.add({"machine", fmt::format("{}: {}", markdown_text(profile.machine.name),
                                    markdown_text(topology_line(profile.machine)))});
  table.add({"build", markdown_text(compiler_line(profile))});
  const Totals sums = totals(profile);
  std::string totals_cell =
      profile.program.wall_seconds > Seconds(0.0)
          ? fmt::format("{} (measured)", si(profile.program.wall_seconds.value(), "s"))
          : std::string(kUnknown);
  if (sums.flops) {
    totals_cell +=
        fmt::format(", {} ({})", si(sums.flops, "Flop"), to_string(profile.origins.flops));
  }
  if (sums.outermost_bytes) {
    totals_cell += fmt::format(", {} of {} traffic ({})", si(sums.outermost_bytes, "B"),
                               to_string(sums.outermost_level), to_string(profile.origins.traffic));
  }
  table.add({"wall time, work, traffic", totals_cell});
  table.add({"measured", fmt::format("{}, ridge {}", markdown_text(profile.date),
                                     markdown_text(profile.ridge_version))});
  return table.text();
}

std::string next_steps(const Prediction& prediction) {
  if (prediction.next_steps.empty()) {
    return {};
  }
  std::string out = "**What to do next**\n\n";
  for (std::size_t i = 0; i < prediction.next_steps.size(); ++i) {
    const NextStep& step = prediction.next_steps[i];
    const std::string gain = step_gain(step);
    out += fmt::format(
        "{}. {}{}: {}\n", i + 1, gain.empty() ? "" : "**" + gain + "** ", markdown_code(step.where),
        markdown_text(step.remedy.empty() ? step.reason : step.reason + "; " + step.remedy));
  }
  return out + "\n";
}

std::string section(const LabelledResult& result, CountedWork work) {
  constexpr std::size_t kEach = 3;
  const Profile& profile = *result.profile;
  const Prediction& prediction = *result.prediction;
  const Selection selection =
      select_regions(profile, prediction, kMostTableRows, result.only, kShownShare, work);
  const std::string& verdict = prediction.verdict.empty() ? prediction.summary : prediction.verdict;
  return (verdict.empty() ? "" : markdown_text(verdict) + "\n\n") + next_steps(prediction) +
         loop_rows(selection) + legend(selection) +
         list_of("Findings", top_findings(profile, prediction, selection, kEach)) +
         node_markdown(profile) + mpi_markdown(profile) +
         communication_markdown(profile, prediction) + library_markdown(profile) + facts(profile) +
         list_of("Notes", remarks(profile, selection));
}

}  // namespace

std::string markdown_report(std::span<const LabelledResult> results, std::string_view title,
                            CountedWork work) {
  std::string out;
  for (const LabelledResult& result : results) {
    const std::string own =
        fmt::format("{} of {}", work == CountedWork::flops ? "Roofline" : "Integer roofline",
                    program_name(*result.profile));
    if (results.size() == 1) {
      out += fmt::format("# {}\n\n", markdown_text(title.empty() ? own : title));
    } else {
      out += out.empty() && !title.empty() ? fmt::format("# {}\n\n", markdown_text(title)) : "";
      out += fmt::format("## {}\n\n", markdown_text(result.label));
    }
    out += section(result, work);
  }
  return trimmed(out);
}

}  // namespace ridge::render
