#include "render/document/chart/machines_chart.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "render/chart/extent.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostRegions = 120;
constexpr std::size_t kMostLabels = 14;    ///< more names do not find room beside their dots
constexpr std::size_t kMostNumbers = 40;   ///< likewise of numbers
constexpr std::size_t kLongestLabel = 18;  ///< columns
constexpr double kSameRate = 1.005;
/// An intensity beyond it does not widen the axis for the spectrum's sake.
constexpr double kFurthestOfSpectrum = 1e4;

bool is_peak(const RooflineLine& line) {
  return !line.level && line.kind == RooflineKind::roof;
}

class Picture {
 public:
  explicit Picture(const RooflineChart& data, bool powers_of_two)
      : data_(data), count_(std::min(data.machines.size(), most_machines())) {
    chart_.powers_of_two = powers_of_two;
    for (const RooflineMachine& machine : data.machines) {
      for (const RooflineLine& line : machine.lines) {
        if (line.precision) {
          precisions_.insert(*line.precision);
        }
      }
    }
  }

  Chart make() && {
    chart_.title = clean(data_.title);
    if (count_ == 1) {
      one_machine(data_.machines.front());
    } else {
      several_machines();
    }
    dots();
    words();
    scales();
    return std::move(chart_);
  }

 private:
  void one_machine(const RooflineMachine& machine);
  void several_machines();
  void add_machine(std::size_t index);
  void add_ceiling(const RooflineLine& line, std::string words, std::optional<std::size_t> at);
  void dots();
  void add_dot(const RooflineDot& dot);
  void names_or_numbers();
  void words();
  void scales();
  [[nodiscard]] std::size_t level_index(const std::string& name);
  [[nodiscard]] std::size_t look_of(const RooflineDot& dot);
  /// Without the precision where all lines have the same.
  [[nodiscard]] std::string brief(const RooflineLine& line) const;

  const RooflineChart& data_;
  std::size_t count_;
  std::set<std::string> precisions_;
  std::vector<std::pair<std::string, std::string>> drawn_;  ///< name and machine of each region
  bool foreign_ = false;                                    ///< dots of none of the machines
  Chart chart_;
};

/// Highest compute rate of a kind; nullopt: none.
std::optional<double> highest(const RooflineMachine& machine, RooflineKind kind) {
  std::optional<double> rate;
  for (const RooflineLine& line : machine.lines) {
    if (!line.level && line.kind == kind && drawable(line.rate)) {
      rate = std::max(rate.value_or(0.0), line.rate);
    }
  }
  return rate;
}

std::string Picture::brief(const RooflineLine& line) const {
  std::string words = line.words;
  if (precisions_.size() == 1 && line.precision && words.starts_with(*line.precision + " ")) {
    words.erase(0, line.precision->size() + 1);
  }
  return clean(words);
}

std::size_t Picture::level_index(const std::string& name) {
  const auto at = std::find(chart_.levels.begin(), chart_.levels.end(), name);
  if (at != chart_.levels.end()) {
    return static_cast<std::size_t>(at - chart_.levels.begin());
  }
  chart_.levels.push_back(name);
  return chart_.levels.size() - 1;
}

/// A line that another one of the machine covers gives it its name.
void Picture::add_ceiling(const RooflineLine& line, std::string words,
                          std::optional<std::size_t> at) {
  for (ComputeCeiling& other : chart_.lower_ceilings) {
    const double ratio = other.flops_per_second / line.rate;
    if (other.at == at && ratio < kSameRate && ratio > 1.0 / kSameRate) {
      other.words += ", " + brief(line);
      other.label = fmt::format("{} {}", other.words, si(other.flops_per_second, "Flop/s"));
      return;
    }
  }
  const std::string label = fmt::format("{} {}", words, si(line.rate, "Flop/s"));
  const auto peak = at ? chart_.roofs[*at].peak : std::nullopt;
  chart_.lower_ceilings.push_back({std::move(words), label, line.rate, at,
                                   at && (line.kind != RooflineKind::roof || line.rate < peak)});
}

