// Caliper's json-split: records as rows, whose columns are values or references to nodes of a tree
// of regions. Records are exclusive: what regions inside did stands in their own. A column that is
// called inclusive contains it: the region's own figure is what is left without theirs.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/caliper_formulas.hpp"
#include "import/tool/json_file.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

using serialize::Reader;

const FormulaTable& table() {
  static const FormulaTable kTable{kCaliperFormulas};
  return kTable;
}

std::size_t seconds_metric() {
  return table().number_of("seconds").value();
}

/// What one column is for.
struct Column {
  std::optional<std::size_t> metric;
  double factor = 1.0;
  bool is_inclusive = false;
};

/// The name of a figure without the operators before it.
struct ColumnName {
  std::string_view name;
  bool is_inclusive = false;
};

ColumnName name_of_column(std::string_view title) {
  ColumnName found{title};
  for (;;) {
    if (found.name.starts_with(kCaliperSum)) {
      found.name.remove_prefix(kCaliperSum.size());
    } else if (found.name.starts_with(kCaliperInclusive)) {
      found.name.remove_prefix(kCaliperInclusive.size());
      found.is_inclusive = true;
    } else {
      break;
    }
  }
  found.name.remove_prefix(found.name.starts_with("papi.") ? 5 : 0);
  found.is_inclusive =
      found.is_inclusive || std::find(kCaliperInclusiveTimes.begin(), kCaliperInclusiveTimes.end(),
                                      found.name) != kCaliperInclusiveTimes.end();
  return found;
}

struct Node {
  std::string label;
  std::optional<std::size_t> parent;
};

/// Sums over records; a metric that one record lacks is unknown.
struct Sums {
  std::vector<double> values = std::vector<double>(table().metric_count(), 0.0);
  std::vector<std::size_t> seen = std::vector<std::size_t>(table().metric_count(), 0);

  void add(std::size_t metric, double value) {
    values[metric] += value;
    ++seen[metric];
  }
};

/// What one process did in one region.
struct ProcessSums {
  Sums own;
  Sums inclusive;
  std::size_t records = 0;

  [[nodiscard]] std::optional<double> value(const Sums& sums, std::size_t metric) const {
    return sums.seen[metric] == records ? std::optional(sums.values[metric]) : std::nullopt;
  }
};
using Processes = std::map<std::uint64_t, ProcessSums>;  ///< by rank

class CaliperFile {
 public:
  explicit CaliperFile(const Reader& root) : root_(root) {}

  Result<Imported> read(const Source& source) {
    imported_.version = optional_from(root_.find("cali.caliper.version"), &Reader::text);
    imported_.origins.flops = Origin::measured;
    if (const auto program = optional_from(root_.find("executablepath"), &Reader::text)) {
      imported_.argv = {*program};
    }
    read_columns();
    read_nodes();
    for (const Reader& row : root_.at("data").items()) {
      read_row(row);
      if (!root_.ok()) {
        return imported_;
      }
    }
    for (std::size_t metric = 0; metric < table().metric_count(); ++metric) {
      if (const auto reason = derive_own(metric)) {
        return refuse(source.file, 0, *reason);
      }
    }
    for (const auto& [node, processes] : regions_) {
      if (const auto reason = put(node, processes)) {
        return refuse(source.file, 0, *reason);
      }
    }
    return std::move(imported_);
  }

 private:
  void read_columns() {
    const std::vector<Reader> titles = root_.at("columns").items();
    const std::vector<Reader> metadata = root_.at("column_metadata").items();
    if (titles.size() != metadata.size()) {
      root_.fail(fmt::format("has {} columns and metadata of {}", titles.size(), metadata.size()));
      return;
    }
    for (std::size_t i = 0; i < titles.size(); ++i) {
      const std::string title = titles[i].text();
      if (!metadata[i].at("is_value").flag()) {
        path_ = path_ && title != "path" ? path_ : std::optional(i);
        columns_.push_back({});
        continue;
      }
      rank_ = title == "mpi.rank" ? std::optional(i) : rank_;
      columns_.push_back(column_of(title, metadata[i]));
    }
    if (!path_) {
      root_.fail("has no column of regions (one whose is_value is false)");
    }
  }

