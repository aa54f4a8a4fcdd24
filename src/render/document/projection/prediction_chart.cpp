#include "render/document/projection/prediction_chart.hpp"

#include <algorithm>
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

constexpr std::size_t kMostComputations = 24;
constexpr std::size_t kMostMachines = kLevelStyles - 1;  // one look is that of what was measured
constexpr double kSameRate = 1.01;
constexpr std::string_view kCompute = "compute";

bool drawn(std::optional<double> value) {
  return value && drawable(*value);
}

/// A roof, whether or not the data come from there.
bool is_roof(const ResourceTime& resource) {
  return resource.unit == "byte" && resource.overlap == Overlap::data && drawable(resource.rate);
}

bool is_level(const ResourceTime& resource) {
  return is_roof(resource) && drawn(resource.intensity);
}

template <class Wanted>
const ResourceTime* outermost(const ResourcePrediction& machine, Wanted wanted) {
  const ResourceTime* found = nullptr;
  for (const ResourceTime& resource : machine.resources) {
    const bool further =
        wanted(resource) && (found == nullptr || names_memory_level(resource.resource) ||
                             !names_memory_level(found->resource));
    found = further ? &resource : found;
  }
  return found;
}

/// The main memory.
const ResourceTime* memory_of(const ResourcePrediction& machine) {
  return outermost(machine, is_roof);
}

/// Where the data come from: the outermost level that they cross.
const ResourceTime* source_of(const ResourcePrediction& machine) {
  return outermost(machine, is_level);
}

const ResourceTime* compute_of(const ResourcePrediction& machine) {
  for (const ResourceTime& resource : machine.resources) {
    if (resource.resource == kCompute) {
      return &resource;
    }
  }
  return nullptr;
}

std::string title_of(const KernelPrediction& prediction, std::size_t rank) {
  std::string title = fmt::format("{}  {}", rank, clean(prediction.kernel.name));
  for (const ResourcePrediction& machine : prediction.machines) {
    title += fmt::format("; {} {}", clean(machine.machine), si(machine.attainable, "Flop/s"));
  }
  if (prediction.measured_seconds) {
    title += fmt::format("; measured {}", si(static_cast<double>(prediction.demand.work.flops()) /
                                                 *prediction.measured_seconds,
                                             "Flop/s"));
  }
  return title;
}

std::optional<double> measured_rate(const KernelPrediction& prediction) {
  return prediction.measured_seconds && prediction.demand.work.flops() > 0
             ? std::optional(static_cast<double>(prediction.demand.work.flops()) /
                             *prediction.measured_seconds)
             : std::nullopt;
}

ChartRegion region_of(const KernelPrediction& prediction, std::size_t rank) {
  ChartRegion region;
  region.rank = static_cast<unsigned>(rank);
  region.title = title_of(prediction, rank);
  region.name = clean(prediction.kernel.name);
  region.short_name = region.name;
  return region;
}

// ---- one machine ----

void add_roof(Chart& chart, const ResourceTime& resource) {
  const std::string name = clean(resource.resource);
  const auto at = std::find(chart.levels.begin(), chart.levels.end(), name);
  const auto level = static_cast<std::size_t>(at - chart.levels.begin());
  if (at == chart.levels.end()) {
    chart.levels.push_back(name);
  }
  const auto same = std::find_if(chart.roofs.begin(), chart.roofs.end(),
                                 [&](const BandwidthRoof& roof) { return roof.level == level; });
  if (same != chart.roofs.end() && same->bytes_per_second >= resource.rate) {
    return;
  }
  const BandwidthRoof roof{level, resource.rate,
                           fmt::format("{} {}", name, si(resource.rate, "B/s"))};
  same == chart.roofs.end() ? chart.roofs.push_back(roof) : void(*same = roof);
}