void Picture::one_machine(const RooflineMachine& machine) {
  const auto one_core = highest(machine, RooflineKind::one_core);
  for (const RooflineLine& line : machine.lines) {
    if (line.level && drawable(line.rate)) {
      const bool lower = line.kind != RooflineKind::roof;
      chart_.roofs.push_back({level_index(std::string(to_string(*line.level))), line.rate,
                              fmt::format("{} {}", clean(line.words), si(line.rate, "B/s")),
                              lower ? one_core : std::nullopt, false, std::nullopt, lower});
    }
  }
  const RooflineLine* roof = nullptr;
  for (const RooflineLine& line : machine.lines) {
    if (is_peak(line) && drawable(line.rate) && (roof == nullptr || line.rate > roof->rate)) {
      roof = &line;
    }
  }
  if (roof != nullptr) {
    chart_.roof = ComputeCeiling{clean(roof->words),
                                 fmt::format("{} {}", clean(roof->words), si(roof->rate, "Flop/s")),
                                 roof->rate};
  }
  for (const RooflineLine& line : machine.lines) {
    if (!line.level && &line != roof && drawable(line.rate)) {
      add_ceiling(line, clean(line.words), std::nullopt);
    }
  }
}

void Picture::add_machine(std::size_t index) {
  const RooflineMachine& machine = data_.machines[index];
  const std::string key = clean(machine.key);
  chart_.levels.emplace_back(level_style_at(index).name);
  const auto peak = highest(machine, RooflineKind::roof);
  const auto one_core = highest(machine, RooflineKind::one_core);
  std::optional<std::size_t> steepest;
  std::optional<std::size_t> outermost;
  for (const RooflineLine& line : machine.lines) {
    if (!line.level || !drawable(line.rate)) {
      continue;
    }
    const bool lower = line.kind != RooflineKind::roof;
    chart_.roofs.push_back({index, line.rate,
                            fmt::format("{} {} {}", key, clean(line.words), si(line.rate, "B/s")),
                            lower ? one_core : peak, false, std::nullopt, lower});
    const std::size_t last = chart_.roofs.size() - 1;
    if (!lower && (!steepest || line.rate > chart_.roofs[*steepest].bytes_per_second)) {
      steepest = last;
    }
    outermost = lower ? outermost : last;
  }
  // In a column of a paper there is no room for all names along the lines.
  std::string told = peak ? si(*peak, "Flop/s") : std::string();
  if (outermost) {
    told += fmt::format("{}{}", told.empty() ? "" : ", ",
                        si(chart_.roofs[*outermost].bytes_per_second, "B/s"));
  }
  chart_.legend.push_back({index, told.empty() ? key : fmt::format("{}: {}", key, told)});
  for (const RooflineLine& line : machine.lines) {
    if (!line.level && drawable(line.rate)) {
      const bool alone = is_peak(line) && precisions_.size() == 1 && brief(line) == *line.precision;
      add_ceiling(line, alone ? key : fmt::format("{} {}", key, brief(line)), steepest);
    }
  }
}

void Picture::several_machines() {
  for (std::size_t i = 0; i < count_; ++i) {
    add_machine(i);
  }
}

std::size_t Picture::look_of(const RooflineDot& dot) {
  if (count_ == 1) {
    return level_index(clean(dot.level));
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (dot.machine == data_.machines[i].key) {
      return i;
    }
  }
  if (!foreign_) {
    foreign_ = true;
    chart_.levels.emplace_back(level_style_at(count_).name);
    chart_.legend.push_back({count_, "another or unknown machine"});
  }
  return count_;
}

/// To the region of this name on this machine: what the roofs allow first, since the last dot has
/// the name.
void Picture::add_dot(const RooflineDot& dot) {
  const std::pair identity{dot.name, dot.machine.value_or("")};
  const auto known = std::find(drawn_.begin(), drawn_.end(), identity);
  const auto at = static_cast<std::size_t>(known - drawn_.begin());
  if (known == drawn_.end()) {
    if (drawn_.size() == kMostRegions) {
      return;
    }
    drawn_.push_back(identity);
    ChartRegion region;
    region.title = region.short_name = region.name = clean(dot.name);
    region.share = dot.share.value_or(0.0);
    chart_.regions.push_back(std::move(region));
  }
  ChartRegion& region = chart_.regions[at];
  ChartDot drawn{look_of(dot), dot.intensity, dot.performance};
  drawn.hollow = !dot.measured;
  region.dots.insert(dot.measured ? region.dots.end() : region.dots.begin(), drawn);
  region.flops_per_second = *region.dots.back().flops_per_second;
  region.title +=
      fmt::format("; {}{} {}: {} flop/byte, {}", dot.machine ? clean(*dot.machine) + ", " : "",
                  clean(dot.level), dot.measured ? "measured" : "attainable", number(dot.intensity),
                  si(dot.performance, "Flop/s"));
}

