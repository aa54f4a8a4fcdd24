#include "render/document/network/network_table.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

using Layers = std::vector<std::size_t>;  // places in Network::layers

bool moves_nothing(const NetworkLayer& layer) {
  return layer.kind == LayerKind::view || layer.kind == LayerKind::constant;
}

bool is_integer_work(const NetworkLayer& layer) {
  return layer.intops.value_or(0) > layer.flops.value_or(0);
}

std::string count_cell(const std::optional<std::uint64_t>& count, std::string_view unit) {
  return count ? si(static_cast<double>(*count), unit) : std::string(kUnknown);
}

std::string work_cell(const NetworkLayer& layer) {
  return is_integer_work(layer) ? count_cell(layer.intops, "op") : count_cell(layer.flops, "Flop");
}

/// "Conv +3": three operators run inside it.
std::string operation_cell(const NetworkLayer& layer) {
  return layer.fused.empty() ? clean(layer.operation)
                             : fmt::format("{} +{}", clean(layer.operation), layer.fused.size());
}

std::string bound_cell(const NetworkTimes& times, const LayerTime& time) {
  const std::string name =
      time.bound ? clean(times.roofs[*time.bound].name) : std::string(kUnknown);
  return time.incomplete ? name + " ?" : name;
}

std::string time_cell(const LayerTime& time) {
  const std::string text = si(time.seconds, "s");
  return time.incomplete && time.seconds ? ">= " + text : text;
}

template <class Cell>
TextColumn column(std::string title, int importance, const Layers& rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.importance = importance;
  for (const std::size_t row : rows) {
    result.cells.push_back(cell(row));
  }
  return result;
}

std::string layer_table(const Network& network, const NetworkTimes& times, const Layers& rows,
                        const TextStyle& style) {
  const auto& layers = network.layers;
  std::vector<TextColumn> columns;
  columns.push_back(column("layer", 0, rows,
                           [&](std::size_t i) { return clean(layers[i].name, style.unicode); }));
  columns.back().left = true;
  columns.back().least_width = 10;
  columns.back().fit = [&](std::size_t row, std::size_t width) {
    return shorten_middle(clean(layers[rows[row]].name, style.unicode), width, style.unicode);
  };
  columns.push_back(
      column("operator", 0, rows, [&](std::size_t i) { return operation_cell(layers[i]); }));
  columns.back().left = true;
  columns.push_back(column("output", 2, rows, [&](std::size_t i) {
    return fmt::format("{}", fmt::join(layers[i].output_shape, "x"));
  }));
  columns.push_back(column("work", 0, rows, [&](std::size_t i) { return work_cell(layers[i]); }));
  const auto bytes = [&](std::string title, auto member) {
    columns.push_back(column(std::move(title), 3, rows, [&, member](std::size_t i) {
      return count_cell(layers[i].*member, "B");
    }));
    columns.back().group = "bytes";
  };
  bytes("weights", &NetworkLayer::weight_bytes);
  bytes("read", &NetworkLayer::read_bytes);
  bytes("written", &NetworkLayer::written_bytes);
  columns.push_back(
      column("flop/byte", 4, rows, [&](std::size_t i) { return number(intensity_of(layers[i])); }));
  columns.push_back(
      column("bound", 5, rows, [&](std::size_t i) { return bound_cell(times, times.layers[i]); }));
  columns.back().left = true;
  columns.push_back(
      column("time", 0, rows, [&](std::size_t i) { return time_cell(times.layers[i]); }));
  columns.push_back(column("share", 1, rows, [&](std::size_t i) {
    const auto seconds = times.layers[i].seconds;
    return seconds && times.seconds > 0.0 ? percent(*seconds / times.seconds, 1)
                                          : std::string(kUnknown);
  }));
  return render_table(std::move(columns), usable_columns(style), style);
}

