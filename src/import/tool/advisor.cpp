// Intel Advisor's survey as CSV: a banner, of which one quoted cell spans two lines, then a header
// that begins with ID, and a row for each loop and function.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/advisor_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint =
    "advisor --report=survey --format=csv --show-all-columns --report-output=FILE";

const FormulaTable& table() {
  static const FormulaTable kTable{kAdvisorFormulas};
  return kTable;
}

/// The separator of a line that is the header.
std::optional<char> header_separator(std::string_view line, std::vector<std::string_view>& cells) {
  if (line.find(kAdvisorName) == std::string_view::npos) {
    return std::nullopt;
  }
  for (const char separator : kAdvisorSeparators) {
    if (split_cells(line, separator, cells) && cells.size() > 2 && cells[0] == "ID" &&
        find_column(cells, kAdvisorName)) {
      return separator;
    }
  }
  return std::nullopt;
}

/// Of "5.103s", "5.103"; unknown for "", "N/A" and "< 0.001s".
struct Amount {
  bool is_broken = false;
  std::optional<double> value;
};

Amount amount_of(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.empty() || cell == "N/A" || cell.starts_with('<')) {
    return {};
  }
  if (cell.ends_with('s')) {
    cell.remove_suffix(1);
  }
  const auto value = parse_number(trimmed(cell));
  return {!value || *value < 0.0, value};
}

/// Of the cell Data Types: "Float64; UInt64".
enum class Types { fp64, fp32, other };

Types types_of(std::string_view cell) {
  const bool has_fp64 = cell.find("Float64") != std::string_view::npos;
  const bool has_fp32 = cell.find("Float32") != std::string_view::npos;
  return has_fp64 == has_fp32 ? Types::other : has_fp64 ? Types::fp64 : Types::fp32;
}

class AdvisorFile {
 public:
  explicit AdvisorFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    if (const auto reason = read_header()) {
      return refuse(source_.file, 0, *reason, kHint);
    }
    imported_.origins = {Origin::counted, Origin::counted, Origin::simulated, Origin::measured};
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) {
        continue;
      }
      if (const auto reason = read_row()) {
        return refuse(source_.file, lines_.number(), *reason, kHint);
      }
    }
    return std::move(imported_);
  }

 private:
  std::optional<std::string> read_header() {
    while (!separator_) {
      if (!lines_.next()) {
        return "has no header with ID and " + std::string(kAdvisorName);
      }
      separator_ = header_separator(lines_.line(), header_);
    }
    for (std::size_t i = 0; i < header_.size(); ++i) {
      if (header_[i].starts_with("Self ") &&
          std::find(header_.begin(), header_.begin() + static_cast<std::ptrdiff_t>(i),
                    header_[i]) != header_.begin() + static_cast<std::ptrdiff_t>(i)) {
        return fmt::format("the column {} stands twice", quoted(header_[i]));
      }
    }
    name_ = *find_column(header_, kAdvisorName);
    types_ = find_column(header_, "Data Types");
    location_ = find_column(header_, "Source Location");
    return std::nullopt;
  }

  std::optional<std::string> read_row() {
    if (!split_cells(lines_.line(), *separator_, cells_) || cells_.size() != header_.size()) {
      return "has another number of cells than the header";
    }
    if (!ids_.insert(cells_[0]).second) {
      return fmt::format("the ID {} stands twice", quoted(cells_[0]));
    }
    const Types types = types_ ? types_of(cells_[*types_]) : Types::other;
    MetricValues values(table().metric_count());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const auto metric = metric_of(header_[i], types);
      if (!metric) {
        continue;
      }
      const Amount amount = amount_of(cells_[i]);
      if (amount.is_broken) {
        return fmt::format("{} is no amount: {}", quoted(header_[i]), quoted(cells_[i]));
      }
      values[*metric] = amount.value;
    }
    return add_region(values, types);
  }

  [[nodiscard]] std::optional<std::size_t> metric_of(std::string_view title, Types types) const {
    const bool is_flops =
        std::find(kAdvisorFlops.begin(), kAdvisorFlops.end(), title) != kAdvisorFlops.end();
    return is_flops && types == Types::fp32
               ? table().number_of(std::string(title) + std::string(kAdvisorFp32))
               : table().number_of(title);
  }

  std::optional<std::string> add_region(const MetricValues& values, Types types) {
    Region region;
    set_place(region);
    FigureSums sums(table());
    sums.add(values);
    const auto reason = sums.put_into(region);
    if (region.traffic.contains(Level::L1)) {
      region.traffic_origins[Level::L1] = Origin::counted;
    }
    if (region.flops && region.flops->total() > 0 && types == Types::other) {
      add_note(region.notes, "precision-unknown",
               "its data types are not one precision alone: all flops stand as fp64");
    }
    if (has_any_figure(region)) {
      imported_.regions.push_back(std::move(region));
    }
    return reason;
  }

  /// "[loop in multiply at solution.cpp:32]" and "solution.cpp:32".
  void set_place(Region& region) const {
    constexpr std::string_view kLoop = "[loop in ";
    region.name = unquoted(trimmed(cells_[name_]));
    region.function = region.name;
    region.kind = RegionKind::function;
    if (region.name.starts_with(kLoop) && region.name.ends_with(']')) {
      region.kind = RegionKind::loop;
      const std::size_t end = region.name.rfind(" at ");
      region.function = region.name.substr(kLoop.size(), end == std::string::npos
                                                             ? region.name.size() - kLoop.size() - 1
                                                             : end - kLoop.size());
    }
    const std::string_view place = location_ ? trimmed(cells_[*location_]) : std::string_view{};
    const std::size_t colon = place.rfind(':');
    const auto line =
        colon == std::string_view::npos ? std::nullopt : parse_whole(place.substr(colon + 1));
    if (line && *line > 0 && *line < 1U << 31U && colon > 0) {
      region.file = unquoted(place.substr(0, colon));
      region.line = static_cast<unsigned>(*line);
    }
  }

  Source source_;
  Lines lines_;
  Imported imported_;
  std::optional<char> separator_;
  std::vector<std::string_view> header_;
  std::vector<std::string_view> cells_;
  std::size_t name_ = 0;
  std::optional<std::size_t> types_;
  std::optional<std::size_t> location_;
  std::set<std::string_view> ids_;
};

}  // namespace

bool sniff_advisor(std::string_view beginning) {
  Lines lines(beginning);
  std::vector<std::string_view> cells;
  while (lines.next()) {
    if (header_separator(lines.line(), cells)) {
      return true;
    }
  }
  return false;
}

Result<Imported> read_advisor(const Source& source) {
  return AdvisorFile(source).read();
}

}  // namespace ridge::imports
