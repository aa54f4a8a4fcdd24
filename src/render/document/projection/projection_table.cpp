#include "render/document/projection/projection_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kHottest = 8;

double seconds_of(const Region& region) {
  return region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
}

template <class Cell>
TextColumn column(std::string title, bool left, int importance, std::size_t rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.left = left;
  result.importance = importance;
  for (std::size_t row = 0; row < rows; ++row) {
    result.cells.push_back(cell(row));
  }
  return result;
}

std::string factor(double here, std::optional<double> there, const TextStyle& style) {
  return there && *there > 0.0
             ? fmt::format("{:.2f}{}", here / *there, style.unicode ? "\u00D7" : "x")
             : std::string(kUnknown);
}

/// "0.8 s to 1.2 s"; an upper end that is not known is a question mark.
std::string interval(std::optional<double> low, std::optional<double> high) {
  return low ? fmt::format("{} to {}", si(low, "s"), high ? si(high, "s") : "?")
             : std::string(kUnknown);
}

std::string program_table(const Projection& projection, const TextStyle& style) {
  const auto& machines = projection.machines;
  const auto cells = [&](std::string title, bool left, int importance, auto cell) {
    return column(std::move(title), left, importance, machines.size(),
                  [&](std::size_t row) { return cell(machines[row]); });
  };
  std::vector<TextColumn> columns;
  columns.push_back(cells("machine", true, 0, [&](const MachineProjection& m) {
    return clean(m.machine, style.unicode);
  }));
  columns.push_back(cells(
      "name", true, 1, [&](const MachineProjection& m) { return clean(m.name, style.unicode); }));
  columns.push_back(
      cells("cores", false, 0, [](const auto& m) { return std::to_string(m.cores); }));
  columns.push_back(
      cells("calibrated", false, 0, [](const auto& m) { return si(m.seconds, "s"); }));
  columns.push_back(cells("faster", false, 0, [&](const auto& m) {
    return factor(projection.seconds_here, m.seconds, style);
  }));
  columns.push_back(cells("interval", false, 1,
                          [](const auto& m) { return interval(m.low_seconds, m.high_seconds); }));
  columns.push_back(
      cells("ideal", false, 0, [](const auto& m) { return si(m.ideal_seconds, "s"); }));
  columns.push_back(cells("faster", false, 4, [&](const auto& m) {
    return factor(projection.seconds_here, m.ideal_seconds, style);
  }));
  columns.push_back(
      cells("projected", false, 3, [](const auto& m) { return percent(m.projected_share); }));
  columns.push_back(cells("traffic", true, 2, [](const MachineProjection& m) {
    return std::string(m.simulated ? "simulated" : "as here");
  }));
  return render_table(std::move(columns), usable_columns(style), style);
}

struct Row {
  const Region* region = nullptr;
  const MachineProjection* machine = nullptr;
  const ProjectedRegion* projected = nullptr;
  bool first = false;  ///< of its region
};

const ProjectedRegion* find(const MachineProjection& machine, std::uint32_t region) {
  const auto found =
      std::find_if(machine.regions.begin(), machine.regions.end(),
                   [&](const ProjectedRegion& candidate) { return candidate.region == region; });
  return found == machine.regions.end() ? nullptr : &*found;
}

std::vector<Row> loop_rows(const Profile& profile, const Projection& projection) {
  std::vector<const Region*> hottest;
  for (const Region& region : profile.regions) {
    if (!is_sum(region) && seconds_of(region) > 0.0) {
      hottest.push_back(&region);
    }
  }
  std::stable_sort(hottest.begin(), hottest.end(), [](const Region* a, const Region* b) {
    return seconds_of(*a) > seconds_of(*b);
  });
  hottest.resize(std::min(hottest.size(), kHottest));
  std::vector<Row> rows;
  for (const Region* region : hottest) {
    bool first = true;
    for (const MachineProjection& machine : projection.machines) {
      const ProjectedRegion* projected = find(machine, region->id);
      if (projected != nullptr) {
        rows.push_back({region, &machine, projected, std::exchange(first, false)});
      }
    }
  }
  return rows;
}

