// Tables with a line for each machine or computation.
#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/projection/prediction_cells.hpp"
#include "render/document/projection/prediction_table.hpp"

namespace ridge::render {

std::string amount_unit(std::string_view unit) {
  return unit == "flop" ? "Flop" : unit == "byte" ? "B" : std::string(unit);
}

std::string rate_of(std::optional<double> value, std::string_view unit) {
  return si(value, amount_unit(unit) + "/s");
}

/// "L1, L2": what may bind here although no rate of it is known.
std::string unbounded_words(const ResourcePrediction& prediction) {
  std::string text;
  for (const std::string& name : prediction.unbounded) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", clean(name));
  }
  return text;
}

std::string wrapped(std::string_view head, std::string_view text, const TextStyle& style) {
  std::string out;
  std::string start(head);
  for (const std::string& line : wrap(text, usable_columns(style) - head.size())) {
    out += start + line + "\n";
    start.assign(head.size(), ' ');
  }
  return out;
}

/// Which resources the ranks go without; empty when all machines bound all that they use.
std::string rank_line(const std::vector<ResourcePrediction>& machines, const TextStyle& style) {
  std::set<std::string> left_out;
  for (const ResourcePrediction& machine : machines) {
    if (!machine.missing && machine.rank) {
      left_out.insert(machine.unbounded.begin(), machine.unbounded.end());
    }
  }
  std::string names;
  for (const std::string& name : left_out) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", clean(name));
  }
  return names.empty() ? names
                       : wrapped("Ranks go by ",
                                 "what all of these machines bound, without " + names +
                                     ": a rate that is not known makes no machine faster.",
                                 style);
}

namespace {

/// A narrow terminal drops other columns first: without these a row would claim too much.
void add_rank_columns(std::vector<TextColumn>& columns,
                      const std::vector<ResourcePrediction>& machines) {
  constexpr int kLate = 3;
  const auto some = [&](auto has) { return std::any_of(machines.begin(), machines.end(), has); };
  if (some([](const ResourcePrediction& p) { return p.rank.has_value(); })) {
    columns.push_back(column("rank", kLate, false, machines.size(), [&](std::size_t row) {
      const auto& rank = machines[row].rank;
      return rank ? fmt::format("{}", *rank) : std::string(kUnknown);
    }));
    if (some([](const ResourcePrediction& p) { return !p.unbounded.empty(); })) {
      columns.push_back(column("rate unknown", kLate, true, machines.size(),
                               [&](std::size_t row) { return unbounded_words(machines[row]); }));
    }
  }
}

/// Columns that are there where something asked for them.
void add_asked_columns(std::vector<TextColumn>& columns,
                       const std::vector<ResourcePrediction>& machines) {
  const auto some = [&](auto has) { return std::any_of(machines.begin(), machines.end(), has); };
  const auto add = [&](std::string title, auto cell) {
    columns.push_back(column(std::move(title), 1, false, machines.size(),
                             [&](std::size_t row) { return cell(machines[row]); }));
  };
  add_rank_columns(columns, machines);
  if (some([](const ResourcePrediction& p) { return p.combined_seconds.has_value(); })) {
    add("--overlap", [](const ResourcePrediction& p) { return si(p.combined_seconds, "s"); });
  }
  if (some([](const ResourcePrediction& p) { return p.measured.has_value(); })) {
    add("of roof", [](const ResourcePrediction& p) {
      return percent(p.measured ? std::optional(p.measured->share) : std::nullopt, 1);
    });
  }
  if (some([](const ResourcePrediction& p) { return p.speedup.has_value(); })) {
    add("speed-up", [](const ResourcePrediction& p) {
      return p.speedup ? fmt::format("{:.3g}x", *p.speedup) : std::string(kUnknown);
    });
  }
}

}  // namespace

