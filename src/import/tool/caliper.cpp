// Caliper's json-split: records as rows, whose columns are values or references to nodes of a tree
// of regions. Records are exclusive: what regions inside did stands in their own.
#include <algorithm>
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
};

struct Node {
  std::string label;
  std::optional<std::size_t> parent;
};

/// Sums over the records of one process; a metric that one record lacks is unknown.
struct Sums {
  MetricValues values = MetricValues(table().metric_count());
  std::vector<std::size_t> seen = std::vector<std::size_t>(table().metric_count(), 0);
  std::size_t records = 0;
};

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
    for (const auto& [node, ranks] : regions_) {
      if (const auto reason = put(node, ranks)) {
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
    std::string_view name = title;
    while (name.starts_with("sum#")) {
      name.remove_prefix(4);
    }
    name.remove_prefix(name.starts_with("papi.") ? 5 : 0);
    if (std::find(kCaliperTimes.begin(), kCaliperTimes.end(), name) != kCaliperTimes.end()) {
      return time_column(title, name, metadata);
    }
    if (std::find(kCaliperVisits.begin(), kCaliperVisits.end(), name) != kCaliperVisits.end()) {
      return claim(table().number_of("region.count"), 1.0);
    }
    const auto metric = table().number_of(name);
    return metric == seconds_metric() ? Column{} : claim(metric, 1.0);
  }

  Column time_column(const std::string& title, std::string_view name, const Reader& metadata) {
    std::string unit = name.ends_with(".ns") ? "nsec" : "";
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
    return claim(seconds_metric(), found->seconds);
  }

  /// Of two columns for one figure the first counts.
  Column claim(std::optional<std::size_t> metric, double factor) const {
    const bool is_taken = std::any_of(columns_.begin(), columns_.end(), [&](const Column& each) {
      return metric && each.metric == metric;
    });
    return is_taken ? Column{} : Column{metric, factor};
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
    Sums& sums = regions_[node][has_rank ? cells[*rank_].count() : 0];
    ++sums.records;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& metric = columns_[i].metric;
      if (metric && cells[i].kind() != serialize::JsonKind::null) {
        sums.values[*metric] =
            sums.values[*metric].value_or(0.0) + cells[i].non_negative_real() * columns_[i].factor;
        ++sums.seen[*metric];
      }
    }
  }

  /// Work adds up over processes, the time is that of the slowest.
  static MetricValues over_ranks(const std::map<std::uint64_t, Sums>& ranks) {
    MetricValues all(table().metric_count());
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool is_known = true;
      double value = 0.0;
      for (const auto& [rank, sums] : ranks) {
        is_known = is_known && sums.seen[i] == sums.records;
        const double own = sums.values[i].value_or(0.0);
        value = i == seconds_metric() ? std::max(value, own) : value + own;
      }
      all[i] = is_known ? std::optional(value) : std::nullopt;
    }
    return all;
  }

  std::optional<std::string> put(std::size_t node, const std::map<std::uint64_t, Sums>& ranks) {
    Region region;
    region.kind = RegionKind::marker;
    region.function = nodes_[node].label;
    region.name = is_unique(node) ? nodes_[node].label : path_of(node);
    region.threads = static_cast<unsigned>(ranks.size());
    FigureSums sums(table());
    sums.add(over_ranks(ranks));
    const auto reason = sums.put_into(region);
    if (ranks.size() > 1) {
      add_note(region.notes, "several-processes",
               fmt::format("{} processes: work is their sum, the time that of the slowest",
                           ranks.size()));
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
  std::map<std::size_t, std::map<std::uint64_t, Sums>> regions_;  ///< by node, then rank
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
