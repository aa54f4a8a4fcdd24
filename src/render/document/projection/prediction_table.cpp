#include "render/document/projection/prediction_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/projection/prediction_cells.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

std::string amount_of(double value, std::string_view unit) {
  return si(value, amount_unit(unit));
}

/// "HBM, theoretical, datasheet [GLK-H100]"
std::string provenance(const ResourceTime& resource) {
  std::string text = clean(resource.rate_name);
  if (resource.basis) {
    text += fmt::format(", {}", to_string(*resource.basis));
  }
  text += fmt::format(", {}", to_string(resource.origin));
  if (!resource.verified) {
    text += ", unverified";
  }
  if (resource.source) {
    text += fmt::format(" [{}]", clean(*resource.source));
  }
  return text;
}

std::string resource_table(const std::vector<ResourceTime>& resources, std::string_view unit,
                           const TextStyle& style) {
  const std::size_t rows = resources.size();
  const auto cells = [&](std::string title, int importance, auto cell) {
    return column(std::move(title), importance, false, rows,
                  [&](std::size_t row) { return cell(resources[row]); });
  };
  std::vector<TextColumn> columns;
  columns.push_back(column("resource", 0, true, rows,
                           [&](std::size_t row) { return clean(resources[row].resource); }));
  columns.push_back(
      cells("amount", 3, [](const ResourceTime& r) { return amount_of(r.amount, r.unit); }));
  columns.push_back(
      cells("rate", 0, [](const ResourceTime& r) { return rate_of(r.rate, r.unit); }));
  columns.push_back(
      cells("intensity", 2, [](const ResourceTime& r) { return number(r.intensity); }));
  columns.push_back(cells("roof", 2, [&](const ResourceTime& r) { return rate_of(r.roof, unit); }));
  if (std::any_of(resources.begin(), resources.end(),
                  [](const ResourceTime& r) { return r.cache_aware_roof.has_value(); })) {
    columns.push_back(cells("cache-aware", 1, [&](const ResourceTime& r) {
      return rate_of(r.cache_aware_roof, unit);
    }));
  }
  columns.push_back(cells("time", 0, [](const ResourceTime& r) { return si(r.seconds, "s"); }));
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string interval_lines(const ResourcePrediction& p) {
  const auto line = [&](std::string_view what, std::optional<double> seconds) {
    return fmt::format("  {:<24} {:>9}  {:>13}\n", what, si(seconds, "s"),
                       rate_of(seconds ? std::optional(p.work / *seconds) : std::nullopt, p.unit));
  };
  std::string text = line("full overlap", p.seconds);
  text += line("transfers in turn (ECM)", p.ecm_seconds);
  text += line("no overlap", p.sum_seconds);
  if (p.combined_seconds) {
    text += line(clean(p.combination), p.combined_seconds);
  }
  return text;
}

std::string energy_line(const EnergyPrediction& energy) {
  std::string text =
      fmt::format("  energy {}, {} on average", si(energy.joules, "J"), si(energy.watts, "W"));
  if (energy.flops_per_joule) {
    text += ", " + si(*energy.flops_per_joule, "Flop/J");
  }
  return text + "\n";
}

std::string solved_line(const Solved& solved) {
  return fmt::format("  solved     {} = {}\n", clean(solved.quantity),
                     solved.unit.empty() ? fmt::format("{:.6g}", solved.value)
                     : solved.unit == "s"
                         ? si(solved.value, "s")
                         : rate_of(solved.value, solved.unit.substr(0, solved.unit.size() - 2)));
}

/// Performance and throughput of a measured time, on whatever machine.
std::string measured_line(const KernelPrediction& prediction) {
  if (!prediction.measured_seconds) {
    return {};
  }
  const Demand& demand = prediction.demand;
  const double seconds = *prediction.measured_seconds;
  std::string text = fmt::format("  measured   {}", si(seconds, "s"));
  if (demand.work.flops() > 0) {
    text += fmt::format(", {}", rate_of(static_cast<double>(demand.work.flops()) / seconds,
                                        demand.precision.starts_with("int") ? "op" : "flop"));
  }
  if (demand.least.total(false) > 0) {
    text +=
        fmt::format(", {}", si(static_cast<double>(demand.least.total(false)) / seconds, "B/s"));
  }
  return text + "\n";
}

/// "measured 1.20 ms: compute 2.2 %, DRAM 95.2 %; near the roof ..."
std::string measured_lines(const ResourcePrediction& prediction, const TextStyle& style) {
  std::string used;
  for (const ResourceTime& resource : prediction.resources) {
    used += fmt::format("{}{} {}", used.empty() ? "" : ", ", clean(resource.resource),
                        percent(resource.used, 1));
  }
  return wrapped("  of the rates: ", used, style) +
         wrapped("  measured: ", clean(prediction.measured->sentence), style);
}

std::string kinds_of(const OperationCounts& work) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view name) {
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", si(static_cast<double>(count), ""),
                          name);
    }
  };
  add(work.add, "add");
  add(work.mul, "mul");
  add(work.fma, "in fma");
  add(work.div, "div");
  add(work.sqrt, "sqrt");
  add(work.any, "of any kind");
  add(work.other, "0-flop operations");
  add(work.intops, "integer operations");
  return text;
}