/// The highest compute rate is the roof; those of other mixes stand below it.
void add_compute(Chart& chart, std::vector<const ResourceTime*> rates) {
  std::stable_sort(rates.begin(), rates.end(),
                   [](const ResourceTime* a, const ResourceTime* b) { return a->rate > b->rate; });
  double last = 0.0;
  for (const ResourceTime* rate : rates) {
    if (last > 0.0 && last < rate->rate * kSameRate) {
      continue;
    }
    last = rate->rate;
    const std::string words = clean(rate->rate_name);
    ComputeCeiling ceiling{words, fmt::format("{} {}", words, si(rate->rate, "Flop/s")),
                           rate->rate};
    chart.roof ? chart.lower_ceilings.push_back(std::move(ceiling))
               : void(chart.roof = std::move(ceiling));
  }
}

void add_computation(Chart& chart, const KernelPrediction& prediction, std::size_t rank) {
  const ResourcePrediction& machine = prediction.machines.front();
  const auto measured = measured_rate(prediction);
  const auto rate = measured ? measured : machine.attainable;
  if (!drawn(rate)) {
    return;
  }
  ChartRegion region = region_of(prediction, rank);
  region.flops_per_second = *rate;
  for (const ResourceTime& resource : machine.resources) {
    const auto at = std::find(chart.levels.begin(), chart.levels.end(), clean(resource.resource));
    if (is_level(resource) && at != chart.levels.end()) {
      region.dots.push_back(
          {static_cast<std::size_t>(at - chart.levels.begin()), resource.intensity});
    }
  }
  if (region.dots.empty()) {
    return;
  }
  if (measured && drawn(machine.attainable)) {
    ChartDot roof = region.dots.back();
    roof.flops_per_second = machine.attainable;
    roof.hollow = true;
    region.dots.insert(region.dots.begin(), roof);  // the last one carries the number
  }
  chart.regions.push_back(std::move(region));
}

void draw_one_machine(Chart& chart, const std::vector<KernelPrediction>& predictions) {
  std::vector<const ResourceTime*> rates;
  for (const KernelPrediction& prediction : predictions) {
    for (const ResourceTime& resource : prediction.machines.front().resources) {
      if (resource.resource == kCompute && drawable(resource.rate)) {
        rates.push_back(&resource);
      } else if (is_roof(resource)) {
        add_roof(chart, resource);
      }
    }
  }
  add_compute(chart, rates);
  for (std::size_t i = 0; i < std::min(predictions.size(), kMostComputations); ++i) {
    add_computation(chart, predictions[i], i + 1);
  }
  chart.subtitle = clean(predictions.front().machines.front().machine_name);
}

// ---- several machines ----

/// The highest rate of each level that is drawn: the memory, and caches that hold the data of a
/// computation; the memory first.
std::vector<std::pair<std::string, double>> roofs_of(
    const std::vector<KernelPrediction>& predictions, std::size_t index) {
  std::vector<std::pair<std::string, double>> roofs;
  const auto add = [&](const ResourceTime* level) {
    if (level == nullptr) {
      return;
    }
    const auto known = std::find_if(roofs.begin(), roofs.end(), [&](const auto& roof) {
      return roof.first == level->resource;
    });
    known == roofs.end() ? void(roofs.emplace_back(level->resource, level->rate))
                         : void(known->second = std::max(known->second, level->rate));
  };
  for (const auto of : {memory_of, source_of}) {
    for (const KernelPrediction& prediction : predictions) {
      add(of(prediction.machines[index]));
    }
  }
  return roofs;
}

void add_machine(Chart& chart, const std::vector<KernelPrediction>& predictions,
                 std::size_t index) {
  chart.levels.emplace_back(level_style_at(index).name);
  const std::string name = clean(predictions.front().machines[index].machine);
  chart.legend.push_back({index, name});
  double peak = 0.0;
  for (const KernelPrediction& prediction : predictions) {
    const ResourceTime* compute = compute_of(prediction.machines[index]);
    peak = std::max(peak, compute != nullptr ? compute->rate : 0.0);
  }
  const auto roofs = roofs_of(predictions, index);
  if (roofs.empty()) {
    return;
  }
  std::size_t steepest = chart.roofs.size();
  for (const auto& [level, rate] : roofs) {
    const bool memory = names_memory_level(level);
    const std::string words = memory ? name : fmt::format("{} {}", name, clean(level));
    chart.roofs.push_back({index, rate, fmt::format("{} {}", words, si(rate, "B/s")),
                           drawable(peak) ? std::optional(peak) : std::nullopt});
    if (rate > chart.roofs[steepest].bytes_per_second) {
      steepest = chart.roofs.size() - 1;
    }
  }
  if (drawable(peak)) {
    chart.lower_ceilings.push_back(
        {name, fmt::format("{} {}", name, si(peak, "Flop/s")), peak, steepest});
  }
}

