#include "render/document/run/library_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "core/value/region_names.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/library_counts.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostRows = 12;
constexpr std::size_t kMostCallers = 2;
constexpr const char* kTitle = "Calls of libraries";
constexpr const char* kLegend =
    "flop/s: work by the textbook's formula (modelled) per second between call and return. of "
    "roof: of the fastest compute ceiling of its precision with the program's threads, its share "
    "of a rank where there are several.";
constexpr std::array<const char*, 6> kTitles{"call",   "calls",   "time",
                                             "flop/s", "of roof", "called from"};

std::string_view precision_of(std::string_view name) {
  const bool is_single =
      name.starts_with("fftwf") ||
      (!name.starts_with("fftw") && (name.starts_with('s') || name.starts_with('c')));
  return is_single ? "fp32" : "fp64";
}

/// The fastest with as many threads as the program has; without any of those, of all.
std::optional<double> compute_roof(const Profile& profile, std::string_view precision) {
  unsigned threads = 1;
  for (const Region& region : profile.regions) {
    threads = region.kind == RegionKind::program ? std::max(threads, region.threads) : threads;
  }
  std::optional<double> with_threads;
  std::optional<double> any;
  for (const Ceiling& ceiling : profile.machine.ceilings) {
    if (ceiling.kind != CeilingKind::compute || ceiling.precision != precision) {
      continue;
    }
    const double value = p90_of(ceiling.value);
    any = std::max(any.value_or(0.0), value);
    if (ceiling.threads == threads) {
      with_threads = std::max(with_threads.value_or(0.0), value);
    }
  }
  return with_threads ? with_threads : any;
}

/// Times are sums over ranks, so a rate is that of one rank, whose share of the roof of all it is
/// held against.
std::optional<double> compute_roof_of_rank(const Profile& profile, std::string_view precision) {
  const auto all = compute_roof(profile, precision);
  const unsigned ranks = profile.parallel ? std::max(1U, profile.parallel->measured) : 1;
  return all ? std::optional(*all / ranks) : std::nullopt;
}

using Group = std::vector<const LibraryCall*>;

std::string callers_of(const Group& calls, const std::map<std::uint32_t, std::string>& names) {
  std::vector<std::string> found;
  for (const LibraryCall* call : calls) {
    const auto name = call->region ? names.find(*call->region) : names.end();
    if (name != names.end() && std::ranges::find(found, name->second) == found.end()) {
      found.push_back(name->second);
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kMostCallers); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", found[i]);
  }
  return found.size() > kMostCallers ? fmt::format("{}, {} more", text, found.size() - kMostCallers)
                                     : text;
}

LibraryFunction function_of(const Group& calls, const Profile& profile,
                            const std::map<std::uint32_t, std::string>& names) {
  LibraryFunction function;
  const LibraryCall& first = *calls.front();
  function.name = first.sizes.empty() ? first.name : fmt::format("{} {}", first.name, first.sizes);
  double flops = 0.0;
  bool is_known = true;
  for (const LibraryCall* call : calls) {
    function.calls = saturating_add(function.calls, call->calls);
    function.seconds += call->seconds.value();
    flops += static_cast<double>(call->flops.value_or(0));
    is_known = is_known && call->flops;
  }
  if (is_known && flops > 0.0 && function.seconds > 0.0) {
    function.flops_per_second = flops / function.seconds;
    const auto roof = compute_roof_of_rank(profile, precision_of(first.name));
    function.of_roof =
        roof && *roof > 0.0 ? std::optional(*function.flops_per_second / *roof) : std::nullopt;
  }
  function.callers = callers_of(calls, names);
  return function;
}

std::vector<std::string> cells_of(const LibraryFunction& function) {
  return {function.name,
          grouped(function.calls),
          si(function.seconds, "s"),
          si(function.flops_per_second, "Flop/s"),
          percent(function.of_roof),
          function.callers};
}

}  // namespace

std::vector<LibraryFunction> library_functions(const Profile& profile) {
  std::vector<const Region*> regions;
  for (const Region& region : profile.regions) {
    regions.push_back(&region);
  }
  auto names = distinct_names(regions);
  for (const Region* region : regions) {
    names[region->id] = name_with_place(names[region->id], *region);
  }
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const LibraryCall& call : profile.library_calls) {
    groups[{call.name, call.sizes}].push_back(&call);
  }
  std::vector<LibraryFunction> functions;
  for (auto& [key, calls] : groups) {
    std::ranges::stable_sort(calls, std::ranges::greater{},
                             [](const LibraryCall* call) { return call->seconds; });
    functions.push_back(function_of(calls, profile, names));
  }
  std::ranges::stable_sort(functions, std::ranges::greater{}, &LibraryFunction::seconds);
  return functions;
}

std::string library_table(const Profile& profile, const TextStyle& style) {
  if (profile.library_calls.empty()) {
    return {};
  }
  const auto functions = library_functions(profile);
  constexpr std::array<int, 6> kImportance{0, 3, 4, 5, 6, 1};
  std::vector<TextColumn> columns(kTitles.size());
  for (std::size_t i = 0; i < kTitles.size(); ++i) {
    columns[i].title = kTitles[i];
    columns[i].left = i == 0 || i + 1 == kTitles.size();
    columns[i].gap = i == 0 ? 4 : 2;
    columns[i].importance = kImportance[i];
  }
  for (std::size_t row = 0; row < std::min(functions.size(), kMostRows); ++row) {
    const auto cells = cells_of(functions[row]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      columns[i].cells.push_back(clean(cells[i], style.unicode));
    }
  }
  const std::vector<std::string> callers = columns.back().cells;
  columns.back().least_width = 12;
  columns.back().fit = [&](std::size_t row, std::size_t width) {
    return shorten_end(callers[row], width, style.unicode);
  };
  std::string out = fmt::format("\n  {}\n", paint(kTitle, kBold, style));
  out += render_table(std::move(columns), usable_columns(style), style);
  const auto add = [&](std::string_view text, Paint paint_of) {
    for (const std::string& line : wrap(text, usable_columns(style) - 4)) {
      out += fmt::format("    {}\n", paint(line, paint_of, style));
    }
  };
  for (const CountedLibraries& libraries : counted_libraries(profile)) {
    add(clean(words_of(libraries), style.unicode), kPlain);
  }
  add(kLegend, kDim);
  if (functions.size() > kMostRows) {
    add(fmt::format("{} more calls with less time are in the HTML report",
                    functions.size() - kMostRows),
        kDim);
  }
  return out;
}

std::string library_markdown(const Profile& profile) {
  if (profile.library_calls.empty()) {
    return {};
  }
  MarkdownTable table({kTitles.begin(), kTitles.end()}, 1);
  for (const LibraryFunction& function : library_functions(profile)) {
    auto cells = cells_of(function);
    cells.front() = markdown_code(cells.front());
    cells.back() = markdown_text(cells.back());
    table.add(cells);
  }
  std::string counted;
  for (const CountedLibraries& libraries : counted_libraries(profile)) {
    counted += markdown_text(words_of(libraries)) + "\n\n";
  }
  return fmt::format("**{}**\n\n{}{}{}\n\n", kTitle, table.text(), counted, markdown_text(kLegend));
}

}  // namespace ridge::render