/// Code balance: byte/flop, and flop for each word of the precision.
std::string balance_words(const Demand& demand, double amount) {
  const double bytes = static_cast<double>(demand.least.total(false));
  const auto word = element_bytes(demand.precision);
  std::string text = fmt::format("{} byte/flop", number(bytes / amount));
  if (word) {
    text += fmt::format(", {} flop/word", number(amount * *word / bytes));
  }
  return text;
}

std::string intensity_line(const Demand& demand) {
  const auto per_byte = [&](double amount, bool allocate) {
    return number(amount / static_cast<double>(demand.least.total(allocate)));
  };
  const bool work = demand.work.flops() > 0;
  const double amount =
      static_cast<double>(work ? demand.work.flops() : demand.work.other + demand.work.intops);
  if (amount <= 0.0 || demand.least.total(false) == 0) {
    return {};
  }
  std::string text = fmt::format("  intensity  {} {}", per_byte(amount, false),
                                 !work                                 ? "op/byte (no flop)"
                                 : demand.precision.starts_with("int") ? "op/byte"
                                                                       : "flop/byte");
  if (demand.least.allocate > 0) {
    text += fmt::format("; {} with write-allocate", per_byte(amount, true));
  }
  text += "\n";
  if (work && !demand.precision.starts_with("int")) {
    text += fmt::format("  balance    {}\n", balance_words(demand, amount));
  }
  return text;
}

std::string cache_lines(const std::vector<KernelPrediction::BelowCache>& by_cache,
                        const TextStyle& style) {
  std::string text;
  for (const KernelPrediction::BelowCache& below : by_cache) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", binary_size(below.cache_bytes),
                        si(static_cast<double>(below.traffic.total(false)), "B"));
  }
  return by_cache.size() < 2 ? std::string() : wrapped("  by cache   ", text, style);
}

/// `as_given`: nobody said which bytes are read and which are written.
std::string demand_lines(const Demand& demand, bool as_given, const TextStyle& style) {
  const StreamTraffic& least = demand.least;
  const auto bytes = [](std::uint64_t count) { return si(static_cast<double>(count), "B"); };
  const bool integers = demand.precision.starts_with("int");
  std::string work = si(static_cast<double>(demand.work.flops()), integers ? "op" : "Flop");
  if (const std::string kinds = kinds_of(demand.work); !kinds.empty()) {
    work += fmt::format(" ({})", kinds);
  }
  std::string traffic =
      as_given ? fmt::format("{}, as given", bytes(least.total(false)))
               : fmt::format("{} at least: {} read, {} written", bytes(least.total(false)),
                             bytes(least.read), bytes(least.written));
  if (least.allocate > 0) {
    traffic += fmt::format("; {} more with write-allocate", bytes(least.allocate));
  }
  return wrapped("  work       ", work, style) + wrapped("  traffic    ", traffic, style) +
         intensity_line(demand);
}

}  // namespace

