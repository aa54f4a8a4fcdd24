#include "render/document/run/process_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMost = 8;
/// Launchers and shells take less.
constexpr double kWorthARow = 0.01;

double cpu_of(const Process* process) {
  return process->cpu_seconds->value();
}

/// With time to speak of, the most first.
std::vector<const Process*> busy(const Profile& profile) {
  std::vector<const Process*> found;
  double all = 0.0;
  for (const Process& process : profile.processes) {
    if (process.cpu_seconds) {
      found.push_back(&process);
      all += process.cpu_seconds->value();
    }
  }
  std::erase_if(found, [&](const Process* process) { return cpu_of(process) < kWorthARow * all; });
  std::ranges::stable_sort(found, std::ranges::greater{}, cpu_of);
  return found;
}

std::string name_of(const Process& process) {
  const std::string command = command_line(process.argv, true);
  return process.rank ? fmt::format("rank {}: {}", *process.rank, command) : command;
}

/// "CPU time of 4 ranks: 1.20 s (rank 0) to 2.40 s (rank 3)"; empty for fewer than two.
std::string spread_of_ranks(const std::vector<const Process*>& busiest_first) {
  std::vector<const Process*> ranks;
  std::ranges::copy_if(busiest_first, std::back_inserter(ranks),
                       [](const Process* process) { return process->rank.has_value(); });
  if (ranks.size() < 2) {
    return {};
  }
  return fmt::format("CPU time of {} ranks: {} (rank {}) to {} (rank {})", ranks.size(),
                     si(cpu_of(ranks.back()), "s"), *ranks.back()->rank,
                     si(cpu_of(ranks.front()), "s"), *ranks.front()->rank);
}

std::string rows(const std::vector<const Process*>& processes, const TextStyle& style) {
  TextColumn name{"process", {}, 4, true, 0, {}, {}, {}, 16, {}};
  TextColumn time{"CPU time", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn flops{"flops", {}, 2, false, 0, {}, {}, {}, 0, {}};
  TextColumn rate{"per CPU second", {}, 2, false, 0, {}, {}, {}, 0, {}};
  std::vector<std::string> names;
  for (const Process* process : processes) {
    names.push_back(clean(name_of(*process), style.unicode));
    name.cells.push_back(names.back());
    time.cells.push_back(si(cpu_of(process), "s"));
    const auto done =
        process->flops ? std::optional(static_cast<double>(*process->flops)) : std::nullopt;
    flops.cells.push_back(si(done, "Flop"));
    rate.cells.push_back(done ? si(*done / cpu_of(process), "Flop/s") : std::string(kUnknown));
  }
  name.fit = [&](std::size_t row, std::size_t width) {
    return shorten_middle(names[row], width, style.unicode);
  };
  return render_table({name, time, flops, rate}, usable_columns(style), style);
}

}  // namespace

std::string process_table(const Profile& profile, const TextStyle& style) {
  std::vector<const Process*> processes = busy(profile);
  if (processes.size() < 2) {
    return {};
  }
  const std::string spread = spread_of_ranks(processes);
  const std::size_t left_out = processes.size() - std::min(processes.size(), kMost);
  processes.resize(processes.size() - left_out);
  std::ranges::stable_sort(processes, {}, [](const Process* process) {
    return std::pair(process->rank.has_value(), process->rank.value_or(0));
  });
  std::string out = fmt::format("\n  {}\n", paint("Processes", kBold, style));
  out += rows(processes, style);
  if (left_out > 0) {
    out +=
        fmt::format("    {}\n", paint(fmt::format("{} with less CPU time", left_out), kDim, style));
  }
  return spread.empty() ? out : out + fmt::format("    {}\n", spread);
}

}  // namespace ridge::render