  Column column_of(const std::string& title, const Reader& metadata) {
    const ColumnName name = name_of_column(title);
    const auto is_in = [&](const auto& names) {
      return std::find(names.begin(), names.end(), name.name) != names.end();
    };
    if (is_in(kCaliperTimes) || is_in(kCaliperInclusiveTimes)) {
      return time_column(title, name, metadata);
    }
    if (is_in(kCaliperVisits)) {
      return claim({table().number_of("region.count"), 1.0, name.is_inclusive});
    }
    const auto metric = table().number_of(name.name);
    return metric == seconds_metric() ? Column{} : claim({metric, 1.0, name.is_inclusive});
  }

  Column time_column(const std::string& title, const ColumnName& name, const Reader& metadata) {
    std::string unit = name.name.ends_with(".ns") ? "nsec" : "";
    for (const std::string_view key : {"time.unit", "attribute.unit"}) {
      unit = optional_from(metadata.find(key), &Reader::text).value_or(unit);
    }
    const auto found = std::find_if(kCaliperUnits.begin(), kCaliperUnits.end(),
                                    [&](const CaliperUnit& each) { return each.name == unit; });
    if (found == kCaliperUnits.end()) {
      add_note(imported_.notes, "unit-unknown",
               fmt::format("{} has no unit of time in this file: it is left out (SELECT "
                           "sum(sum#time.duration.ns) AS time UNIT nsec)",
                           quoted(title)));
      return {};
    }
    return claim({seconds_metric(), found->seconds, name.is_inclusive});
  }

