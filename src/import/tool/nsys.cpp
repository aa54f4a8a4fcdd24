// nsys stats --format csv: of all tables in the file the one of kernels (cuda_gpu_kern_sum,
// gpukernsum), whose columns are Total Time, Instances and Name.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

struct TimeColumn {
  std::string_view name;
  double seconds;
};
constexpr std::array kTimeColumns{
    TimeColumn{"Total Time (ns)", 1e-9}, TimeColumn{"Total Time (us)", 1e-6},
    TimeColumn{"Total Time (ms)", 1e-3}, TimeColumn{"Total Time (s)", 1.0}};

/// Where the columns of a table of kernels are.
struct Columns {
  std::size_t time = 0;
  double seconds = 0.0;  ///< in one unit of time
  std::size_t instances = 0;
  std::size_t name = 0;
  std::size_t cells = 0;
};

std::optional<Columns> columns_of(const std::vector<std::string_view>& header) {
  const auto instances = find_column(header, "Instances");
  const auto name = find_column(header, "Name");
  if (!instances || !name) {
    return std::nullopt;
  }
  for (const TimeColumn& each : kTimeColumns) {
    if (const auto time = find_column(header, each.name)) {
      return Columns{*time, each.seconds, *instances, *name, header.size()};
    }
  }
  return std::nullopt;
}

/// The reason where the row is none.
std::optional<std::string> add_kernel(const std::vector<std::string_view>& cells,
                                      const Columns& columns, Imported& imported) {
  if (cells.size() != columns.cells) {
    return fmt::format("has {} cells, its header {}", cells.size(), columns.cells);
  }
  const auto time = parse_number(cells[columns.time]);
  const auto instances = parse_number(cells[columns.instances]);
  const auto count = instances ? count_of(*instances) : std::nullopt;
  if (!time || *time < 0.0 || !count) {
    return "total time or instances are no amount";
  }
  Region region;
  region.kind = RegionKind::kernel;
  region.name = unquoted(cells[columns.name]);
  region.function = region.name.substr(0, region.name.find('('));
  region.device = "gpu";
  region.entries = count;
  region.time_seconds.self = exact_time(*time * columns.seconds);
  imported.regions.push_back(std::move(region));
  return std::nullopt;
}

}  // namespace

bool sniff_nsys(std::string_view beginning) {
  Lines lines(beginning);
  std::vector<std::string_view> cells;
  while (lines.next()) {
    if (lines.line().find("Total Time (") != std::string_view::npos &&
        split_cells(lines.line(), ',', cells) && columns_of(cells)) {
      return true;
    }
  }
  return false;
}

Result<Imported> read_nsys(const Source& source) {
  constexpr std::string_view kHint =
      "nsys stats --report cuda_gpu_kern_sum --format csv REPORT > FILE";
  Imported imported;
  std::set<std::string> names;
  std::optional<Columns> columns;
  std::vector<std::string_view> cells;
  Lines lines(source.text);
  while (lines.next()) {
    const bool is_table_line = split_cells(lines.line(), ',', cells);
    if (const auto header = is_table_line ? columns_of(cells) : std::nullopt) {
      columns = header;
      continue;
    }
    // A blank line or the title of the next report ends the table.
    if (trimmed(lines.line()).empty() || lines.line().find(',') == std::string_view::npos ||
        lines.line().find("Total Time (") != std::string_view::npos) {
      columns.reset();
    }
    if (!columns) {
      continue;
    }
    const auto reason = is_table_line ? add_kernel(cells, *columns, imported)
                                      : std::optional<std::string>("a quote is not closed");
    if (reason) {
      return refuse(source.file, lines.number(), *reason, kHint);
    }
    if (!names.insert(imported.regions.back().name).second) {
      return refuse(source.file, lines.number(),
                    fmt::format("the kernel {} stands twice", quoted(imported.regions.back().name)),
                    kHint);
    }
  }
  if (imported.regions.empty()) {
    return refuse(source.file, 0, "has no table of kernels", kHint);
  }
  return imported;
}

}  // namespace ridge::imports