/// Seconds by binding roof, the largest first: "fp16 matrix 71 %, HBM 29 %".
std::string bound_shares(const NetworkTimes& times) {
  std::map<std::string, double> seconds;
  for (const LayerTime& time : times.layers) {
    if (time.bound) {
      seconds[times.roofs[*time.bound].name] += time.seconds.value_or(0.0);
    }
  }
  std::vector<std::pair<std::string, double>> sorted(seconds.begin(), seconds.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [name, part] : sorted) {
    if (part > 0.0) {
      texts.push_back(fmt::format("{} {}", clean(name), percent(part / times.seconds)));
    }
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string machine_list(const std::vector<NetworkTimes>& times, const TextStyle& style) {
  Layers rows(times.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = i;
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return times[a].seconds < times[b].seconds;
  });
  std::vector<TextColumn> columns;
  columns.push_back(
      column("machine", 0, rows, [&](std::size_t i) { return clean(times[i].machine); }));
  columns.back().left = true;
  columns.push_back(column("time", 0, rows, [&](std::size_t i) {
    return fmt::format("{}{}", times[i].incomplete_layers > 0 ? ">= " : "",
                       si(times[i].seconds, "s"));
  }));
  columns.push_back(column("without overlap", 2, rows, [&](std::size_t i) {
    return si(times[i].seconds_without_overlap, "s");
  }));
  columns.push_back(
      column("bound", 1, rows, [&](std::size_t i) { return bound_shares(times[i]); }));
  columns.back().left = true;
  return render_table(std::move(columns), usable_columns(style), style);
}

// ---- below the table ----

/// "3 Reshape, 1 Flatten": by operator, the most frequent first.
std::string operators_of(const Network& network, LayerKind kind) {
  std::map<std::string, std::size_t> counts;
  for (const NetworkLayer& layer : network.layers) {
    if (layer.kind == kind) {
      ++counts[layer.operation];
    }
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto& [operation, count] : sorted) {
    texts.push_back(fmt::format("{} {}", count, clean(operation)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

class Below {
 public:
  explicit Below(const TextStyle& style) : style_(style) {}

  /// A paragraph behind a word, wrapped.
  void add(std::string_view word, std::string_view text) {
    constexpr std::size_t kIndent = 11;
    const auto lines = wrap(text, usable_columns(style_) - kIndent);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text_ += pad_right(std::string(i == 0 ? word : ""), kIndent) + lines[i] + "\n";
    }
  }
  std::string take() { return std::move(text_); }

 private:
  const TextStyle& style_;
  std::string text_;
};

std::string layers(std::uint64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "layer" : "layers");
}

std::string unknown_parts(const NetworkTotals& totals) {
  std::string text;
  if (totals.without_flops > 0) {
    text += "; without the work of " + layers(totals.without_flops);
  }
  if (totals.without_bytes > 0) {
    text += "; without the bytes of " + layers(totals.without_bytes);
  }
  return text;
}

void add_sums(Below& below, const Network& network) {
  const NetworkTotals totals = totals_of(network);
  std::string work =
      fmt::format("{}{} ({} flop)", totals.without_flops > 0 ? ">= " : "",
                  si(static_cast<double>(totals.flops), "Flop"), grouped(totals.flops));
  if (totals.intops > 0) {
    work += fmt::format(", {} on integers", si(static_cast<double>(totals.intops), "op"));
  }
  below.add("work", work + unknown_parts(totals));
  const double bytes = static_cast<double>(totals.bytes());
  below.add("bytes",
            fmt::format("{}: weights {}, read {}, written {}; {} flop/byte; weights stored {}",
                        si(bytes, "B"), si(static_cast<double>(totals.weight_bytes), "B"),
                        si(static_cast<double>(totals.read_bytes), "B"),
                        si(static_cast<double>(totals.written_bytes), "B"),
                        number(bytes > 0 && totals.without_flops == 0
                                   ? std::optional(static_cast<double>(totals.flops) / bytes)
                                   : std::nullopt),
                        si(static_cast<double>(network.weight_bytes), "B")));
  std::vector<std::string> calls;
  for (const auto& [name, count] : totals.calls) {
    if (count > 0) {
      calls.push_back(fmt::format("{} {}", si(static_cast<double>(count), ""), clean(name)));
    }
  }
  if (!calls.empty()) {
    below.add("calls", fmt::format("{}: counted 0 flop, and they take no time here",
                                   fmt::join(calls, ", ")));
  }
}

void add_kinds(Below& below, const Network& network) {
  if (const auto views = operators_of(network, LayerKind::view); !views.empty()) {
    below.add("views", views + ": the same bytes under another shape, no traffic");
  }
  if (const auto constants = operators_of(network, LayerKind::constant); !constants.empty()) {
    below.add("constant", constants + ": from weights and shapes alone, computed once");
  }
  if (const auto unknown = operators_of(network, LayerKind::unknown); !unknown.empty()) {
    below.add("unknown", unknown + ": no formula, so bytes alone; the sums are lower bounds");
  }
}

void add_machine(Below& below, const NetworkTimes& times) {
  for (const NetworkRoof& roof : times.roofs) {
    const std::string_view unit = roof.unit == "flop/s"   ? "Flop/s"
                                  : roof.unit == "op/s"   ? "op/s"
                                  : roof.unit == "byte/s" ? "B/s"
                                                          : "/s";
    below.add("roof", fmt::format("{} {}, {}, {}{}", clean(roof.name), si(roof.rate, unit),
                                  to_string(roof.basis), to_string(roof.origin),
                                  roof.verified ? "" : ", unverified"));
  }
  for (const Note& note : times.notes) {
    below.add("note", clean(note.text));
  }
}

std::string title(const Network& network, const NetworkTimes* only, const TextStyle& style) {
  std::string text = paint(clean(network.name, style.unicode), kBold, style);
  if (only != nullptr) {
    text += fmt::format(" on {} ({})", clean(only->machine_name), clean(only->machine));
  }
  text += network.precision.empty() ? ", weights and activations as the model has them"
                                    : fmt::format(", weights and activations at {} (asked for)",
                                                  clean(network.precision));
  return text + (network.fused ? ", element-wise layers fused\n\n" : "\n\n");
}

}  // namespace

std::string network_table(const Network& network, const std::vector<NetworkTimes>& times,
                          const TextStyle& style) {
  const NetworkTimes* only = times.size() == 1 ? &times[0] : nullptr;
  std::string text = title(network, only, style);
  Below below(style);
  if (only != nullptr) {
    Layers rows;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      if (!moves_nothing(network.layers[i])) {
        rows.push_back(i);
      }
    }
    text += layer_table(network, *only, rows, style) + "\n";
    below.add("time", fmt::format("{}{} (sum over layers, work and traffic of each overlapped); {} "
                                  "without overlap; bound: {}",
                                  only->incomplete_layers > 0 ? ">= " : "", si(only->seconds, "s"),
                                  si(only->seconds_without_overlap, "s"), bound_shares(*only)));
    if (only->launch_seconds) {
      below.add("", fmt::format("{} of it to start kernels, one for each layer",
                                si(*only->launch_seconds, "s")));
    }
    if (only->incomplete_layers > 0) {
      below.add("", fmt::format("{} marked ?: the work, the bytes or the roof is not known",
                                layers(only->incomplete_layers)));
    }
  } else {
    text += machine_list(times, style) + "\n";
  }
  if (only == nullptr) {
    below.add("", "one machine alone shows its layers and roofs; --json has all");
  }
  add_sums(below, network);
  add_kinds(below, network);
  if (only != nullptr) {
    add_machine(below, *only);
  }
  for (const Note& note : network.notes) {
    below.add("note", clean(note.text, style.unicode));
  }
  const bool starts = std::any_of(times.begin(), times.end(), [](const NetworkTimes& each) {
    return each.launch_seconds.has_value();
  });
  below.add("assumed",
            fmt::format("each layer reads its weights and inputs and writes its outputs once, "
                        "through the main memory; nothing stays in caches between layers; {}; "
                        "products reach the matrix peak, the rest the vector peak",
                        starts ? "on a GPU no kernel starts before the one before has ended"
                               : "starting a layer costs nothing"));
  return text + below.take();
}

}  // namespace ridge::render
