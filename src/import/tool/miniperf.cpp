// miniperf: its table of loops as `mperf query --format json` writes it, and the totals of a
// program in qemu-roofline.counts.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/json_file.hpp"
#include "import/tool/miniperf_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

using serialize::JsonKind;
using serialize::Reader;

constexpr std::string_view kHint =
    "mperf query --format json --max-rows 10000 RESULTS 'SELECT * FROM roofline_binary_loops'";

const FormulaTable& table() {
  static const FormulaTable kTable{kMiniperfFormulas};
  return kTable;
}

std::optional<std::string> put(Region& region, const MetricValues& values) {
  FigureSums sums(table());
  sums.add(values);
  const auto reason = sums.put_into(region);
  if (region.traffic.contains(Level::L1)) {
    region.traffic_origins[Level::L1] = Origin::counted;
  }
  if (region.flops) {
    add_note(region.notes, "counts-differ",
             "miniperf counts minima, maxima and comparisons as operations");
  }
  return reason;
}

Imported empty_import() {
  Imported imported;
  imported.origins = {Origin::counted, Origin::counted, Origin::simulated, Origin::measured};
  return imported;
}

/// Half of an 80 % interval where the tool gives half of a 95 % one, of a normal distribution.
constexpr double kHalf80Of95 = 1.2816 / 1.96;

void put_error(Region& region, const Reader& row) {
  const Reader error = row.find("timing_relative_error");
  auto& time = region.time_seconds.self;
  if (!time || error.absent() || error.kind() == JsonKind::null) {
    return;
  }
  const double share = std::min(1.0, error.non_negative_real() * kHalf80Of95);
  time->low = Seconds(time->value.value() * (1.0 - share));
  time->high = Seconds(time->value.value() * (1.0 + share));
}

MetricValues values_of(const Reader& row) {
  MetricValues values(table().metric_count());
  for (const auto& [key, value] : row.members()) {
    const auto metric = table().number_of(key);
    if (metric && value.kind() != JsonKind::null) {
      values[*metric] = value.non_negative_real();
    }
  }
  return values;
}

void read_row(const Reader& row, Imported& imported) {
  Region region;
  region.kind = RegionKind::loop;
  region.function = row.at("function_name").text();
  region.name = region.function;
  const auto file = optional_from(row.find("file_name"), &Reader::text);
  const auto line = optional_from(row.find("line"), &Reader::natural);
  if (file && !file->empty()) {
    region.file = file;
    region.line = line && *line > 0 ? line : std::nullopt;
  }
  if (row.find("timing_quality").absent() ||
      row.at("timing_quality").text() != "unclassified-instructions") {
    if (const auto reason = put(region, values_of(row))) {
      row.fail(*reason);
    }
    put_error(region, row);
  } else {
    add_note(region.notes, "unclassified",
             "miniperf met instructions that it does not know: the counts are left out");
  }
  add_note(region.notes, "contains-others", "the figures contain those of loops inside");
  imported.regions.push_back(std::move(region));
}

Result<Imported> read_query(const Source& source) {
  auto file = JsonFile::parse(source, serialize::JsonNull::kept);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  Imported imported = empty_import();
  const Reader root = (*file)->root();
  if (root.at("truncated").flag()) {
    root.fail("is cut: it has not all rows", kHint);
  }
  for (const Reader& row : root.at("rows").items()) {
    if (!row.find("scalar_double_ai").absent()) {
      row.fail("has rates of the view roofline, which are rounded figures of its tables", kHint);
    }
    read_row(row, imported);
    if (!root.ok()) {
      break;
    }
  }
  return (*file)->finish(std::move(imported));
}

std::string_view name_in_table(std::string_view name) {
  const auto found =
      std::find_if(kMiniperfTotals.begin(), kMiniperfTotals.end(),
                   [&](const MiniperfTotal& each) { return each.in_totals == name; });
  return found == kMiniperfTotals.end() ? name : found->in_table;
}

Result<Imported> read_totals(const Source& source) {
  MetricValues values(table().metric_count());
  std::map<std::string_view, std::uint64_t> counts;
  Lines lines(source.text);
  while (lines.next()) {
    if (trimmed(lines.line()).empty()) {
      continue;
    }
    const std::size_t equals = lines.line().find('=');
    const auto count = equals == std::string_view::npos
                           ? std::nullopt
                           : parse_whole(lines.line().substr(equals + 1));
    if (!count) {
      return refuse(source.file, lines.number(), "is no line of a name and its count");
    }
    const std::string_view name = lines.line().substr(0, equals);
    if (!counts.emplace(name, *count).second) {
      return refuse(source.file, lines.number(), fmt::format("{} stands twice", quoted(name)));
    }
    if (const auto metric = table().number_of(name_in_table(name))) {
      values[*metric] = static_cast<double>(*count);
    }
  }
  if (!counts.contains("child_process_seen")) {
    return refuse(source.file, lines.number(), "ends before child_process_seen");
  }
  for (const std::string_view name : {"unclassified_instructions", "rvv_state_errors"}) {
    if (counts.contains(name) && counts[name] > 0) {
      return refuse(
          source.file, 0,
          fmt::format("has {} {}: its counts are not those of the program", counts[name], name));
    }
  }
  Imported imported = empty_import();
  Region region;
  region.kind = RegionKind::program;
  region.name = "program";
  region.entries = 1;
  if (const auto reason = put(region, values)) {
    return refuse(source.file, 0, *reason);
  }
  if (counts["child_process_seen"] > 0) {
    add_note(region.notes, "child-processes", "what child processes did is not in the counts");
  }
  imported.regions.push_back(std::move(region));
  return imported;
}

bool is_query(std::string_view text) {
  return trimmed(text).starts_with('{');
}

}  // namespace

bool sniff_miniperf(std::string_view beginning) {
  return is_query(beginning) ? beginning.find("\"record_format_version\"") != std::string_view::npos
                             : beginning.starts_with("scalar_int_ops=");
}

Result<Imported> read_miniperf(const Source& source) {
  return is_query(source.text) ? read_query(source) : read_totals(source);
}

}  // namespace ridge::imports
