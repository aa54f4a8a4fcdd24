#include "predict/compare/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

/// Sampled lines stand for all within this part: what the pilot accepts (decision 0080).
constexpr double kSampledTraffic = 0.02;
/// More memory traffic than this with half of the last level: where data lie decides.
constexpr double kEdge = 1.2;

/// After these notes the traffic is no basis for a conclusion; after the last one that of memory.
constexpr std::array<std::string_view, 3> kDoubtfulTraffic{"sampled-uneven", "sampled-unproven",
                                                           "traffic-scaled"};
constexpr std::string_view kDoubtfulAtMemory = "sampled-edge";

RegionFigure count(std::string quantity, std::string unit, std::uint64_t value, Origin origin) {
  RegionFigure figure;
  figure.quantity = std::move(quantity);
  figure.unit = std::move(unit);
  figure.origin = origin;
  figure.value = static_cast<double>(value);
  figure.count = value;
  figure.exact = true;
  return figure;
}

RegionFigure real(std::string quantity, std::string unit, double value, Origin origin) {
  RegionFigure figure;
  figure.quantity = std::move(quantity);
  figure.unit = std::move(unit);
  figure.origin = origin;
  figure.value = value;
  return figure;
}

/// An interval of no width is one measurement: how far others would lie from it is not known.
RegionFigure time_figure(std::string quantity, const SampledTime& time, Origin origin) {
  RegionFigure figure = real(std::move(quantity), "s", time.value.value(), origin);
  if (time.low < time.high) {
    figure.low = time.low.value();
    figure.high = time.high.value();
  }
  return figure;
}

/// amount / time; `amount` may have a spread of its own.
std::optional<RegionFigure> rate_figure(std::string quantity, std::string unit,
                                        const RegionFigure& amount, const RegionFigure& time) {
  if (!(time.value > 0.0) || !(amount.value > 0.0)) {
    return std::nullopt;
  }
  RegionFigure figure =
      real(std::move(quantity), std::move(unit), amount.value / time.value, time.origin);
  if (time.low && *time.low > 0.0) {
    figure.low = amount.low.value_or(amount.value) / *time.high;
    figure.high = amount.high.value_or(amount.value) / *time.low;
  }
  figure.doubtful = amount.doubtful;
  return figure;
}

/// "traffic.DRAM".
std::string named(std::string_view family, Level level) {
  return fmt::format("{}.{}", family, to_string(level));
}

class Collector {
 public:
  Collector(const Region& region, const Profile& profile, const std::vector<Level>& levels)
      : region_(region), profile_(profile), levels_(levels) {}

  std::vector<RegionFigure> run() {
    add_times();
    add_work();
    add_bytes();
    add_traffic();
    add_trips();
    if (region_.partial) {
      for (RegionFigure& figure : figures_) {
        figure.doubtful = "partial";
      }
    }
    return std::move(figures_);
  }

 private:
  void add_times() {
    const Origin origin = profile_.origins.time;
    if (region_.time_seconds.self) {
      time_ = time_figure("time", *region_.time_seconds.self, origin);
    } else if (region_.kind == RegionKind::program &&
               profile_.program.wall_seconds > Seconds(0.0)) {
      time_ = real("time", "s", profile_.program.wall_seconds.value(), origin);
    }
    if (time_) {
      figures_.push_back(*time_);
    }
    if (region_.cpu_seconds.self) {
      figures_.push_back(time_figure("cpu_time", *region_.cpu_seconds.self, origin));
    }
  }

  void add_rate(std::string quantity, std::string unit, const RegionFigure& amount) {
    if (time_) {
      if (auto rate = rate_figure(std::move(quantity), std::move(unit), amount, *time_)) {
        figures_.push_back(std::move(*rate));
      }
    }
  }

  void add_count(std::string quantity, std::string unit, std::optional<std::uint64_t> value,
                 Origin origin) {
    if (value) {
      figures_.push_back(count(std::move(quantity), std::move(unit), *value, origin));
    }
  }

