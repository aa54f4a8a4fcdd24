#include "render/document/run/first_screen.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "render/chart/ceiling_figures.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/report_facts.hpp"
#include "render/format/text/paint.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMostVerdictLines = 3;
constexpr std::size_t kMostStepLines = 3;

/// "1.3", "12": two digits.
std::string factor(double gain) {
  constexpr double kWholeNumbers = 10.0;
  return fmt::format("{:.{}f}", gain, gain < kWholeNumbers ? 1 : 0);
}

/// Without a verdict of its own, as predictions made elsewhere have none: the summary.
std::string verdict_lines(const Prediction& prediction, const TextStyle& style) {
  const std::string& text = prediction.verdict.empty() ? prediction.summary : prediction.verdict;
  if (text.empty()) {
    return {};
  }
  const std::size_t width = usable_columns(style) - kIndent;
  std::vector<std::string> lines = wrap(clean(text, style.unicode), width);
  if (lines.size() > kMostVerdictLines) {
    std::string& last = lines[kMostVerdictLines - 1];
    last = shorten_end(last + " " + lines[kMostVerdictLines], width, style.unicode);
    lines.resize(kMostVerdictLines);
  }
  std::string out;
  for (const std::string& line : lines) {
    out += fmt::format("  {}\n", paint(line, kBold, style));
  }
  return out;
}

/// "f (a.cc:12) and 3 more"; outermost namespaces go where the name takes more than half a line.
std::string whom(const NextStep& step, std::size_t width, bool unicode) {
  constexpr std::size_t kLeastName = 20;
  const std::string where = clean(step.where, unicode);
  const auto place = where.ends_with(')') ? where.rfind(" (") : std::string::npos;
  const std::string name = where.substr(0, place);
  const std::string at = place == std::string::npos ? "" : where.substr(place);
  const std::size_t taken = std::min(display_width(at), width - std::min(width, kLeastName));
  const std::size_t others = step.region && !step.regions.empty() ? step.regions.size() - 1 : 0;
  return fmt::format("{}{}{}", fitted_name(name, width - taken, unicode), at,
                     others == 0 ? "" : fmt::format(" and {} more", others));
}

std::string step_lines(std::size_t number, const NextStep& step, const TextStyle& style) {
  const std::size_t width = usable_columns(style);
  const std::string gain = step_gain(step);
  const std::string head = fmt::format("{}. {}", number, gain.empty() ? "" : "[" + gain + "] ");
  const std::string remedy = step.remedy.empty() ? "" : "; " + step.remedy;
  const std::string text = fmt::format("{}{}: {}", head, whom(step, width / 2, style.unicode),
                                       clean(step.reason + remedy, style.unicode));
  constexpr std::size_t kHanging = 3;
  std::vector<std::string> lines = wrap(text, width - kIndent - kHanging);
  if (lines.size() > kMostStepLines) {
    std::string& last = lines[kMostStepLines - 1];
    last =
        shorten_end(last + " " + lines[kMostStepLines], width - kIndent - kHanging, style.unicode);
    lines.resize(kMostStepLines);
  }
  std::string out;
  for (const std::string& line : lines) {
    const bool is_first = out.empty();
    const std::size_t bold = is_first && line.starts_with(head) ? head.size() : 0;
    out += std::string(kIndent + (is_first ? 0 : kHanging), ' ') +
           paint(line.substr(0, bold), kBold, style) + line.substr(bold) + "\n";
  }
  return out;
}

std::string steps(const Prediction& prediction, const TextStyle& style) {
  if (prediction.next_steps.empty()) {
    return {};
  }
  const bool any_gain = std::any_of(prediction.next_steps.begin(), prediction.next_steps.end(),
                                    [](const NextStep& step) { return bool(step.gain_program); });
  std::string out =
      fmt::format("\n  {}{}\n", paint("What to do next", kBold, style),
                  paint(any_gain ? " (the program becomes N times as fast)" : "", kDim, style));
  for (std::size_t i = 0; i < prediction.next_steps.size() && i < kMostNextSteps; ++i) {
    out += step_lines(i + 1, prediction.next_steps[i], style);
  }
  return out;
}

/// "multi: 795 ms, exit code 0; AMD EPYC (Zen 4): 2 cores, 2 threads".
std::string run_line(const Profile& profile, const TextStyle& style) {
  const std::size_t width = usable_columns(style) - kIndent;
  const auto seconds = profile.program.wall_seconds;
  const std::string took =
      seconds > Seconds(0.0) ? si(seconds.value(), "s") : std::string("wall time unknown");
  const std::string end = ending(profile);
  const std::string topology = topology_line(profile.machine, style.unicode);
  const std::string machine = topology.substr(0, topology.find(';'));
  const std::string tail =
      fmt::format("{}{}{}; {}", took, end.empty() ? "" : ", ", end,
                  profile.machine.name.empty() ? machine : profile.machine.name + ": " + machine);
  const std::string program = program_name(profile, style.unicode);
  const std::string line = fmt::format("{}: {}", program, clean(tail, style.unicode));
  return fmt::format("\n  {}\n", shorten_end(line, width, style.unicode));
}

}  // namespace

std::string step_gain(const NextStep& step) {
  constexpr double kNothing = 1.05;
  if (!step.gain_program) {
    return {};
  }
  const std::string high = factor(step.gain_program->high);
  const std::string low = factor(step.gain_program->low);
  if (step.is_bound) {
    return fmt::format("at most {}x", high);
  }
  if (step.gain_program->low < kNothing) {
    return fmt::format("up to {}x", high);
  }
  return low == high ? fmt::format("about {}x", high) : fmt::format("{} to {}x", low, high);
}

std::string first_screen(const Profile& profile, const Prediction& prediction,
                         const TextStyle& style) {
  return verdict_lines(prediction, style) + steps(prediction, style) + run_line(profile, style);
}

}  // namespace ridge::render