  [[nodiscard]] bool is_claimed(std::optional<std::size_t> metric, bool is_inclusive) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const Column& each) {
      return metric && each.metric == metric && each.is_inclusive == is_inclusive;
    });
  }

  /// Of two columns for one figure the first counts.
  [[nodiscard]] Column claim(const Column& column) const {
    return is_claimed(column.metric, column.is_inclusive) ? Column{} : column;
  }

  void read_nodes() {
    for (const Reader& item : root_.at("nodes").items()) {
      Node node{item.at("label").text(), std::nullopt};
      const auto parent = optional_from(item.find("parent"), &Reader::count);
      if (parent && *parent >= nodes_.size()) {
        item.fail("stands before its parent");
        return;
      }
      node.parent = parent ? std::optional<std::size_t>(*parent) : std::nullopt;
      nodes_.push_back(std::move(node));
    }
  }

  void read_row(const Reader& row) {
    const std::vector<Reader> cells = row.items();
    if (!root_.ok()) {
      return;
    }
    if (cells.size() != columns_.size()) {
      row.fail(fmt::format("has {} cells, there are {} columns", cells.size(), columns_.size()));
      return;
    }
    if (cells[*path_].kind() == serialize::JsonKind::null) {
      add_note(imported_.notes, "outside-regions", "what ran outside all regions is left out");
      return;
    }
    const std::uint64_t node = cells[*path_].count();
    if (node >= nodes_.size()) {
      cells[*path_].fail("is the number of no node");
      return;
    }
    const bool has_rank = rank_ && cells[*rank_].kind() != serialize::JsonKind::null;
    ProcessSums& sums = regions_[node][has_rank ? cells[*rank_].count() : 0];
    ++sums.records;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Column& column = columns_[i];
      if (column.metric && cells[i].kind() != serialize::JsonKind::null) {
        (column.is_inclusive ? sums.inclusive : sums.own)
            .add(*column.metric, cells[i].non_negative_real() * column.factor);
      }
    }
  }

  /// The innermost region around `node` in which the process has records.
  ProcessSums* around(std::size_t node, std::uint64_t rank) {
    for (auto parent = nodes_[node].parent; parent; parent = nodes_[*parent].parent) {
      const auto found = regions_.find(*parent);
      if (found != regions_.end() && found->second.contains(rank)) {
        return &found->second.at(rank);
      }
    }
    return nullptr;
  }

  /// Where only the inclusive figure is known: without that of the regions inside, process by
  /// process. The reason where they have more than the region around them.
  std::optional<std::string> derive_own(std::size_t metric) {
    if (is_claimed(metric, false) || !is_claimed(metric, true)) {
      return std::nullopt;
    }
    std::map<const ProcessSums*, std::optional<double>> inside;
    for (auto& [node, processes] : regions_) {
      for (auto& [rank, sums] : processes) {
        const auto own = sums.value(sums.inclusive, metric);
        if (const ProcessSums* outer = around(node, rank)) {
          auto& sum = inside.try_emplace(outer, 0.0).first->second;
          sum = sum && own ? std::optional(*sum + *own) : std::nullopt;
        }
      }
    }
    for (auto& [node, processes] : regions_) {
      for (auto& [rank, sums] : processes) {
        const auto all = sums.value(sums.inclusive, metric);
        const auto inner = inside.try_emplace(&sums, 0.0).first->second;
        if (!all || !inner) {
          continue;
        }
        if (*inner - *all > kCaliperRounding * *all) {
          return fmt::format("the regions inside {} have more than it has itself, inclusive",
                             quoted(path_of(node)));
        }
        sums.own.values[metric] = std::max(0.0, *all - *inner);
        sums.own.seen[metric] = sums.records;
      }
    }
    return std::nullopt;
  }

  /// Work adds up over processes, the time is that of the slowest.
  static std::optional<double> over_processes(const Processes& processes, std::size_t metric,
                                              Sums ProcessSums::* kind) {
    double value = 0.0;
    for (const auto& [rank, sums] : processes) {
      const auto own = sums.value(sums.*kind, metric);
      if (!own) {
        return std::nullopt;
      }
      value = metric == seconds_metric() ? std::max(value, *own) : value + *own;
    }
    return value;
  }

  std::optional<std::string> put(std::size_t node, const Processes& processes) {
    Region region;
    region.kind = RegionKind::marker;
    region.function = nodes_[node].label;
    region.name = is_unique(node) ? nodes_[node].label : path_of(node);
    region.threads = static_cast<unsigned>(processes.size());
    MetricValues values(table().metric_count());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = over_processes(processes, i, &ProcessSums::own);
    }
    FigureSums sums(table());
    sums.add(values);
    const auto reason = sums.put_into(region);
    if (const auto seconds = over_processes(processes, seconds_metric(), &ProcessSums::inclusive);
        seconds && std::isfinite(*seconds)) {
      region.time_seconds.inclusive = exact_time(*seconds);
    }
    if (processes.size() > 1) {
      add_note(region.notes, "several-processes",
               fmt::format("{} processes: work is their sum, the time that of the slowest",
                           processes.size()));
    }
    imported_.regions.push_back(std::move(region));
    return reason;
  }

  [[nodiscard]] bool is_unique(std::size_t node) const {
    return std::none_of(regions_.begin(), regions_.end(), [&](const auto& other) {
      return other.first != node && nodes_[other.first].label == nodes_[node].label;
    });
  }

  [[nodiscard]] std::string path_of(std::size_t node) const {
    std::string path = nodes_[node].label;
    for (auto parent = nodes_[node].parent; parent; parent = nodes_[*parent].parent) {
      path.insert(0, nodes_[*parent].label + "/");
    }
    return path;
  }

  Reader root_;
  Imported imported_;
  std::vector<Column> columns_;
  std::vector<Node> nodes_;
  std::optional<std::size_t> path_;
  std::optional<std::size_t> rank_;
  std::map<std::size_t, Processes> regions_;  ///< by node
};

}  // namespace

bool sniff_caliper(std::string_view beginning) {
  const std::string_view text = trimmed(beginning);
  if (!text.starts_with('{')) {
    return false;
  }
  // "data" comes first and may be longer than what is seen: then its rows are arrays.
  const std::size_t first = text.find('"');
  return first != std::string_view::npos && text.substr(first).starts_with("\"data\"") &&
         text.find('[') != std::string_view::npos;
}

Result<Imported> read_caliper(const Source& source) {
  auto file = JsonFile::parse(source, serialize::JsonNull::kept);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  auto imported = CaliperFile((*file)->root()).read(source);
  if (!imported) {
    return imported;
  }
  return (*file)->finish(std::move(*imported));
}

}  // namespace ridge::imports