  void add_work() {
    const Origin origin = origins_of(region_, profile_).flops;
    if (region_.flops) {
      flops_ = count("flops", "flop", region_.flops->total(), origin);
      add_rate("performance", "flop/s", *flops_);
      figures_.push_back(*flops_);
    }
    for (const Precision precision :
         {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
      if (const auto flops = known_work(region_).total(precision)) {
        figures_.push_back(
            count("flops." + std::string(to_string(precision)), "flop", *flops, origin));
      }
    }
    add_count("intops", "op", region_.intops, origin);
  }

  void add_bytes() {
    const Origin origin = origins_of(region_, profile_).bytes;
    add_count("bytes", "byte", bytes_accessed(region_), origin);
    add_count("loaded", "byte", region_.bytes_loaded, origin);
    add_count("stored", "byte", region_.bytes_stored, origin);
  }

  [[nodiscard]] std::optional<std::string> doubt(Level level) const {
    for (const Note& note : region_.notes) {
      const auto found = std::find(kDoubtfulTraffic.begin(), kDoubtfulTraffic.end(), note.code);
      if (found != kDoubtfulTraffic.end() || (note.code == kDoubtfulAtMemory && is_memory(level))) {
        return note.code;
      }
    }
    return std::nullopt;
  }

  /// Memory traffic that half of the last level would raise a lot hangs on where the data lie in
  /// its sets: as far up as with half of it, and by the same factor down.
  void add_edge(RegionFigure& figure, Level level) const {
    const auto half = region_.traffic_at_share.find("1/2");
    if (!is_memory(level) || half == region_.traffic_at_share.end()) {
      return;
    }
    const double with_half = static_cast<double>(half->second.total());
    if (with_half > kEdge * figure.value) {
      figure.exact = false;
      figure.low = figure.value * (figure.value / with_half);
      figure.high = with_half;
    }
  }

  /// Between what runs of the same program lie, as far as the turns of its threads decide (0128).
  void add_interval(RegionFigure& figure, Level level) const {
    const auto found = region_.traffic_interval.find(level);
    if (found == region_.traffic_interval.end() || found->second.low == found->second.high) {
      return;
    }
    figure.exact = false;
    figure.low =
        std::min(figure.low.value_or(figure.value), static_cast<double>(found->second.low));
    figure.high =
        std::max(figure.high.value_or(figure.value), static_cast<double>(found->second.high));
  }

  [[nodiscard]] bool is_memory(Level level) const {
    const auto& memories = profile_.machine.memories;
    return std::any_of(memories.begin(), memories.end(),
                       [&](const MemoryNode& memory) { return memory.level == level; });
  }

  [[nodiscard]] RegionFigure traffic_figure(Level level, const Traffic& traffic) const {
    const bool registers = level == Level::L1;
    RegionFigure figure = count(named("traffic", level), "byte", traffic.total(),
                                registers ? profile_.origins.bytes : profile_.origins.traffic);
    if (registers) {
      return figure;
    }
    if (profile_.origins.traffic != Origin::simulated &&
        profile_.origins.traffic != Origin::counted) {
      figure.exact = false;  // hardware counters: one measurement
    }
    if (region_.traffic_mode == TrafficMode::sampled) {
      figure.exact = false;
      figure.low = figure.value * (1.0 - kSampledTraffic);
      figure.high = figure.value * (1.0 + kSampledTraffic);
    }
    add_edge(figure, level);
    add_interval(figure, level);
    figure.doubtful = doubt(level);
    return figure;
  }

  [[nodiscard]] std::optional<RegionFigure> intensity_figure(Level level,
                                                             const RegionFigure& traffic) const {
    if (!(traffic.value > 0.0) || !flops_ || !(flops_->value > 0.0)) {
      return std::nullopt;
    }
    RegionFigure figure =
        real(named("intensity", level), "flop/byte", flops_->value / traffic.value, traffic.origin);
    figure.exact = traffic.exact;
    figure.doubtful = traffic.doubtful;
    if (traffic.low && *traffic.low > 0.0) {
      figure.low = flops_->value / *traffic.high;
      figure.high = flops_->value / *traffic.low;
    }
    return figure;
  }

  void add_traffic() {
    std::vector<std::pair<Level, RegionFigure>> by_level;
    for (const Level level : levels_) {
      if (const auto found = region_.traffic.find(level); found != region_.traffic.end()) {
        by_level.emplace_back(level, traffic_figure(level, found->second));
      }
    }
    for (const auto& [level, traffic] : by_level) {
      figures_.push_back(traffic);
    }
    for (const auto& [level, traffic] : by_level) {
      if (auto intensity = intensity_figure(level, traffic)) {
        figures_.push_back(std::move(*intensity));
      }
    }
    for (const auto& [level, traffic] : by_level) {
      add_rate(named("bandwidth", level), "byte/s", traffic);
    }
  }

  void add_trips() {
    const Origin origin = origins_of(region_, profile_).flops;
    add_count("entries", "", region_.entries, origin);
    add_count("iterations", "", region_.iterations, origin);
  }

  const Region& region_;
  const Profile& profile_;
  const std::vector<Level>& levels_;
  std::optional<RegionFigure> time_;
  std::optional<RegionFigure> flops_;  ///< where they are known
  std::vector<RegionFigure> figures_;
};

bool can_compare(std::string_view quantity, const Comparable& comparable) {
  const std::string_view family = family_of(quantity);
  const bool of_time =
      family == "time" || family == "cpu_time" || family == "performance" || family == "bandwidth";
  const bool of_traffic = (family == "traffic" || family == "intensity" || family == "bandwidth") &&
                          parse_level(part_of(quantity)) != Level::L1;
  return (comparable.times || !of_time) && (comparable.traffic || !of_traffic);
}

bool equal(const FigureValue& a, const FigureValue& b) {
  return a.count && b.count ? *a.count == *b.count : a.value == b.value;
}

Verdict verdict_of(const FigureValue& before, const FigureValue& after) {
  if (equal(before, after)) {
    return Verdict::same;
  }
  if (before.doubtful || after.doubtful) {
    return Verdict::doubtful;
  }
  const auto has_spread = [](const FigureValue& f) { return f.exact || (f.low && f.high); };
  if (!has_spread(before) || !has_spread(after)) {
    return Verdict::one_run;
  }
  if (before.exact && after.exact) {
    return Verdict::changed;  // also where doubles cannot tell the counts apart
  }
  const bool overlap = before.low.value_or(before.value) <= after.high.value_or(after.value) &&
                       after.low.value_or(after.value) <= before.high.value_or(before.value);
  return overlap ? Verdict::within_spread : Verdict::changed;
}

const RegionFigure* find(const std::vector<RegionFigure>& figures, std::string_view quantity) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const RegionFigure& f) { return f.quantity == quantity; });
  return found == figures.end() ? nullptr : &*found;
}

}  // namespace

