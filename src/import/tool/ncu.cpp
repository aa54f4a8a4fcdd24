// ncu --csv: page "details" has a row for each metric of each launch, page "raw" a row for each
// launch, a column for each metric, and a row of units below the header. Launches of one kernel add
// up to one region.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "import/lines.hpp"
#include "import/roofs.hpp"
#include "import/tool/ncu_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint = "ncu --csv --log-file FILE, with --page raw or details";

const FormulaTable& table() {
  static const FormulaTable kTable{kNcuFormulas};
  return kTable;
}

/// Metrics that matter, numbered: those of formulas first, then what composed ones and roofs need.
class MetricNames {
 public:
  MetricNames() : size_(table().metric_count()) {
    for (const Composed& composed : kNcuComposed) {
      add(composed.first);
      add(composed.second);
    }
    for (const DeviceRoof& roof : kNcuRoofs) {
      add(roof.per_cycle);
      add(roof.cycles_per_second);
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    for (const Alias& alias : kNcuAliases) {
      name = name == alias.name ? alias.means : name;
    }
    if (const auto number = table().number_of(name)) {
      return number;
    }
    const auto found = others_.find(name);
    return found == others_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  void add(std::string_view name) {
    if (!name.empty() && !find(name)) {
      others_.emplace(name, size_++);
    }
  }

  std::size_t size_;
  std::unordered_map<std::string_view, std::size_t> others_;
};

const MetricNames& metric_names() {
  static const MetricNames kNames;
  return kNames;
}

std::optional<double> factor_of_simple(std::string_view unit) {
  for (const BaseUnit& base : kNcuUnits) {
    if (unit == base.name) {
      return base.factor;
    }
  }
  for (const BaseUnit& prefix : kNcuPrefixes) {
    for (const BaseUnit& base : kNcuUnits) {
      if (!base.name.empty() && base.name != "%" && unit.starts_with(prefix.name) &&
          unit.substr(prefix.name.size()) == base.name) {
        return prefix.factor * base.factor;
      }
    }
  }
  return std::nullopt;
}

/// "Gbyte/second" -> 1e9, "cycle/nsecond" -> 1e9.
std::optional<double> factor_of(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  const auto upper = factor_of_simple(unit.substr(0, slash));
  const auto lower = slash == std::string_view::npos ? std::optional(1.0)
                                                     : factor_of_simple(unit.substr(slash + 1));
  return upper && lower ? std::optional(*upper / *lower) : std::nullopt;
}

/// Composed metrics from those of one launch.
void compose(MetricValues& values) {
  const auto at = [&](std::string_view name) {
    const auto number = metric_names().find(name);
    return number ? values[*number] : std::nullopt;
  };
  for (const Composed& composed : kNcuComposed) {
    const auto first = at(composed.first);
    const auto second = at(composed.second);
    auto& value = values[metric_names().find(composed.name).value()];
    if (composed.second.empty() && first && *first > 0.0) {
      value = 1.0 / *first;
    } else if (!composed.second.empty() && first && second) {
      value = *first * *second;
    }
  }
}

/// Sums of one kernel on one device.
struct Kernel {
  std::string name;
  std::string device;
  FigureSums sums{table()};
};

class NcuFile {
 public:
  explicit NcuFile(const Source& source)
      : source_(source), lines_(source.text), values_(metric_names().size()) {}

  Result<Imported> read() {
    if (const auto reason = find_header()) {
      return refused(*reason);
    }
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty() || lines_.line().starts_with("==")) {
        continue;
      }
      if (!split_cells(lines_.line(), ',', cells_) || cells_.size() < needed_) {
        return refused("has fewer cells than the header needs, or a quote is not closed");
      }
      const auto reason = metric_ ? read_detail() : read_raw();
      if (reason) {
        return refused(*reason);
      }
    }
    end_launch();
    return finish();
  }

 private:
  tl::unexpected<Error> refused(std::string_view reason) const {
    return refuse(source_.file, lines_.number(), reason, kHint);
  }

  /// What the program and ncu print before the table is passed over.
  std::optional<std::string> find_header() {
    while (lines_.next()) {
      if (!lines_.line().starts_with("\"ID\"") && !lines_.line().starts_with("ID,")) {
        continue;
      }
      if (!split_cells(lines_.line(), ',', header_)) {
        return "a quote is not closed";
      }
      return take_columns();
    }
    return "no line begins with the column \"ID\"";
  }