std::string kernel_list(const std::vector<KernelText>& kernels, const TextStyle& style) {
  std::string text;
  for (const KernelText& kernel : kernels) {
    text += fmt::format("{}  {}\n", paint(kernel.name, kBold, style), kernel.summary);
    std::string parameters;
    for (const KernelText::Parameter& parameter : kernel.parameters) {
      parameters +=
          fmt::format("{}{}{} {}", parameters.empty() ? "" : "; ", parameter.name,
                      parameter.fallback ? "=" + *parameter.fallback : "", parameter.meaning);
    }
    text += wrapped("  parameters ", parameters, style);
    text += wrapped("  work       ", kernel.work, style);
    text += wrapped("  traffic    ", kernel.traffic, style);
    if (kernel.cache) {
      text += wrapped("  by cache   ", *kernel.cache, style);
    }
    text += wrapped("  source     ", kernel.source, style) + "\n";
  }
  return text + "Traffic in byte, e = bytes of an element. A parameter with = has this default.\n";
}

std::string resource_report(const ResourcePrediction& prediction, const TextStyle& style) {
  std::string text = fmt::format("{}  {}\n", paint(clean(prediction.machine), kBold, style),
                                 clean(prediction.machine_name));
  if (!prediction.resources.empty()) {
    text += resource_table(prediction.resources, prediction.unit, style);
  }
  for (const ResourceTime& resource : prediction.resources) {
    text +=
        wrapped(fmt::format("  {} rate: ", clean(resource.resource)), provenance(resource), style);
  }
  if (prediction.missing) {
    text += fmt::format("  no prediction: {}\n", clean(*prediction.missing));
  } else {
    text += interval_lines(prediction);
    text += fmt::format("  bound by {}", prediction.resources[*prediction.binding].resource);
    if (prediction.next) {
      text += fmt::format("; next {}", prediction.resources[*prediction.next].resource);
    }
    text += "\n";
  }
  if (prediction.measured) {
    text += measured_lines(prediction, style);
  }
  if (prediction.solved) {
    text += solved_line(*prediction.solved);
  }
  if (prediction.energy) {
    text += energy_line(*prediction.energy);
  }
  if (!prediction.unbounded.empty()) {
    const bool lacks_bytes =
        std::any_of(prediction.notes.begin(), prediction.notes.end(),
                    [](const Note& note) { return note.code == "bytes-unknown"; });
    text += wrapped("  not bounded: ",
                    fmt::format("{} (no {} known here; each may bind)", unbounded_words(prediction),
                                lacks_bytes ? "rate or no bytes are" : "rate is"),
                    style);
  }
  for (const Note& note : prediction.notes) {
    text += wrapped("  note: ", clean(note.text), style);
  }
  return text;
}

namespace {

constexpr std::size_t kMostReports = 6;  // of machines, in full

std::string head_lines(const KernelPrediction& prediction, const TextStyle& style) {
  std::string values;
  for (const KernelPrediction::Value& value : prediction.parameters) {
    values += fmt::format("{}{}={:.15g}", values.empty() ? "" : " ", value.name, value.value);
  }
  std::string text = fmt::format("{}  {}\n", paint(clean(prediction.kernel.name), kBold, style),
                                 prediction.kernel.summary);
  text += values.empty()
              ? fmt::format("  precision  {}\n", prediction.demand.precision)
              : wrapped("  sizes      ", fmt::format("{}, {}", values, prediction.demand.precision),
                        style);
  text += demand_lines(prediction.demand, values.empty(), style);
  text += cache_lines(prediction.by_cache, style);
  if (prediction.unit_work) {
    text += fmt::format("  scale      no amount is given: times are those of {}\n",
                        si(*prediction.unit_work, "Flop"));
  }
  text += measured_line(prediction);
  if (prediction.solved) {
    text += solved_line(*prediction.solved);
  }
  return text;
}

}  // namespace

std::string kernel_prediction(const KernelPrediction& prediction, const TextStyle& style) {
  std::string text = head_lines(prediction, style);
  if (prediction.machines.size() > 1) {
    text += "\n" + machine_summary(prediction.machines, style);
    text += rank_line(prediction.machines, style);
  }
  if (prediction.machines.size() > kMostReports) {
    return text + "\nA prediction for one of them (--on NAME) shows its resources and sources.\n";
  }
  for (const ResourcePrediction& machine : prediction.machines) {
    text += "\n" + resource_report(machine, style);
  }
  return text;
}

}  // namespace ridge::render