void Picture::names_or_numbers() {
  std::vector<std::string> names;  // the table numbers all of them, drawn or not
  for (const RooflineDot& dot : data_.dots) {
    if (std::find(names.begin(), names.end(), clean(dot.name)) == names.end()) {
      names.push_back(clean(dot.name));
    }
  }
  bool brief = chart_.regions.size() <= kMostLabels;
  for (const ChartRegion& region : chart_.regions) {
    brief = brief && display_width(region.name) <= kLongestLabel;
  }
  const bool each = chart_.regions.size() <= kMostNumbers;
  std::vector<bool> told(names.size(), false);
  // Where not all dots can carry a number, what was measured does, else those of the last machine.
  for (const bool measured : {true, false}) {
    for (auto region = chart_.regions.rbegin(); region != chart_.regions.rend(); ++region) {
      if (region->dots.back().hollow == measured) {
        continue;
      }
      const auto at = static_cast<std::size_t>(
          std::find(names.begin(), names.end(), region->short_name) - names.begin());
      region->rank = each || !told[at] ? static_cast<unsigned>(at + 1) : 0;
      region->label = brief ? region->short_name : "";
      if (told[at] || brief) {
        region->name.clear();
      }
      told[at] = true;
    }
  }
  std::stable_sort(chart_.regions.begin(), chart_.regions.end(),
                   [](const ChartRegion& a, const ChartRegion& b) { return a.rank < b.rank; });
}

void Picture::dots() {
  for (const RooflineDot& dot : data_.dots) {
    if (drawable(dot.intensity) && drawable(dot.performance)) {
      add_dot(dot);
    }
  }
  names_or_numbers();
  std::stable_sort(chart_.lower_ceilings.begin(), chart_.lower_ceilings.end(),
                   [](const ComputeCeiling& a, const ComputeCeiling& b) {
                     return a.flops_per_second > b.flops_per_second;
                   });
}

void Picture::words() {
  bool measured = false;
  bool allowed = false;
  for (const RooflineDot& dot : data_.dots) {
    (dot.measured ? measured : allowed) = true;
  }
  chart_.marks_mean = measured && allowed ? "filled: measured; hollow: attainable"
                      : measured          ? "filled: measured"
                                          : "hollow: attainable";
  chart_.explains_marks_on_paper = true;
  chart_.dots_are_runs = true;
  chart_.dots_are = count_ == 1 ? "computation" : "machine and computation";
  if (count_ == 1) {
    chart_.subtitle = clean(data_.machines.front().name);
  } else {
    for (std::size_t i = 0; i < count_; ++i) {
      chart_.subtitle += fmt::format("{}{}", i == 0 ? "" : ", ", clean(data_.machines[i].name));
    }
  }
  if (count_ < data_.machines.size()) {
    chart_.subtitle = fmt::format("the first {} of {} machines: {}", count_, data_.machines.size(),
                                  chart_.subtitle);
  }
}

void Picture::scales() {
  fit_scales(chart_);
  for (const SpectrumBand& band : data_.spectrum) {
    chart_.spectrum.push_back(
        {fmt::format("{} ({})", clean(band.name), clean(band.sizes)), band.low, band.high});
    if (band.low <= kFurthestOfSpectrum) {
      chart_.x = scale_around(std::min(chart_.x.low, band.low / 2.0),
                              std::max(chart_.x.high, band.low * 3.0));
    }
  }
  if (chart_.powers_of_two) {
    const auto whole = [](const LogScale& scale, double unit) {
      return scale_between(std::exp2(std::floor(std::log2(scale.low / unit) + 1e-9)) * unit,
                           std::exp2(std::ceil(std::log2(scale.high / unit) - 1e-9)) * unit);
    };
    chart_.x = whole(chart_.x, 1.0);
    chart_.y = whole(chart_.y, chart_.y_prefix.factor);
  }
}

}  // namespace

std::size_t most_machines() {
  return kLevelStyles - 1;
}

Chart machines_chart(const RooflineChart& data, bool powers_of_two) {
  return Picture(data, powers_of_two).make();
}

}  // namespace ridge::render
