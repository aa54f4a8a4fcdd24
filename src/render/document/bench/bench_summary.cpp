#include "render/document/bench/bench_summary.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/value/widest_ceiling.hpp"
#include "render/chart/ceiling_figures.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/document/bench/interconnect_table.hpp"
#include "render/document/bench/machine_table.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

/// With so many rows or fewer, all are shown.
constexpr std::size_t kFewRows = 28;

/// One kernel at one place: its ceilings by the number of threads.
struct Row {
  std::map<unsigned, const Ceiling*> by_threads;

  [[nodiscard]] const Ceiling& any() const { return *by_threads.begin()->second; }
  [[nodiscard]] const Ceiling* with(unsigned threads) const {
    const auto found = by_threads.find(threads);
    return found == by_threads.end() ? nullptr : found->second;
  }
};

std::vector<Row> rows_of(const Machine& machine) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> index;
  for (const Ceiling& ceiling : machine.ceilings) {
    const auto end = ceiling.id.rfind(".t");
    const auto [at, is_new] = index.emplace(ceiling.id.substr(0, end), rows.size());
    if (is_new) {
      rows.emplace_back();
    }
    rows[at->second].by_threads[ceiling.threads] = &ceiling;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.any().kind < b.any().kind; });
  return rows;
}

/// Worth a line on the screen: what every program meets, in the best instruction set.
struct ComputeWish {
  std::string_view precision;
  Operation operation;
  std::optional<Isa> isa;  ///< absent: the one with the highest rate
};
constexpr std::array kComputeWishes{ComputeWish{"fp64", Operation::fma, {}},
                                    ComputeWish{"fp64", Operation::fma_add, {}},
                                    ComputeWish{"fp64", Operation::add, {}},
                                    ComputeWish{"fp64", Operation::fma, Isa::avx2},
                                    ComputeWish{"fp64", Operation::fma, Isa::scalar},
                                    ComputeWish{"fp64", Operation::fma_chain, {}},
                                    ComputeWish{"fp64", Operation::div, {}},
                                    ComputeWish{"fp32", Operation::fma, {}},
                                    ComputeWish{"fp16", Operation::fma, {}},
                                    ComputeWish{"bf16", Operation::dot, {}},
                                    ComputeWish{"int8", Operation::dot, {}},
                                    ComputeWish{"int64", Operation::add, {}},
                                    ComputeWish{"int64", Operation::mul, {}}};
constexpr std::array kPatterns{Pattern::load, Pattern::store, Pattern::copy, Pattern::triad};

bool meets(const Ceiling& ceiling, const ComputeWish& wish) {
  return ceiling.kind == CeilingKind::compute && !ceiling.device &&
         ceiling.precision == wish.precision && ceiling.operation == wish.operation &&
         (!wish.isa || ceiling.isa == wish.isa);
}

/// The fastest row whose ceilings are wanted; nullptr without one.
template <class Wanted>
const Row* best_of(const std::vector<Row>& rows, const Wanted& wanted) {
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (wanted(row.any()) &&
        (best == nullptr || p90_of(row.any().value) > p90_of(best->any().value))) {
      best = &row;
    }
  }
  return best;
}

