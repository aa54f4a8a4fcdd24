#include "render/document/run/mpi_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "core/value/region_names.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostRows = 12;
constexpr std::size_t kMostCallers = 2;
constexpr const char* kLegend =
    "time: between call and return, summed over processes and threads. waiting: part of it before "
    "a message or the last rank was there, and all of MPI_Wait and its kin, in which large "
    "messages "
    "may be on their way; - where it cannot be told apart.";

/// Less is not worth a word in the headline.
constexpr double kLeastStart = 0.01;
constexpr double kLeastUntold = 0.05;

bool is_start_or_end(std::string_view name) {
  return name == "MPI_Init" || name == "MPI_Init_thread" || name == "MPI_Finalize";
}

std::map<std::uint32_t, std::string> caller_names(const Profile& profile) {
  std::vector<const Region*> regions;
  for (const Region& region : profile.regions) {
    regions.push_back(&region);
  }
  auto names = distinct_names(regions);
  std::map<std::uint32_t, std::string> found;
  for (const Region* region : regions) {
    found[region->id] = name_with_place(names[region->id], *region);
  }
  return found;
}

MpiFunction function_of(const std::vector<const MpiCall*>& calls,
                        const std::map<std::uint32_t, std::string>& names) {
  MpiFunction function;
  function.name = calls.front()->name;
  function.bytes = 0;
  function.waiting_seconds = 0.0;
  for (const MpiCall* call : calls) {
    function.calls = saturating_add(function.calls, call->calls);
    function.seconds += call->seconds.value();
    function.bytes = function.bytes && call->bytes
                         ? std::optional(saturating_add(*function.bytes, *call->bytes))
                         : std::nullopt;
    function.waiting_seconds =
        function.waiting_seconds && call->waiting_seconds
            ? std::optional(*function.waiting_seconds + call->waiting_seconds->value())
            : std::nullopt;
  }
  for (const MpiCall* call : calls) {
    const auto name = call->region ? names.find(*call->region) : names.end();
    function.callers.emplace_back(
        name == names.end() ? std::string() : name->second,
        function.seconds > 0.0 ? call->seconds.value() / function.seconds : 0.0);
  }
  std::erase_if(function.callers, [](const auto& caller) { return caller.first.empty(); });
  std::ranges::stable_sort(function.callers, std::ranges::greater{},
                           [](const auto& caller) { return caller.second; });
  return function;
}

/// "exchange (halo.c:12) 80 %, main (main.c:9) 20 %"; the share is left out where one does it all.
std::string callers_of(const MpiFunction& function) {
  std::string text;
  for (std::size_t i = 0; i < std::min(function.callers.size(), kMostCallers); ++i) {
    const auto& [name, share] = function.callers[i];
    text += fmt::format("{}{}", i == 0 ? "" : ", ", name);
    text += function.callers.size() > 1 ? fmt::format(" {}", percent(share)) : std::string();
  }
  return function.callers.size() > kMostCallers
             ? fmt::format("{}, {} more", text, function.callers.size() - kMostCallers)
             : text;
}

std::optional<double> bytes_of(const MpiFunction& function) {
  return function.bytes ? std::optional(static_cast<double>(*function.bytes)) : std::nullopt;
}

std::optional<double> bytes_a_call(const MpiFunction& function) {
  const auto bytes = bytes_of(function);
  return bytes && function.calls > 0 ? std::optional(*bytes / static_cast<double>(function.calls))
                                     : std::nullopt;
}

std::optional<double> waiting_share(const MpiFunction& function) {
  return function.waiting_seconds && function.seconds > 0.0
             ? std::optional(*function.waiting_seconds / function.seconds)
             : std::nullopt;
}

constexpr std::array<const char*, 8> kTitles{"call", "calls",  "bytes",   "per call",
                                             "time", "of MPI", "waiting", "called from"};

std::vector<std::string> cells_of(const MpiFunction& function, const MpiTime& all) {
  return {function.name,
          grouped(function.calls),
          si(bytes_of(function), "B"),
          si(bytes_a_call(function), "B"),
          si(function.seconds, "s"),
          percent(all.seconds > 0.0 ? std::optional(function.seconds / all.seconds) : std::nullopt),
          percent(waiting_share(function)),
          callers_of(function)};
}