std::vector<RegionFigure> figures_of(const Region& region, const Profile& profile,
                                     const std::vector<Level>& levels) {
  return Collector(region, profile, levels).run();
}

Change change_of(const RegionFigure* before, const RegionFigure* after,
                 const Comparable& comparable) {
  const RegionFigure& any = before != nullptr ? *before : *after;
  Change change;
  change.quantity = any.quantity;
  change.unit = any.unit;
  change.before = before != nullptr ? std::optional(*before) : std::nullopt;
  change.after = after != nullptr ? std::optional(*after) : std::nullopt;
  if (before == nullptr || after == nullptr) {
    change.verdict = Verdict::unknown;
  } else if (!can_compare(any.quantity, comparable)) {
    change.verdict = Verdict::not_comparable;
  } else {
    change.verdict = verdict_of(*before, *after);
    if (before->value > 0.0) {
      change.ratio = after->value / before->value;
    }
  }
  return change;
}

namespace {

/// No work of this precision is 0 flop where the work is known.
std::optional<RegionFigure> without_work(const RegionFigure& other,
                                         const std::vector<RegionFigure>& figures) {
  if (family_of(other.quantity) != "flops" || find(figures, "flops") == nullptr) {
    return std::nullopt;
  }
  return count(other.quantity, other.unit, 0, other.origin);
}

}  // namespace

std::vector<Change> changes_of(const std::vector<RegionFigure>& before,
                               const std::vector<RegionFigure>& after,
                               const Comparable& comparable) {
  std::vector<Change> changes;
  for (const RegionFigure& figure : before) {
    const auto none = without_work(figure, after);
    const RegionFigure* other = find(after, figure.quantity);
    changes.push_back(change_of(&figure, other == nullptr && none ? &*none : other, comparable));
  }
  for (const RegionFigure& figure : after) {
    if (find(before, figure.quantity) == nullptr) {
      const auto none = without_work(figure, before);
      changes.push_back(change_of(none ? &*none : nullptr, &figure, comparable));
    }
  }
  return changes;
}

std::string_view family_of(std::string_view quantity) {
  return quantity.substr(0, quantity.find('.'));
}

std::string_view part_of(std::string_view quantity) {
  const std::size_t dot = quantity.find('.');
  return dot == std::string_view::npos ? std::string_view() : quantity.substr(dot + 1);
}

std::vector<std::string> quantity_names() {
  return {
      "time",    "cpu_time",  "performance", "flops",         "flops.PRECISION", "intops",
      "bytes",   "loaded",    "stored",      "traffic.LEVEL", "intensity.LEVEL", "bandwidth.LEVEL",
      "entries", "iterations"};
}

std::map<Level, std::uint64_t> traffic_floors_of(const Machine& machine) {
  const auto& caches = machine.caches;
  std::map<Level, std::uint64_t> floors;
  const auto inside = [&](std::size_t boundary) {
    const std::size_t last_counted = caches.size() > 1 ? caches.size() - 2 : 0;
    return caches[std::min(boundary, last_counted)].size_bytes;
  };
  for (std::size_t i = 1; i < caches.size(); ++i) {
    floors[caches[i].level] = inside(i - 1);
  }
  for (const MemoryNode& memory : machine.memories) {
    if (!caches.empty()) {
      floors[memory.level] = inside(caches.size() - 1);
    }
  }
  return floors;
}

}  // namespace ridge::predict