std::string loop_table(const std::vector<Row>& rows, const TextStyle& style) {
  constexpr std::size_t kWhere = 28;
  const auto cells = [&](std::string title, bool left, int importance, auto cell) {
    return column(std::move(title), left, importance, rows.size(),
                  [&](std::size_t row) { return cell(rows[row]); });
  };
  std::vector<TextColumn> columns;
  columns.push_back(cells("loop", true, 0, [&](const Row& row) {
    return row.first ? where(*row.region, kWhere, style.unicode) : std::string();
  }));
  columns.push_back(cells("here", false, 3, [](const Row& row) {
    return row.first ? si(seconds_of(*row.region), "s") : std::string();
  }));
  columns.push_back(cells("machine", true, 0, [&](const Row& row) {
    return clean(row.machine->machine, style.unicode);
  }));
  columns.push_back(cells("cores", false, 0,
                          [](const Row& row) { return std::to_string(row.projected->cores); }));
  columns.push_back(cells("calibrated", false, 0,
                          [](const Row& row) { return si(row.projected->seconds, "s"); }));
  columns.push_back(cells("interval", false, 3, [](const Row& row) {
    return interval(row.projected->low_seconds, row.projected->high_seconds);
  }));
  columns.push_back(cells("ideal", false, 0,
                          [](const Row& row) { return si(row.projected->ideal_seconds, "s"); }));
  columns.push_back(
      cells("of roof", false, 2, [](const Row& row) { return percent(row.projected->fraction); }));
  columns.push_back(cells("bound there", true, 0, [&](const Row& row) {
    if (!row.projected->bound) {
      return clean(row.projected->missing.value_or(std::string(kUnknown)), style.unicode);
    }
    return brief_ceiling_words(row.projected->bound->ceiling, style.unicode);
  }));
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string lines(const std::string& text, const TextStyle& style) {
  std::string out;
  std::string indent = "  - ";
  for (const std::string& line : wrap(clean(text, style.unicode), usable_columns(style) - 4)) {
    out += indent + line + "\n";
    indent = "    ";
  }
  return out;
}

/// What is said of several machines is said once, and once of both rows of a machine.
std::string all_notes(const Projection& projection, const TextStyle& style) {
  std::vector<std::pair<std::string, std::vector<std::string>>> machines_by_text;
  for (const MachineProjection& machine : projection.machines) {
    std::vector<std::string> texts;
    for (const Note& note : machine.notes) {
      texts.push_back(note.text);
    }
    if (!machine.interval_of.empty()) {
      texts.push_back(fmt::format("intervals span {}", fmt::join(machine.interval_of, "; ")));
    }
    for (const std::string& text : texts) {
      auto known = std::find_if(machines_by_text.begin(), machines_by_text.end(),
                                [&](const auto& entry) { return entry.first == text; });
      if (known == machines_by_text.end()) {
        known = machines_by_text.insert(known, {text, {}});
      }
      std::vector<std::string>& machines = known->second;
      if (std::find(machines.begin(), machines.end(), machine.machine) == machines.end()) {
        machines.push_back(machine.machine);
      }
    }
  }
  std::string out;
  for (const auto& [text, machines] : machines_by_text) {
    out += lines(fmt::format("{}: {}", fmt::join(machines, ", "), text), style);
  }
  return out;
}

}  // namespace

std::string projection_table(const Profile& profile, const Projection& projection,
                             const TextStyle& style) {
  std::string out = fmt::format(
      "  {}\n  here ({}): {}\n\n", paint(program_name(profile, style.unicode), kBold, style),
      clean(profile.machine.name, style.unicode), si(projection.seconds_here, "s"));
  out += program_table(projection, style);
  if (const auto rows = loop_rows(profile, projection); !rows.empty()) {
    out += "\n" + loop_table(rows, style);
  }
  if (const std::string notes = all_notes(projection, style); !notes.empty()) {
    out += fmt::format("\n  {}\n{}", paint("Notes", kBold, style), notes);
  }
  out += fmt::format("\n  {}\n", paint("Assumed", kBold, style));
  for (const std::string& assumption : projection.assumptions) {
    out += lines(assumption, style);
  }
  return out;
}

}  // namespace ridge::render