namespace {

/// By rank, those without a prediction last.
std::vector<ResourcePrediction> ranked(std::vector<ResourcePrediction> machines) {
  const auto place = [](const ResourcePrediction& p) {
    return p.rank.value_or(std::numeric_limits<unsigned>::max());
  };
  std::stable_sort(machines.begin(), machines.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return machines;
}

}  // namespace

std::string machine_summary(const std::vector<ResourcePrediction>& all, const TextStyle& style) {
  const std::vector<ResourcePrediction> machines = ranked(all);
  const std::size_t rows = machines.size();
  const auto cells = [&](std::string title, int importance, bool left, auto cell) {
    return column(std::move(title), importance, left, rows,
                  [&](std::size_t row) { return cell(machines[row]); });
  };
  const auto name_of = [](const ResourcePrediction& p, const std::optional<std::size_t>& index) {
    return index ? p.resources[*index].resource : std::string(kUnknown);
  };
  std::vector<TextColumn> columns;
  columns.push_back(
      cells("machine", 0, true, [](const ResourcePrediction& p) { return clean(p.machine); }));
  columns.push_back(cells("attainable", 0, false, [](const ResourcePrediction& p) {
    return rate_of(p.attainable, p.unit);
  }));
  columns.push_back(
      cells("time", 0, false, [](const ResourcePrediction& p) { return si(p.seconds, "s"); }));
  columns.push_back(cells("no overlap", 2, false,
                          [](const ResourcePrediction& p) { return si(p.sum_seconds, "s"); }));
  columns.push_back(cells("bound by", 0, true, [&](const ResourcePrediction& p) {
    return p.missing ? clean(*p.missing) : name_of(p, p.binding);
  }));
  columns.push_back(
      cells("next", 1, true, [&](const ResourcePrediction& p) { return name_of(p, p.next); }));
  add_asked_columns(columns, machines);
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string kernel_predictions(const std::vector<KernelPrediction>& predictions,
                               const TextStyle& style) {
  std::vector<ResourcePrediction> rows;
  std::vector<std::string> names;
  std::vector<std::optional<double>> intensities;
  std::vector<std::optional<double>> performances;
  for (const KernelPrediction& prediction : predictions) {
    const double flops = static_cast<double>(prediction.demand.work.flops());
    const double bytes = static_cast<double>(prediction.demand.least.total(false));
    const auto& seconds = prediction.measured_seconds;
    const std::size_t lines = std::max<std::size_t>(1, prediction.machines.size());
    for (std::size_t i = 0; i < lines; ++i) {
      rows.push_back(i < prediction.machines.size() ? prediction.machines[i]
                                                    : ResourcePrediction{});
      names.push_back(i == 0 ? clean(prediction.kernel.name) : std::string());
      intensities.push_back(flops > 0.0 && bytes > 0.0 ? std::optional(flops / bytes)
                                                       : std::nullopt);
      performances.push_back(flops > 0.0 && seconds ? std::optional(flops / *seconds)
                                                    : std::nullopt);
    }
  }
  std::vector<TextColumn> columns;
  const auto add = [&](std::string title, int importance, bool left, auto cell) {
    columns.push_back(column(std::move(title), importance, left, rows.size(), cell));
  };
  add("computation", 0, true, [&](std::size_t row) { return names[row]; });
  add("machine", 0, true, [&](std::size_t row) { return clean(rows[row].machine); });
  add("intensity", 2, false, [&](std::size_t row) { return number(intensities[row]); });
  add("attainable", 0, false,
      [&](std::size_t row) { return rate_of(rows[row].attainable, rows[row].unit); });
  add("time", 1, false, [&](std::size_t row) { return si(rows[row].seconds, "s"); });
  add("bound by", 0, true, [&](std::size_t row) {
    const ResourcePrediction& p = rows[row];
    return p.missing   ? clean(*p.missing)
           : p.binding ? p.resources[*p.binding].resource
                       : std::string(kUnknown);
  });
  if (std::any_of(performances.begin(), performances.end(), [](auto p) { return p.has_value(); })) {
    add("measured", 0, false,
        [&](std::size_t row) { return rate_of(performances[row], rows[row].unit); });
  }
  add_asked_columns(columns, rows);
  return render_table(std::move(columns), usable_columns(style), style) + rank_line(rows, style);
}

}  // namespace ridge::render