/// The row that meets the wish; of those within noise the widest.
const Row* widest_of(const std::vector<Row>& rows, const ComputeWish& wish) {
  std::vector<const Ceiling*> ceilings;
  for (const Row& row : rows) {
    if (meets(row.any(), wish)) {
      ceilings.push_back(&row.any());
    }
  }
  const Ceiling* widest = widest_within_noise(ceilings);
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return &row.any() == widest; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<const Row*> chief_rows(const std::vector<Row>& rows, const Machine& machine) {
  std::vector<const Row*> chosen;
  const auto add = [&](const Row* row) {
    if (row != nullptr && std::find(chosen.begin(), chosen.end(), row) == chosen.end()) {
      chosen.push_back(row);
    }
  };
  if (rows.size() <= kFewRows) {
    for (const Row& row : rows) {
      add(&row);
    }
    return chosen;
  }
  for (const ComputeWish& wish : kComputeWishes) {
    add(widest_of(rows, wish));
  }
  for (const Level level : levels_of(machine)) {
    for (const Pattern pattern : kPatterns) {
      add(best_of(rows, [&](const Ceiling& ceiling) {
        return ceiling.kind == CeilingKind::bandwidth && !ceiling.device &&
               ceiling.level == level && ceiling.pattern == pattern;
      }));
    }
  }
  for (const Row& row : rows) {
    if (row.any().kind == CeilingKind::latency) {
      add(&row);
    }
  }
  return chosen;
}

std::string tight(std::string percentage) {
  std::erase(percentage, ' ');
  return percentage;
}

/// Three columns for one number of threads.
void add_group(std::vector<TextColumn>& columns, const std::vector<const Row*>& rows,
               unsigned threads, const TextStyle& style) {
  const std::string group = fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  std::array<TextColumn, 3> made{TextColumn{.title = "p90", .group = group},
                                 TextColumn{.title = "spread", .group = group, .importance = 2},
                                 TextColumn{.title = "theory", .group = group}};
  made[0].gap = 3;
  for (const Row* row : rows) {
    const Ceiling* ceiling = row == nullptr ? nullptr : row->with(threads);
    if (ceiling == nullptr) {
      for (TextColumn& column : made) {
        column.cells.emplace_back(row == nullptr ? "" : kUnknown);
      }
      continue;
    }
    const CeilingFigures figures = figures_of(*ceiling, style.unicode);
    made[0].cells.push_back(figures.quoted);
    made[1].cells.push_back(tight(percent(figures.spread, 1)));
    made[2].cells.push_back(limit_words(*ceiling));
  }
  std::move(made.begin(), made.end(), std::back_inserter(columns));
}

/// Flags of all thread counts shown, each once.
std::string flags_of(const Row& row, bool unicode) {
  std::vector<std::string> flags;
  for (const auto& [threads, ceiling] : row.by_threads) {
    for (const std::string& flag : ceiling->flags) {
      if (std::find(flags.begin(), flags.end(), flag) == flags.end()) {
        flags.push_back(flag);
      }
    }
  }
  return clean(fmt::format("{}", fmt::join(flags, ", ")), unicode);
}

std::string what_of(const Ceiling& ceiling, const TextStyle& style) {
  return figures_of(ceiling, style.unicode).what +
         (ceiling.kind == CeilingKind::latency ? " (p10)" : "");
}

/// Blank lines between compute, bandwidth and latency; they stand as nullptr.
std::vector<const Row*> with_gaps(const std::vector<const Row*>& rows) {
  std::vector<const Row*> out;
  for (const Row* row : rows) {
    const bool other = !out.empty() && (out.back()->any().kind != row->any().kind ||
                                        out.back()->any().level != row->any().level);
    if (other && out.back()->any().kind != row->any().kind) {
      out.push_back(nullptr);
    }
    out.push_back(row);
  }
  return out;
}

std::string table(const std::vector<const Row*>& chosen, const TextStyle& style) {
  constexpr std::size_t kLeastWhat = 20;
  unsigned fewest = chosen.front()->by_threads.begin()->first;
  unsigned most = fewest;
  for (const Row* row : chosen) {
    fewest = std::min(fewest, row->by_threads.begin()->first);
    most = std::max(most, row->by_threads.rbegin()->first);
  }
  const auto rows = with_gaps(chosen);
  TextColumn what{.title = "ceiling", .left = true};
  TextColumn flags{.title = "flags", .left = true, .importance = 1};
  for (const Row* row : rows) {
    what.cells.push_back(row == nullptr ? "" : what_of(row->any(), style));
    flags.cells.push_back(row == nullptr ? "" : flags_of(*row, style.unicode));
  }
  what.least_width = kLeastWhat;
  what.fit = [cells = what.cells, unicode = style.unicode](std::size_t row, std::size_t width) {
    return shorten_middle(cells[row], width, unicode);
  };
  std::vector<TextColumn> columns{std::move(what)};
  add_group(columns, rows, fewest, style);
  if (most != fewest) {
    add_group(columns, rows, most, style);
  }
  if (std::any_of(flags.cells.begin(), flags.cells.end(),
                  [](const std::string& cell) { return !cell.empty(); })) {
    flags.paints.assign(rows.size(), kWarning);
    columns.push_back(std::move(flags));
  }
  return render_table(std::move(columns), usable_columns(style), style);
}

std::string intensity_words(const RoofPoint& point) {
  return fmt::format("{} flop/byte", number(point.intensity.value()));
}

/// "measured roof (fp64, AVX-512, 1 thread), furthest below its ceilings: L1 0.3 % at ..."
std::vector<std::string> shortfall_lines(const Machine& machine) {
  std::vector<std::string> lines;
  std::map<unsigned, std::vector<std::string>> by_threads;
  std::map<unsigned, const MeasuredRoof*> example;
  for (const MeasuredRoof& roof : machine.measured_roofs) {
    if (const RoofPoint* least = greatest_shortfall(roof)) {
      by_threads[roof.threads].push_back(least->fraction >= 1.0
                                             ? fmt::format("{} nowhere", to_string(roof.level))
                                             : fmt::format("{} {} at {}", to_string(roof.level),
                                                           tight(percent(1.0 - least->fraction, 1)),
                                                           intensity_words(*least)));
      example[roof.threads] = &roof;
    }
  }
  for (const auto& [threads, parts] : by_threads) {
    const MeasuredRoof& roof = *example[threads];
    lines.push_back(fmt::format(
        "measured roof ({} {}, {} thread{}) at most below min(P_max, I b): {}", roof.precision,
        isa_words(roof.isa), threads, threads == 1 ? "" : "s", fmt::join(parts, ", ")));
  }
  return lines;
}

std::string saturation_words(const Saturation& curve) {
  if (curve.too_noisy) {
    return "too noisy to rank: the intervals of the samples overlap";
  }
  return curve.threads ? fmt::format("saturated by {}", *curve.threads)
                       : std::string("more threads might add to it");
}

std::vector<std::string> saturation_lines(const Machine& machine) {
  std::vector<std::string> lines;
  for (const MemoryNode& memory : machine.memories) {
    const auto curve = saturation_of(machine, memory.level, Pattern::load);
    if (!curve) {
      continue;
    }
    std::vector<std::string> points;
    for (const auto& point : curve->points) {
      points.push_back(fmt::format("{} with {}", si(point.p90.value(), "B/s"), point.threads));
    }
    lines.push_back(fmt::format("{} load over threads: {}; {}", to_string(memory.level),
                                fmt::join(points, ", "), saturation_words(*curve)));
  }
  return lines;
}

std::vector<std::string> concurrency_lines(const Machine& machine) {
  std::vector<std::string> parts;
  for (const Concurrency& concurrency : concurrency_of(machine)) {
    parts.push_back(fmt::format("{} {}", to_string(concurrency.level), number(concurrency.lines)));
  }
  if (parts.empty()) {
    return {};
  }
  return {fmt::format("lines in flight per core (latency x bandwidth, modelled): {}",
                      fmt::join(parts, ", "))};
}

std::vector<std::string> sustained_lines(const Machine& machine) {
  std::vector<std::string> lines;
  for (const Sustained& held : machine.sustained) {
    const Ceiling* ceiling = find_ceiling(machine, held.ceiling);
    const std::string_view unit = unit_of(held.value) == "byte/s" ? "B/s" : "Flop/s";
    std::string line = fmt::format("held for {:.0f} s: {} {}", held.duration.value(),
                                   ceiling_words(held.ceiling), si(median_of(held.value), unit));
    if (ceiling != nullptr && median_of(ceiling->value) > 0.0) {
      line += fmt::format(", {} of the median of short samples",
                          tight(percent(median_of(held.value) / median_of(ceiling->value), 1)));
    }
    lines.push_back(line + fmt::format(", at {} (at first {})", si(held.clock.median.value(), "Hz"),
                                       si(held.clock_at_start.value(), "Hz")));
  }
  return lines;
}

std::vector<std::string> numa_lines(const Machine& machine) {
  std::vector<std::string> lines;
  for (const NumaEntry& entry : machine.numa) {
    std::string line = fmt::format("node {} to {} of node {}:", entry.cpu_node,
                                   to_string(entry.memory), entry.memory_node);
    if (entry.load) {
      line += fmt::format(" load {} with {} thread{}", si(entry.load->p90.value(), "B/s"),
                          entry.threads, entry.threads == 1 ? "" : "s");
    }
    if (entry.latency) {
      line += fmt::format("{} latency {}", entry.load ? "," : "",
                          si(entry.latency->median.value(), "s"));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string uncertain_limit_words(const Machine& machine) {
  const auto known = machine.clock.uncertainty;
  return "~ above theory by less than the clock is known" +
         (known ? fmt::format(" ({:.2f} %)", 100.0 * *known) : "");
}

std::string paragraph(const std::vector<std::string>& lines, std::string_view mark,
                      const TextStyle& style) {
  std::string out;
  for (const std::string& line : lines) {
    const auto parts = wrap(clean(line, style.unicode), usable_columns(style) - 2 - mark.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      out += fmt::format("  {}{}\n", i == 0 ? std::string(mark) : std::string(mark.size(), ' '),
                         parts[i]);
    }
  }
  return out;
}

std::string notes(const Machine& machine, const TextStyle& style) {
  if (machine.notes.empty()) {
    return {};
  }
  std::vector<std::string> lines;
  for (const Note& note : machine.notes) {
    lines.push_back(note.text);
  }
  return fmt::format("\n  {}\n", paint("Notes", kBold, style)) + paragraph(lines, "- ", style);
}

}  // namespace

std::string bench_summary(const Machine& machine, const TextStyle& style) {
  std::string out = machine_header(machine, style);
  const auto rows = rows_of(machine);
  if (rows.empty()) {
    return out + "\n  no ceilings were measured\n";
  }
  const auto chosen = chief_rows(rows, machine);
  const std::string ceilings = table(chosen, style);
  out += "\n" + ceilings;
  if (ceilings.find("%~") != std::string::npos) {
    out += paragraph({uncertain_limit_words(machine)}, "", style);
  }
  if (!machine.measured_roofs.empty()) {
    out += "\n" + roofs_chart(machine, style);
  }
  std::string facts;
  for (const auto& lines :
       {shortfall_lines(machine), saturation_lines(machine), concurrency_lines(machine),
        sustained_lines(machine), numa_lines(machine)}) {
    facts += paragraph(lines, "", style);
  }
  out += facts.empty() ? "" : "\n" + facts;
  if (machine.interconnect) {
    out += "\n" + interconnect_table(*machine.interconnect, style);
  }
  out += notes(machine, style);
  if (chosen.size() < rows.size()) {
    out += "\n" + paragraph({fmt::format("{} of {} kernels shown; --table prints all",
                                         chosen.size(), rows.size())},
                            "", style);
  }
  return out;
}

}  // namespace ridge::render