void add_dots(Chart& chart, const KernelPrediction& prediction, std::size_t machines,
              std::size_t rank) {
  ChartRegion region = region_of(prediction, rank);
  const auto measured = measured_rate(prediction);
  for (std::size_t i = 0; i < machines; ++i) {
    const ResourceTime* source = source_of(prediction.machines[i]);
    const auto rate = prediction.machines[i].attainable;
    if (source != nullptr && drawn(rate)) {
      region.dots.push_back({i, source->intensity, rate, std::nullopt, measured.has_value()});
      region.flops_per_second = *rate;
    }
  }
  if (region.dots.empty()) {
    return;
  }
  if (drawn(measured)) {
    region.dots.push_back({machines, region.dots.back().intensity, measured});
    region.flops_per_second = *measured;
  }
  chart.regions.push_back(std::move(region));
}

/// Whether the data of a computation stay in a cache of one of the machines.
bool any_in_cache(const KernelPrediction& prediction) {
  return std::any_of(prediction.machines.begin(), prediction.machines.end(),
                     [](const ResourcePrediction& machine) {
                       const ResourceTime* source = source_of(machine);
                       return source != nullptr && !names_memory_level(source->resource);
                     });
}

void draw_machines(Chart& chart, const std::vector<KernelPrediction>& predictions) {
  const std::size_t all = predictions.front().machines.size();
  const std::size_t machines = std::min(all, kMostMachines);
  for (std::size_t i = 0; i < machines; ++i) {
    add_machine(chart, predictions, i);
  }
  if (std::any_of(predictions.begin(), predictions.end(),
                  [](const KernelPrediction& p) { return measured_rate(p).has_value(); })) {
    chart.levels.emplace_back(level_style_at(machines).name);
    chart.legend.push_back({machines, "measured"});
  }
  for (std::size_t i = 0; i < std::min(predictions.size(), kMostComputations); ++i) {
    add_dots(chart, predictions[i], machines, i + 1);
  }
  std::stable_sort(chart.lower_ceilings.begin(), chart.lower_ceilings.end(),
                   [](const ComputeCeiling& a, const ComputeCeiling& b) {
                     return a.flops_per_second > b.flops_per_second;
                   });
  const bool caches = std::any_of(predictions.begin(), predictions.end(), any_in_cache);
  chart.subtitle = caches ? "roofs of the main memory and of caches that hold the data, and peaks"
                          : "roofs of the main memory and peaks";
  if (machines < all) {
    chart.subtitle += fmt::format("; the first {} of {} machines", machines, all);
  }
  chart.dots_are = "machine";
}

}  // namespace

Chart prediction_chart(const std::vector<KernelPrediction>& predictions) {
  Chart chart;
  if (predictions.empty() || predictions.front().machines.empty()) {
    return chart;
  }
  std::string names;
  for (std::size_t i = 0; i < std::min(predictions.size(), kMostComputations); ++i) {
    names +=
        fmt::format("{}{} {}", names.empty() ? "" : ", ", i + 1, clean(predictions[i].kernel.name));
  }
  chart.title = predictions.size() == 1
                    ? fmt::format("Roofline of {}", clean(predictions.front().kernel.name))
                    : fmt::format("Roofline: {}", names);
  const bool measured =
      std::any_of(predictions.begin(), predictions.end(),
                  [](const KernelPrediction& p) { return measured_rate(p).has_value(); });
  chart.marks_mean = measured ? "with a number: measured; hollow: attainable"
                              : "number: computation, at what is attainable";
  predictions.front().machines.size() == 1 ? draw_one_machine(chart, predictions)
                                           : draw_machines(chart, predictions);
  fit_scales(chart);
  return chart;
}

}  // namespace ridge::render
