// likwid-perfctr -O: tables of events and metrics with a column for each hardware thread, of the
// whole program or of each marker region. Every line has as many commas as the widest one.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "import/lines.hpp"
#include "import/tool/likwid_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kTable = "TABLE,";
constexpr std::string_view kRegion = "Region ";

const FormulaTable& table() {
  static const FormulaTable kTableOfFormulas{kLikwidFormulas};
  return kTableOfFormulas;
}

bool takes_largest(std::string_view metric) {
  return std::find(kLikwidLargest.begin(), kLikwidLargest.end(), metric) != kLikwidLargest.end();
}

/// One group of events of one region, or of the program.
struct Measured {
  std::string region;  ///< empty: the program
  std::string group;
  MetricValues values = MetricValues(table().metric_count());
  std::size_t threads = 0;
};

class PerfctrFile {
 public:
  explicit PerfctrFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      if (!split_cells(line, ',', cells_)) {
        return refused("a quote is not closed");
      }
      if (line.starts_with(kTable)) {
        if (const auto reason = begin_table()) {
          return refused(*reason);
        }
      } else if (cells_[0] == "CPU name:" && cells_.size() > 1) {
        imported_.machine.name = std::string(trimmed(cells_[1]));
      } else if (current_ && !is_statistic_) {
        if (const auto reason = read_row()) {
          return refused(*reason);
        }
      }
    }
    return finish();
  }

 private:
  tl::unexpected<Error> refused(std::string_view reason) const {
    return refuse(source_.file, lines_.number(), reason,
                  "write the file anew: likwid-perfctr -o FILE.csv");
  }

  /// TABLE,Group 1 Raw,FLOPS_DP,9 or TABLE,Region triad,Group 1 Raw,FLOPS_DP,9.
  std::optional<std::string> begin_table() {
    const bool has_region = cells_.size() > 1 && cells_[1].starts_with(kRegion);
    const std::size_t at = has_region ? 2 : 1;
    if (cells_.size() < at + 2 || !cells_[at].starts_with("Group ")) {
      return "this TABLE names no group";
    }
    is_statistic_ = cells_[at].ends_with(" STAT");
    columns_.clear();
    const std::string_view region =
        has_region ? cells_[1].substr(kRegion.size()) : std::string_view{};
    const auto found = std::find_if(measured_.begin(), measured_.end(), [&](const Measured& known) {
      return known.region == region && known.group == cells_[at + 1];
    });
    current_ = static_cast<std::size_t>(found - measured_.begin());
    if (found == measured_.end()) {
      measured_.push_back({.region = std::string(region), .group = std::string(cells_[at + 1])});
    }
    seen_.clear();
    return std::nullopt;
  }

  /// A header, or one event or metric of all threads.
  std::optional<std::string> read_row() {
    if (cells_[0] == "Event" || cells_[0] == "Metric" || cells_[0] == "Region Info") {
      begin_columns();
      return columns_.empty() ? std::optional<std::string>("no column is of a HWThread or Core")
                              : std::nullopt;
    }
    for (const EventRemark& remark : kLikwidRemarks) {
      if (cells_[0] == remark.event) {
        add_note(imported_.notes, remark.code, std::string(remark.text));
      }
    }
    const auto number = table().number_of(cells_[0]);
    if (!number) {
      return std::nullopt;
    }
    if (columns_.empty()) {
      return fmt::format("{} stands before the header of its table", quoted(cells_[0]));
    }
    return read_values(*number);
  }

  std::optional<std::string> read_values(std::size_t number) {
    std::optional<double> all;
    for (const std::size_t column : columns_) {
      if (column >= cells_.size()) {
        return fmt::format("{} has {} cells, its header {}", quoted(cells_[0]), cells_.size(),
                           columns_.back() + 1);
      }
      const std::string_view cell = trimmed(cells_[column]);
      const auto value = parse_number(cell);
      if (!value && (cell.ends_with("nan") || cell == "-" || cell.ends_with("inf"))) {
        return std::nullopt;  // LIKWID could not compute it: it stays unknown
      }
      if (!value) {
        return fmt::format("{} is no number: {}", quoted(cells_[0]), quoted(cell));
      }
      all = !all ? *value : takes_largest(cells_[0]) ? std::max(*all, *value) : *all + *value;
    }
    return keep(number, *all);
  }

  /// The same event may stand at several counters, one for each channel: they add up. The same line
  /// twice is an error.
  std::optional<std::string> keep(std::size_t number, double value) {
    const std::string_view counter = has_counters_ ? cells_[1] : std::string_view{};
    if (!seen_.emplace(std::string(cells_[0]) + '\0' + std::string(counter), true).second) {
      return fmt::format("{} stands twice in one table", quoted(cells_[0]));
    }
    auto& known = measured_[*current_].values[number];
    known = !known || takes_largest(cells_[0]) ? std::max(known.value_or(value), value)
                                               : *known + value;
    return std::nullopt;
  }

  void begin_columns() {
    columns_.clear();
    has_counters_ = cells_[0] == "Event";
    for (std::size_t i = 1; i < cells_.size(); ++i) {
      if (cells_[i].starts_with("HWThread ") || cells_[i].starts_with("Core ")) {
        columns_.push_back(i);
      }
    }
    Measured& measured = measured_[*current_];
    measured.threads = std::max(measured.threads, columns_.size());
  }

  Result<Imported> finish() {
    std::map<std::string, unsigned> groups;
    for (const Measured& measured : measured_) {
      ++groups[measured.region];
    }
    for (const Measured& measured : measured_) {
      Region region;
      region.kind = measured.region.empty() ? RegionKind::program : RegionKind::marker;
      region.name = measured.region.empty() ? "program" : measured.region;
      region.function = measured.region;
      region.threads = static_cast<unsigned>(measured.threads);
      if (groups[measured.region] > 1) {
        region.name += fmt::format(" ({})", measured.group);
        region.kind = RegionKind::marker;
        add_note(imported_.notes, "groups-apart",
                 "each group of events was measured in a part of the run: they stand as regions "
                 "of their own");
      }
      FigureSums sums(table());
      sums.add(measured.values);
      if (const auto reason = sums.put_into(region)) {
        return refuse(source_.file, 0, *reason);
      }
      if (has_any_figure(region)) {
        imported_.regions.push_back(std::move(region));
      }
    }
    set_wall_time();
    return std::move(imported_);
  }

  void set_wall_time() {
    if (imported_.regions.size() == 1 && imported_.regions[0].kind == RegionKind::program &&
        imported_.regions[0].time_seconds.self) {
      imported_.wall_seconds = imported_.regions[0].time_seconds.self->value;
      imported_.regions[0].time_seconds.inclusive = imported_.regions[0].time_seconds.self;
    }
  }

  Source source_;
  Lines lines_;
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> columns_;  ///< of hardware threads
  std::vector<Measured> measured_;
  std::optional<std::size_t> current_;  ///< in measured_
  std::map<std::string, bool> seen_;    ///< rows of this table
  bool is_statistic_ = false;
  bool has_counters_ = false;
  Imported imported_;
};

}  // namespace

bool sniff_likwid_perfctr(std::string_view beginning) {
  Lines lines(beginning);
  while (lines.next()) {
    if (lines.line().starts_with("STRUCT,Info,") || lines.line().starts_with("TABLE,Group ") ||
        lines.line().starts_with("TABLE,Region ")) {
      return true;
    }
  }
  return false;
}

Result<Imported> read_likwid_perfctr(const Source& source) {
  return PerfctrFile(source).read();
}

}  // namespace ridge::imports
