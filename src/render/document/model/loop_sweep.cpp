#include "render/document/model/loop_sweep.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/model/loop_words.hpp"
#include "render/document/model/measured_words.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kLeastPoints = 3;

bool is_same_nest(const LoopModel& a, const LoopModel& b) {
  return a.function == b.function && a.file == b.file &&
         std::ranges::equal(a.loops, b.loops, {}, &ModelledLoop::line, &ModelledLoop::line);
}

/// Names whose values are not the same in all models.
std::vector<std::string> varying(const LoopGroup& group) {
  std::map<std::string, std::set<std::int64_t>> seen;
  for (const LoopModel* model : group) {
    for (const auto& [name, value] : model->values) {
      seen[name].insert(value);
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, values] : seen) {
    if (values.size() > 1) {
      names.push_back(name);
    }
  }
  return names;
}

/// Whether all names have one value in each model, and no two models the same.
bool is_one_size(const LoopGroup& group, const std::vector<std::string>& names) {
  std::set<std::int64_t> sizes;
  for (const LoopModel* model : group) {
    std::set<std::int64_t> values;
    for (const std::string& name : names) {
      const auto found = model->values.find(name);
      if (found == model->values.end()) {
        return false;
      }
      values.insert(found->second);
    }
    if (values.size() != 1 || !sizes.insert(*values.begin()).second) {
      return false;
    }
  }
  return true;
}

const LoopPrediction* prediction_on(const LoopModel& model, const std::string& machine) {
  const auto found = std::ranges::find(model.predictions, machine, &LoopPrediction::machine);
  return found == model.predictions.end() ? nullptr : &*found;
}

/// What takes most of the time of one core with data from the outermost level.
std::string largest_part(const EcmModel& ecm) {
  std::pair<double, std::string> largest{ecm.transferring_cycles,
                                         std::string(to_string(Level::L1))};
  double sum = ecm.transferring_cycles;
  for (const EcmTransfer& transfer : ecm.transfers) {
    const double cycles = transfer.cycles.value_or(0.0);
    sum += cycles;
    if (cycles > largest.first) {
      largest = {cycles, std::string(to_string(transfer.level))};
    }
  }
  const double against = ecm.overlap == OverlapRule::arithmetic ? sum : largest.first;
  return ecm.overlapping_cycles >= against ? "in-core" : largest.second;
}

std::optional<SweepPoint> point_by_ecm(const LoopPrediction& prediction) {
  if (!prediction.ecm || prediction.ecm->levels.size() <= prediction.ecm->transfers.size()) {
    return std::nullopt;
  }
  SweepPoint point;
  point.time = prediction.ecm->levels.back().cycles;
  point.part = largest_part(*prediction.ecm);
  if (prediction.hierarchical && prediction.clock) {
    point.roof = prediction.hierarchical->seconds * *prediction.clock * prediction.threads;
  }
  return point;
}

std::optional<SweepPoint> point_by_roofline(const LoopPrediction& prediction) {
  if (!prediction.hierarchical) {
    return std::nullopt;
  }
  constexpr double kNano = 1e9;
  SweepPoint point;
  point.time = prediction.hierarchical->seconds * prediction.threads * kNano;
  point.part = prediction.hierarchical->binds;
  return point;
}

/// All points by one rule, or none.
template <class Rule>
std::vector<SweepPoint> points_by(const LoopGroup& group, const std::string& machine,
                                  const std::string& symbol, Rule rule) {
  std::vector<SweepPoint> points;
  for (const LoopModel* model : group) {
    const LoopPrediction* prediction = prediction_on(*model, machine);
    auto point = prediction == nullptr ? std::nullopt : rule(*prediction);
    if (!point) {
      return {};
    }
    point->value = model->values.at(symbol);
    point->model = model;
    points.push_back(std::move(*point));
  }
  return points;
}

/// Of conditions on the size; other sizes stay as they are.
std::vector<SweepBreak> breaks_of(const LoopGroup& group, const std::vector<std::string>& names,
                                  std::int64_t low, std::int64_t high) {
  std::set<std::tuple<std::int64_t, std::string_view, std::string>> seen;
  std::vector<SweepBreak> breaks;
  for (const LoopModel* model : group) {
    for (const ReuseCondition& condition : model->conditions) {
      if (!condition.symbol || !condition.up_to || *condition.up_to < low ||
          *condition.up_to >= high || std::ranges::find(names, *condition.symbol) == names.end() ||
          !seen.emplace(*condition.up_to, to_string(condition.level), condition.condition).second) {
        continue;
      }
      breaks.push_back({condition.level, *condition.up_to, clean(condition.condition)});
    }
  }
  std::ranges::stable_sort(breaks, {}, &SweepBreak::up_to);
  return breaks;
}

