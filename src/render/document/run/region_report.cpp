#include "render/document/run/region_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/value/region_names.hpp"
#include "render/chart/balance.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/rank_table.hpp"
#include "render/document/run/region_code_text.hpp"
#include "render/document/run/report_facts.hpp"
#include "render/document/run/work_words.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

class Report {
 public:
  explicit Report(const TextStyle& style) : style_(style) {}

  void heading(std::string_view title, std::string_view origin = {}) {
    out_ += fmt::format("\n  {}{}\n", paint(title, kBold, style_),
                        origin.empty() ? "" : fmt::format(" ({})", origin));
  }
  /// Nothing for an empty text.
  void line(std::string_view text, std::size_t indent = 4) {
    if (text.empty()) {
      return;
    }
    std::size_t at = indent;
    for (const std::string& part :
         wrap(clean(text, style_.unicode), usable_columns(style_) - indent - 2)) {
      out_ += std::string(at, ' ') + part + "\n";
      at = indent + 2;
    }
  }
  void verbatim(const std::string& text) { out_ += text; }
  [[nodiscard]] const TextStyle& style() const { return style_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  const TextStyle& style_;
  std::string out_;
};

std::string sampled(const SampledTime& time) {
  if (time.samples == 0) {
    return time.low == time.high
               ? fmt::format("{}, measured as a whole", si(time.value.value(), "s"))
               : fmt::format("{} ({} to {}, of repetitions)", si(time.value.value(), "s"),
                             si(time.low.value(), "s"), si(time.high.value(), "s"));
  }
  return fmt::format("{} ({} to {}, 80 % interval, {} samples)", si(time.value.value(), "s"),
                     si(time.low.value(), "s"), si(time.high.value(), "s"), time.samples);
}

std::string trip_words(const Region& region) {
  if (!region.trip_counts) {
    return "";
  }
  const TripCounts& trips = *region.trip_counts;
  return trips.shortest == trips.longest
             ? ", always as many"
             : fmt::format(", from {} to {}", grouped(trips.shortest), grouped(trips.longest));
}

std::string thread_words(const Region& region) {
  const std::string words = balance_words(region);
  const std::string rank = of_its_rank(region);
  return words.empty() || rank.empty() ? words : fmt::format("{} (threads{})", words, rank);
}

/// Counted, so not rounded where it is whole: 1022, not 1020.
std::string mean_words(std::uint64_t iterations, std::uint64_t entries) {
  const double mean = static_cast<double>(iterations) / static_cast<double>(entries);
  constexpr double kWithDigitsBehind = 1000.0;
  return iterations % entries == 0  ? grouped(iterations / entries)
         : mean < kWithDigitsBehind ? number(mean)
                                    : grouped((iterations + entries / 2) / entries);
}

/// Of the region itself.
void add_time_off_code(Report& report, const Region& region) {
  const auto add = [&](const std::optional<Seconds>& seconds, std::string_view before,
                       std::string_view after) {
    if (seconds && *seconds > Seconds(0.0)) {
      report.line(fmt::format("{} {} {}", before, si(seconds->value(), "s"), after));
    }
  };
  add(region.waited_seconds, "its threads waited", "in all for a CPU");
  add(region.asleep_seconds, "its threads slept for", "of its wall time, none was awake");
  add(region.kernel_seconds, "of its CPU time", "in the kernel");
}

void add_time(Report& report, const Profile& profile, const Region& region) {
  report.heading("Time", to_string(profile.origins.time));
  const auto& wall = region.time_seconds.self;
  const auto total = program_seconds(profile);
  if (wall) {
    const std::string share =
        total && *total > 0.0
            ? fmt::format(", {} of the program", percent(wall->value.value() / *total, 1))
            : "";
    report.line(fmt::format("wall time {}{}", sampled(*wall), share));
  } else {
    report.line("no sample fell into this region: its time is not known");
  }
  if (region.cpu_seconds.self) {
    report.line(fmt::format("CPU time of all threads {}; {} thread{} at most at once",
                            sampled(*region.cpu_seconds.self), region.threads,
                            region.threads == 1 ? "" : "s"));
  }
  add_time_off_code(report, region);
  for (const std::string& line : page_words(region)) {
    report.line(line);
  }
  if (region.entries.value_or(0) > 0) {
    std::string text = fmt::format("entered {} times", grouped(*region.entries));
    if (region.iterations) {
      text += fmt::format("; {} iterations, {} each time on average{} (counted)",
                          grouped(*region.iterations),
                          mean_words(*region.iterations, *region.entries), trip_words(region));
    }
    report.line(text);
  }
  report.line(caller_words(region));
  report.line(thread_words(region));
  report.line(region.partial ? "cut midway when the program ended: counts lag behind or run ahead"
                             : "");
}

std::string bound_text(std::string_view what, const Bound& bound) {
  const std::string unit(to_string(bound.unit));
  std::string text = fmt::format("{}: {}, at most {}", what, ceiling_words(bound.ceiling),
                                 si(bound.attainable, unit));
  if (bound.fraction) {
    text += fmt::format("; reached {}", percent(*bound.fraction));
  }
  if (bound.next) {
    text += fmt::format("; once that is lifted: {}", ceiling_words(*bound.next));
    text += bound.next_attainable ? fmt::format(" at {}", si(*bound.next_attainable, unit)) : "";
  }
  return text;
}

void add_bound(Report& report, const RegionPrediction* prediction) {
  report.heading("Bound", "modelled from measured ceilings and the work and traffic below");
  if (prediction != nullptr && prediction->verdict) {
    report.line(prediction->verdict->text);
  }
  if (prediction == nullptr || !prediction->code) {
    report.line(is_outside_code(prediction)
                    ? ""
                    : "no roof is known: no work and no traffic, or no ceiling for them");
  } else {
    report.line(bound_text("this code", *prediction->code));
    if (prediction->machine) {
      report.line(bound_text("the machine (best instructions, all cores)", *prediction->machine));
    }
  }
  for (std::size_t i = 0; prediction != nullptr && i < prediction->notes.size(); ++i) {
    report.line(prediction->notes[i].text);
  }
}

std::optional<double> bytes_at(const TrafficByLevel& traffic, Level level) {
  const auto found = traffic.find(level);
  return found == traffic.end() ? std::nullopt
                                : std::optional(static_cast<double>(found->second.total()));
}

void add_traffic(Report& report, const Profile& profile, const Region& region) {
  TextColumn level{"level", {}, 4, true, 0, {}, {}, {}, 0, {}};
  TextColumn read{"read", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn written{"written", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn rate{"per second", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn least{"least", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn excess{"excess", {}, 2, false, 0, {}, {}, {}, 0, {}};
  const auto& time = region.time_seconds.self;
  for (const Level at : levels_of(profile)) {
    const auto bytes = bytes_at(region.traffic, at);
    if (!bytes) {
      continue;
    }
    const auto needed = bytes_at(region.least_traffic, at);
    const Traffic& crossing = region.traffic.at(at);
    level.cells.emplace_back(to_string(at));
    read.cells.push_back(si(static_cast<double>(crossing.read), "B"));
    written.cells.push_back(si(static_cast<double>(crossing.written), "B"));
    rate.cells.push_back(time && time->value > Seconds(0.0)
                             ? si(*bytes / time->value.value(), "B/s")
                             : std::string(kUnknown));
    least.cells.push_back(si(needed, "B"));
    excess.cells.push_back(needed && *needed > 0.0 ? fmt::format("{:.2f}", *bytes / *needed)
                                                   : std::string(kUnknown));
  }
  if (level.cells.empty()) {
    return;
  }
  report.heading("Traffic by level",
                 fmt::format("L1 {}, beyond it {}", to_string(origins_of(region, profile).bytes),
                             to_string(profile.origins.traffic)));
  report.verbatim(render_table({level, read, written, rate, least, excess},
                               usable_columns(report.style()), report.style()));
  report.line("least: distinct lines touched, over the whole run; excess: traffic over least");
  for (const std::string& line : line_words(region)) {
    report.line(line);
  }
  for (const auto& [boundary, interval] : region.traffic_interval) {
    report.line(clean(fmt::format("{}: {} to {}, as the threads divide the work while they run",
                                  to_string(boundary), si(static_cast<double>(interval.low), "B"),
                                  si(static_cast<double>(interval.high), "B")),
                      report.style().unicode));
  }
  for (const auto& [name, traffic] : region.traffic_elsewhere) {
    std::string levels;
    for (const auto& [boundary, crossing] : traffic) {
      levels += fmt::format("{}{} {}", levels.empty() ? "" : ", ", to_string(boundary),
                            si(static_cast<double>(crossing.total()), "B"));
    }
    report.line(
        clean(fmt::format("on the caches of {}: {}", name, levels), report.style().unicode));
  }
  for (const auto& [share, crossing] : region.traffic_at_share) {
    report.line(fmt::format("memory traffic if only {} of the last cache were ours: {}", share,
                            si(static_cast<double>(crossing.total()), "B")));
  }
}

void add_findings(Report& report, const std::vector<Finding>& findings) {
  report.heading("Findings");
  if (findings.empty()) {
    report.line("none: no rule fires on what is known");
  }
  for (const Finding& finding : findings) {
    report.line(fmt::format("{}: {}", finding.code, finding_text(finding)));
    std::string evidence;
    for (const auto& [name, value] : finding.evidence) {
      evidence += fmt::format("{}{} = {}", evidence.empty() ? "" : ", ", name, number(value));
    }
    report.line(evidence, 6);
    if (!finding.gain && finding.gain_note) {
      report.line(fmt::format("no speed-up: {}", *finding.gain_note), 6);
    }
  }
}

/// What a region at work did; waiting does nothing of it.
void add_counts(Report& report, const Profile& profile, const Region& region,
                const RegionPrediction* predicted) {
  add_bound(report, predicted);
  report.heading("Work", to_string(origins_of(region, profile).flops));
  for (const std::string& line : work_lines(region)) {
    report.line(line);
  }
  report.heading("Accesses in loops", to_string(origins_of(region, profile).bytes));
  for (const std::string& line : access_lines(region)) {
    report.line(line);
  }
  add_traffic(report, profile, region);
}

}  // namespace

std::string region_report(const Profile& profile, const Prediction& prediction,
                          const Region& region, const std::optional<std::string>& source,
                          const TextStyle& style) {
  Report report(style);
  report.verbatim(
      "  " + paint(where(region, usable_columns(style) - 2, style.unicode), kBold, style) + "\n");
  report.verbatim(source_text(region, source, style));
  report.verbatim(block_text(region, style));
  add_time(report, profile, region);
  const RegionPrediction* predicted = find_prediction(prediction, region.id);
  if (!is_waiting(region)) {
    add_counts(report, profile, region, predicted);
  }
  if (region.ranks) {
    report.heading("Ranks");
    report.verbatim(region_ranks_text(region, style));
  }
  add_findings(report, findings_of(predicted));
  if (!region.notes.empty()) {
    report.heading("Notes");
    for (const Note& note : region.notes) {
      report.line(fmt::format("{}: {}", note.code, note.text));
    }
  }
  return report.take();
}

}  // namespace ridge::render