  std::optional<std::string> take_columns() {
    const auto name = find_column(header_, "Kernel Name");
    if (!name) {
      return "has no column \"Kernel Name\"";
    }
    kernel_ = *name;
    device_ = find_column(header_, "Device");
    capability_ = find_column(header_, "CC");
    needed_ = kernel_ + 1;
    metric_ = find_column(header_, "Metric Name");
    if (!metric_) {
      needed_ = header_.size();
      return take_metric_columns();
    }
    const auto unit = find_column(header_, "Metric Unit");
    const auto value = find_column(header_, "Metric Value");
    if (!unit || !value) {
      return "has no columns \"Metric Unit\" and \"Metric Value\"";
    }
    unit_ = *unit;
    value_ = *value;
    needed_ = std::max({kernel_, *metric_, unit_, value_}) + 1;
    return std::nullopt;
  }

  /// Of page "raw": the row of units stands below the header.
  std::optional<std::string> take_metric_columns() {
    if (!lines_.next() || !split_cells(lines_.line(), ',', cells_) ||
        cells_.size() != header_.size() || !trimmed(cells_[0]).empty()) {
      return "the row of units is not there";
    }
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const auto number = metric_names().find(header_[i]);
      if (!number) {
        continue;
      }
      const auto factor = factor_of(cells_[i]);
      if (!factor) {
        return fmt::format("{} has the unit {}, which is not known", quoted(header_[i]),
                           quoted(cells_[i]));
      }
      columns_.push_back({i, *number, *factor});
    }
    return columns_.empty() ? std::optional<std::string>("no column is a metric that matters")
                            : std::nullopt;
  }

  std::optional<std::string> read_detail() {
    begin_launch(cells_[0]);
    const auto number = metric_names().find(cells_[*metric_]);
    if (!number) {
      return std::nullopt;
    }
    // "Memory Throughput" is a percentage in one section, a rate in another.
    const bool is_share = cells_[unit_] == "%" && cells_[*metric_] == "Memory Throughput";
    if (is_share) {
      return std::nullopt;
    }
    const auto factor = factor_of(cells_[unit_]);
    if (!factor) {
      return fmt::format("{} has the unit {}, which is not known", quoted(cells_[*metric_]),
                         quoted(cells_[unit_]));
    }
    return keep(*number, cells_[*metric_], cells_[value_], *factor);
  }

  std::optional<std::string> read_raw() {
    if (!parse_number(cells_[0])) {
      return fmt::format("the ID is no number: {}", quoted(cells_[0]));
    }
    begin_launch(cells_[0]);
    for (const Column& column : columns_) {
      const auto reason =
          keep(column.metric, header_[column.cell], cells_[column.cell], column.factor);
      if (reason) {
        return reason;
      }
    }
    return std::nullopt;
  }

  /// ncu repeats a metric in several sections, to other digits: the first holds. What differs by
  /// more than rounding is an error.
  std::optional<std::string> keep(std::size_t number, std::string_view name, std::string_view cell,
                                  double factor) {
    constexpr double kRounding = 0.02;
    const std::string_view text = trimmed(cell);
    if (text.empty() || text == "N/A" || text == "n/a" || text == "nan") {
      return std::nullopt;  // not available on this device
    }
    const auto amount = parse_number(text);
    if (!amount) {
      return fmt::format("{} is no number: {}", quoted(name), quoted(text));
    }
    const double value = *amount * factor;
    auto& known = values_[number];
    if (known &&
        std::abs(*known - value) > kRounding * std::max(std::abs(*known), std::abs(value))) {
      return fmt::format("{} stands twice for one launch, with other values", quoted(name));
    }
    known = known ? *known : value;
    return std::nullopt;
  }

  void begin_launch(std::string_view id) {
    const std::string_view device = device_ && *device_ < cells_.size() ? cells_[*device_] : "";
    if (is_in_launch_ && id == id_ && cells_[kernel_] == name_) {
      return;
    }
    end_launch();
    is_in_launch_ = true;
    id_ = id;
    name_ = cells_[kernel_];
    device_name_ = device;
    if (capability_ && *capability_ < cells_.size()) {
      capability_name_ = cells_[*capability_];
    }
  }

  void end_launch() {
    if (!is_in_launch_) {
      return;
    }
    compose(values_);
    find_kernel().sums.add(values_);
    keep_roofs();
    std::fill(values_.begin(), values_.end(), std::nullopt);
    is_in_launch_ = false;
  }

  Kernel& find_kernel() {
    const auto found = numbers_.find({name_, device_name_});
    if (found != numbers_.end()) {
      return kernels_[found->second];
    }
    numbers_.emplace(std::pair(name_, device_name_), kernels_.size());
    Kernel& kernel = kernels_.emplace_back();
    kernel.name = unquoted(name_);
    kernel.device = std::string(device_name_);
    return kernel;
  }

  /// Peaks at the clock of a launch: the highest is that of the device.
  void keep_roofs() {
    for (std::size_t i = 0; i < kNcuRoofs.size(); ++i) {
      const auto work = values_[metric_names().find(kNcuRoofs[i].per_cycle).value()];
      const auto clock = values_[metric_names().find(kNcuRoofs[i].cycles_per_second).value()];
      if (work && clock) {
        roofs_[i] = std::max(roofs_[i].value_or(0.0), kNcuRoofs[i].factor * *work * *clock);
      }
    }
  }

  Result<Imported> finish() {
    Imported imported;
    imported.origins = {Origin::counted, Origin::counted, Origin::measured, Origin::measured};
    for (const Kernel& kernel : kernels_) {
      Region region;
      region.kind = RegionKind::kernel;
      region.name = kernel.name;
      region.function = kernel.name.substr(0, kernel.name.find('('));
      region.device = kernel.device.empty() ? "gpu" : "gpu" + kernel.device;
      region.entries = kernel.sums.launches();
      if (const auto reason = kernel.sums.put_into(region)) {
        return refuse(source_.file, 0, *reason);
      }
      imported.regions.push_back(std::move(region));
    }
    if (imported.regions.empty()) {
      return refused("ends without a launch");
    }
    imported.machine.name = capability_name_.empty()
                                ? "GPU"
                                : fmt::format("GPU of compute capability {}", capability_name_);
    add_ceilings(imported);
    return imported;
  }

  void add_ceilings(Imported& imported) const {
    for (std::size_t i = 0; i < kNcuRoofs.size(); ++i) {
      if (!roofs_[i] || !(*roofs_[i] > 0.0)) {
        continue;
      }
      const DeviceRoof& roof = kNcuRoofs[i];
      if (!roof.level) {
        const ComputeKey key{std::string(roof.precision), {}, Operation::fma, 1};
        add_roof(imported.machine, {key, {}}, *roofs_[i], Origin::datasheet);
      } else {
        const BandwidthKey key{*roof.level, Pattern::load, {}, 1};
        add_roof(imported.machine, {key, {}}, *roofs_[i], Origin::datasheet);
      }
    }
    if (!imported.machine.ceilings.empty()) {
      add_note(imported.machine.notes, "device-as-machine",
               "the machine of this result is the device: its roofs hold for all kernels");
      add_note(imported.machine.notes, "peaks-of-the-tool",
               "roofs are peaks by cycle times the clock of the profiled launches, as ncu states "
               "them");
    }
  }

  struct Column {
    std::size_t cell;
    std::size_t metric;
    double factor;
  };

  Source source_;
  Lines lines_;
  std::vector<std::string_view> header_;
  std::vector<std::string_view> cells_;
  std::size_t kernel_ = 0;
  std::optional<std::size_t> device_;
  std::optional<std::size_t> capability_;
  std::optional<std::size_t> metric_;  ///< of page "details"
  std::size_t unit_ = 0;
  std::size_t value_ = 0;
  std::size_t needed_ = 0;
  std::vector<Column> columns_;  ///< of page "raw"

  MetricValues values_;
  bool is_in_launch_ = false;
  std::string_view id_;
  std::string_view name_;
  std::string_view device_name_;
  std::string_view capability_name_;
  std::vector<Kernel> kernels_;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> numbers_;
  std::array<std::optional<double>, kNcuRoofs.size()> roofs_{};
};

}  // namespace

bool sniff_ncu(std::string_view beginning) {
  Lines lines(beginning);
  while (lines.next()) {
    if (lines.line().starts_with("\"ID\",\"Process ID\"") ||
        lines.line().starts_with("ID,Process ID")) {
      return true;
    }
  }
  return false;
}

Result<Imported> read_ncu(const Source& source) {
  return NcuFile(source).read();
}

}  // namespace ridge::imports