LoopSweep sweep_on(const LoopGroup& group, const std::vector<std::string>& names,
                   const std::string& machine) {
  LoopSweep sweep;
  sweep.machine = clean(machine);
  for (const std::string& name : names) {
    sweep.symbol += (sweep.symbol.empty() ? "" : " = ") + clean(name);
  }
  sweep.title = loop_title(*group.front()) + (machine.empty() ? "" : " on " + clean(machine));
  sweep.unit = "cycles";
  sweep.points = points_by(group, machine, names.front(), point_by_ecm);
  if (sweep.points.empty()) {
    sweep.by_ecm = false;
    sweep.unit = "ns";
    sweep.points = points_by(group, machine, names.front(), point_by_roofline);
  }
  if (sweep.points.empty()) {
    sweep.unit.clear();
    for (const LoopModel* model : group) {
      sweep.points.push_back({model->values.at(names.front()), 0.0, 0.0, {}, model});
    }
  }
  std::ranges::stable_sort(sweep.points, {}, &SweepPoint::value);
  sweep.breaks = breaks_of(group, names, sweep.points.front().value, sweep.points.back().value);
  return sweep;
}

/// That prediction took.
const ModelledTraffic* shown_traffic(const LoopModel& model) {
  const ModelledTraffic* shown = nullptr;
  for (const ModelledTraffic& traffic : model.traffic) {
    if (shown == nullptr || traffic.method == TrafficMethod::simulation) {
      shown = &traffic;
    }
  }
  return shown;
}

std::vector<Level> levels_of(const LoopSweep& sweep) {
  std::set<Level, InnermostFirst> levels;
  for (const SweepPoint& point : sweep.points) {
    if (const ModelledTraffic* traffic = shown_traffic(*point.model)) {
      for (const CrossingTraffic& crossing : traffic->crossings) {
        levels.insert(crossing.level);
      }
    }
  }
  return {levels.begin(), levels.end()};
}

std::string traffic_cell(const LoopModel& model, Level level) {
  if (const ModelledTraffic* traffic = shown_traffic(model)) {
    const auto found = std::ranges::find(traffic->crossings, level, &CrossingTraffic::level);
    if (found != traffic->crossings.end()) {
      return number(found->read + found->written);
    }
  }
  return std::string(kUnknown);
}

}  // namespace

std::vector<LoopGroup> groups_of(const LoopModels& models) {
  std::vector<LoopGroup> groups;
  for (const LoopModel& model : models.models) {
    const auto found = std::ranges::find_if(
        groups, [&](const LoopGroup& group) { return is_same_nest(*group.front(), model); });
    if (found == groups.end()) {
      groups.push_back({&model});
    } else {
      found->push_back(&model);
    }
  }
  return groups;
}

std::vector<LoopSweep> sweeps_of(const LoopGroup& group) {
  const std::vector<std::string> names = varying(group);
  if (group.size() < kLeastPoints || names.empty() || !is_one_size(group, names)) {
    return {};
  }
  std::vector<LoopSweep> sweeps;
  for (const LoopPrediction& prediction : group.front()->predictions) {
    sweeps.push_back(sweep_on(group, names, prediction.machine));
  }
  if (sweeps.empty()) {
    sweeps.push_back(sweep_on(group, names, {}));
  }
  return sweeps;
}

PageTable sweep_table(const LoopSweep& sweep) {
  PageTable table{sweep.title, {sweep.symbol}, 0, {}};
  const bool has_runs = std::ranges::any_of(sweep.points, [](const SweepPoint& point) {
    return measured_cycles(*point.model).has_value();
  });
  if (!sweep.unit.empty()) {
    table.heading.push_back(sweep.unit + "/iteration");
    if (has_runs) {
      table.heading.emplace_back("measured cycles");
    }
    table.heading.emplace_back("mostly");
  }
  const std::vector<Level> levels = levels_of(sweep);
  for (const Level level : levels) {
    table.heading.push_back(boundary_words(levels, level) + " [byte]");
  }
  for (const SweepPoint& point : sweep.points) {
    std::vector<std::string> row{std::to_string(point.value)};
    if (!sweep.unit.empty()) {
      row.push_back(number(point.time));
      if (has_runs) {
        const auto measured = measured_cycles(*point.model);
        row.push_back(measured ? number(*measured) : std::string(kUnknown));
      }
      row.push_back(clean(point.part));
    }
    for (const Level level : levels) {
      row.push_back(traffic_cell(*point.model, level));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> break_words(const LoopSweep& sweep) {
  std::vector<std::string> words;
  for (const SweepBreak& edge : sweep.breaks) {
    words.push_back(fmt::format("{}: {} is true up to {} = {}", to_string(edge.level),
                                edge.condition, sweep.symbol, edge.up_to));
  }
  return words;
}

}  // namespace ridge::render
