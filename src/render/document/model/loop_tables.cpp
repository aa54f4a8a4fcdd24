#include "render/document/model/loop_tables.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/words.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/model/loop_words.hpp"

namespace ridge::render {
namespace {

using Cells = std::vector<std::string>;

/// Of a level, those that are broken and the first that holds: it counts, whatever comes behind.
std::vector<const ReuseCondition*> telling_conditions(const LoopModel& model) {
  std::vector<const ReuseCondition*> telling;
  std::set<Level> settled;
  for (const ReuseCondition& condition : model.conditions) {
    if (!settled.contains(condition.level)) {
      telling.push_back(&condition);
    }
    if (condition.holds) {
      settled.insert(condition.level);
    }
  }
  return telling;
}

PageTable condition_table(const LoopModel& model) {
  PageTable table{"Layer conditions: which reuse each cache can hold",
                  {"level", "condition", "true up to", "now", "hits", "misses"},
                  4,
                  {}};
  for (const ReuseCondition* condition : telling_conditions(model)) {
    table.rows.push_back(
        {std::string(to_string(condition->level)),
         condition->condition.empty() ? "nothing need be held" : clean(condition->condition),
         condition->symbol && condition->up_to
             ? fmt::format("{} = {}", clean(*condition->symbol), *condition->up_to)
             : std::string(kUnknown),
         condition->holds ? "true" : "broken", std::to_string(condition->hits),
         std::to_string(condition->misses)});
  }
  return table;
}

/// Those that any method knows, innermost first.
std::vector<Level> crossed_levels(const LoopModel& model) {
  std::set<Level, InnermostFirst> levels;
  for (const ModelledTraffic& traffic : model.traffic) {
    for (const CrossingTraffic& crossing : traffic.crossings) {
      levels.insert(crossing.level);
    }
  }
  return {levels.begin(), levels.end()};
}

const CrossingTraffic* crossing_at(const ModelledTraffic& traffic, Level level) {
  const auto found = std::ranges::find(traffic.crossings, level, &CrossingTraffic::level);
  return found == traffic.crossings.end() ? nullptr : &*found;
}

std::string method_words(const ModelledTraffic& traffic) {
  if (traffic.method == TrafficMethod::layer_conditions) {
    return "conditions";
  }
  return traffic.relative_error
             ? fmt::format("simulated (+- {})", percent(traffic.relative_error, 1))
             : std::string("simulated");
}

/// How far two methods lie apart, of the second.
std::string apart(const LoopModel& model, Level level) {
  const CrossingTraffic* first = crossing_at(model.traffic.front(), level);
  const CrossingTraffic* second = crossing_at(model.traffic.back(), level);
  if (first == nullptr || second == nullptr || second->read + second->written <= 0.0) {
    return std::string(kUnknown);
  }
  return percent((first->read + first->written) / (second->read + second->written) - 1.0, 1);
}

PageTable traffic_table(const LoopModel& model) {
  PageTable table{"Traffic: byte for each iteration", {"boundary"}, 1, {}};
  for (const ModelledTraffic& traffic : model.traffic) {
    table.heading.push_back(method_words(traffic) + ": read");
    table.heading.emplace_back("written");
  }
  const bool compares = model.traffic.size() == 2;
  if (compares) {
    table.heading.emplace_back("apart");
  }
  const std::vector<Level> levels = crossed_levels(model);
  for (const Level level : levels) {
    Cells row{boundary_words(levels, level)};
    for (const ModelledTraffic& traffic : model.traffic) {
      const CrossingTraffic* crossing = crossing_at(traffic, level);
      row.push_back(crossing == nullptr ? std::string(kUnknown) : number(crossing->read));
      row.push_back(crossing == nullptr ? std::string(kUnknown) : number(crossing->written));
    }
    if (compares) {
      row.push_back(apart(model, level));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Cycles of one core: threads share iterations among themselves.
std::string cycles_cell(const LoopPrediction& prediction, double seconds) {
  return prediction.clock ? number(seconds * *prediction.clock * prediction.threads)
                          : std::string(kUnknown);
}

std::string rate_cell(const LoopModel& model, double seconds) {
  const double flops = flops_of(model);
  return flops > 0.0 ? si(flops / seconds, "Flop/s") : si(1.0 / seconds, "it/s");
}

PageTable roofline_table(const LoopModel& model, const LoopPrediction& prediction) {
  PageTable table{fmt::format("Roofline, {}", counted(prediction.threads, "thread")),
                  {"resource", "", "by", "cycles/iteration", "at most"},
                  3,
                  {}};
  if (prediction.hierarchical) {
    for (const LoopLimit& limit : prediction.hierarchical->limits) {
      const bool binds = limit.resource == prediction.hierarchical->binds;
      table.rows.push_back({clean(limit.resource), binds ? "binds" : "",
                            limit.ceiling.empty() ? "in-core model" : clean(limit.ceiling),
                            cycles_cell(prediction, limit.seconds),
                            rate_cell(model, limit.seconds)});
    }
  }
  if (prediction.naive) {
    table.rows.push_back({"naive", "", clean(prediction.naive->binds),
                          cycles_cell(prediction, prediction.naive->seconds),
                          rate_cell(model, prediction.naive->seconds)});
  }
  return table;
}

/// The outermost level that anything comes from; nullopt: a transfer is not known.
std::optional<Level> furthest_level(const EcmModel& ecm) {
  if (ecm.levels.size() <= ecm.transfers.size()) {
    return std::nullopt;
  }
  Level furthest = Level::L1;
  for (std::size_t i = 0; i < ecm.transfers.size() && i + 1 < ecm.levels.size(); ++i) {
    if (ecm.transfers[i].cycles.value_or(0.0) > 0.0) {
      furthest = ecm.transfers[i].level;
    }
  }
  return furthest;
}

PageTable ecm_table(const LoopPrediction& prediction) {
  PageTable table{"ECM, one core: " + ecm_notation(prediction),
                  {"data in", "", "cy/CL", "cycles/iteration", "performance"},
                  2,
                  {}};
  if (prediction.ecm) {
    const std::optional<Level> furthest = furthest_level(*prediction.ecm);
    for (const EcmLevel& level : prediction.ecm->levels) {
      table.rows.push_back(
          {std::string(to_string(level.level)), level.level == furthest ? "at this size" : "",
           fmt::format("{:.1f}", level.cycles * prediction.iterations_per_line),
           number(level.cycles),
           level.performance ? si(*level.performance, "Flop/s") : std::string(kUnknown)});
    }
  }
  return table;
}

PageTable scaling_table(const LoopPrediction& prediction) {
  PageTable table{saturation_words(prediction), {"cores", "iterations/s", "performance"}, 0, {}};
  if (prediction.ecm) {
    for (const EcmScaling& point : prediction.ecm->scaling) {
      table.rows.push_back(
          {std::to_string(point.threads), si(point.iterations_per_second, ""),
           point.performance ? si(*point.performance, "Flop/s") : std::string(kUnknown)});
    }
  }
  return table;
}

std::vector<PageTable> with_rows(std::vector<PageTable> tables) {
  std::erase_if(tables, [](const PageTable& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace

std::vector<PageTable> traffic_tables(const LoopModel& model) {
  return with_rows({condition_table(model), traffic_table(model)});
}

std::vector<PageTable> prediction_tables(const LoopModel& model, const LoopPrediction& prediction) {
  return with_rows(
      {roofline_table(model, prediction), ecm_table(prediction), scaling_table(prediction)});
}

}  // namespace ridge::render