std::string rows(const MpiTime& time, const TextStyle& style) {
  constexpr std::array<int, 8> kImportance{0, 2, 3, 1, 0, 5, 6, 4};
  std::vector<TextColumn> columns(kTitles.size());
  std::vector<std::string> callers;
  for (std::size_t i = 0; i < kTitles.size(); ++i) {
    columns[i].title = kTitles[i];
    columns[i].left = i == 0 || i + 1 == kTitles.size();
    columns[i].gap = i == 0 ? 4 : 2;
    columns[i].importance = kImportance[i];
  }
  for (std::size_t row = 0; row < std::min(time.functions.size(), kMostRows); ++row) {
    const auto cells = cells_of(time.functions[row], time);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      columns[i].cells.push_back(clean(cells[i], style.unicode));
    }
    callers.push_back(columns.back().cells.back());
  }
  columns.back().least_width = 12;
  columns.back().fit = [&](std::size_t row, std::size_t width) {
    return shorten_end(callers[row], width, style.unicode);
  };
  return render_table(std::move(columns), usable_columns(style), style);
}

}  // namespace

MpiTime mpi_time(const Profile& profile) {
  MpiTime time;
  std::map<std::string, std::vector<const MpiCall*>> by_name;
  for (const MpiCall& call : profile.mpi_calls) {
    by_name[call.name].push_back(&call);
    time.seconds += call.seconds.value();
    if (is_start_or_end(call.name)) {
      time.start_seconds += call.seconds.value();
    } else if (call.waiting_seconds) {
      time.waiting_seconds += call.waiting_seconds->value();
    } else {
      time.untold_seconds += call.seconds.value();
    }
  }
  const auto names = caller_names(profile);
  for (const auto& [name, calls] : by_name) {
    time.functions.push_back(function_of(calls, names));
  }
  std::ranges::stable_sort(time.functions, std::ranges::greater{}, &MpiFunction::seconds);
  double wall = 0.0;
  double in_mpi = 0.0;
  for (const Process& process : profile.processes) {
    if (process.mpi_seconds) {
      ++time.processes;
      in_mpi += process.mpi_seconds->value();
      wall += process.wall_seconds.value_or(profile.program.wall_seconds).value();
    }
  }
  if (wall > 0.0) {
    time.share = in_mpi / wall;
  }
  return time;
}

std::string mpi_headline(const MpiTime& time) {
  std::string text = "MPI";
  const double seconds = time.seconds - time.start_seconds;
  if (time.share) {
    const double start = time.seconds > 0.0 ? *time.share * time.start_seconds / time.seconds : 0.0;
    text += fmt::format(": {} of the time of {} process{}", percent(*time.share - start),
                        time.processes, time.processes == 1 ? "" : "es");
    text += start >= kLeastStart
                ? fmt::format(", and {} in MPI_Init and MPI_Finalize", percent(start))
                : std::string();
  }
  if (seconds > 0.0) {
    text += fmt::format("{} {} of it waiting", time.share ? ";" : ":",
                        percent(time.waiting_seconds / seconds));
    text += time.untold_seconds >= kLeastUntold * seconds
                ? fmt::format("; of {} waiting is not told apart",
                              percent(time.untold_seconds / seconds))
                : std::string();
  }
  return text;
}

std::string mpi_table(const Profile& profile, const TextStyle& style) {
  if (profile.mpi_calls.empty()) {
    return {};
  }
  const MpiTime time = mpi_time(profile);
  std::string out = "\n";
  for (const std::string& line : wrap(mpi_headline(time), usable_columns(style) - 2)) {
    out += fmt::format("  {}\n", paint(line, kBold, style));
  }
  out += rows(time, style);
  for (const std::string& line : wrap(kLegend, usable_columns(style) - 4)) {
    out += fmt::format("    {}\n", paint(line, kDim, style));
  }
  if (time.functions.size() > kMostRows) {
    out += fmt::format("    {}\n",
                       paint(fmt::format("{} more functions with less time are in the HTML report",
                                         time.functions.size() - kMostRows),
                             kDim, style));
  }
  return out;
}

std::string mpi_markdown(const Profile& profile) {
  if (profile.mpi_calls.empty()) {
    return {};
  }
  const MpiTime time = mpi_time(profile);
  MarkdownTable table({kTitles.begin(), kTitles.end()}, 1);
  for (const MpiFunction& function : time.functions) {
    auto cells = cells_of(function, time);
    cells.front() = markdown_code(cells.front());
    cells.back() = markdown_text(cells.back());
    table.add(cells);
  }
  return fmt::format("**{}**\n\n{}{}\n\n", markdown_text(mpi_headline(time)), table.text(),
                     markdown_text(kLegend));
}

}  // namespace ridge::render
