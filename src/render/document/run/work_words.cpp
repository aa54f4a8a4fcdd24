#include "render/document/run/work_words.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"

namespace ridge::render {
namespace {

std::string amount(std::uint64_t count, std::string_view unit) {
  return si(static_cast<double>(count), unit);
}

std::string flops_line(const Region& region) {
  if (!region.flops) {
    return "operations were not counted";
  }
  const std::uint64_t total = region.flops->total();
  std::string line = amount(total, "Flop");
  std::string terms;
  for (const WorkTerm& term : region.flops->terms) {
    const unsigned lanes = term.width_bits / element_bits(term.precision);
    terms += fmt::format("{}{} {} {}", terms.empty() ? "" : ", ",
                         percent(static_cast<double>(term.flops) /
                                 static_cast<double>(std::max<std::uint64_t>(total, 1))),
                         to_string(term.precision), to_string(term.kind));
    terms += lanes > 1 ? fmt::format(" in vectors of {}", lanes) : " one at a time";
  }
  return terms.empty() ? line : line + ": " + terms;
}

std::string names_line(std::string_view title, const std::map<std::string, std::uint64_t>& counts) {
  constexpr std::size_t kMost = 8;
  std::string line;
  std::size_t shown = 0;
  for (const auto& [name, count] : counts) {
    if (shown++ == kMost) {
      return line + fmt::format(", and {} more", counts.size() - kMost);
    }
    line += fmt::format("{}{} {}", line.empty() ? fmt::format("{}: ", title) : ", ", name,
                        grouped(count));
  }
  return line;
}

std::string chain_line(const Region& region) {
  std::string line;
  for (const ChainTerm& term : region.chain) {
    line += fmt::format("{}{} {} ({})", line.empty() ? "" : ", ", grouped(term.operations),
                        to_string(term.operation), term.reduction ? "reduction" : "recurrence");
  }
  return line.empty() ? line
                      : "operations of the longest chain in which each waits for the one before, "
                        "over all iterations: " +
                            line;
}

/// From which nodes, and how much of it for threads on others; empty when unknown.
std::string node_line(const Region& region) {
  std::uint64_t all = 0;
  std::uint64_t remote = 0;
  std::map<unsigned, std::uint64_t> by_node;
  for (const NodeLines& nodes : region.memory_nodes) {
    all += nodes.samples;
    remote += nodes.thread_node == nodes.memory_node ? 0 : nodes.samples;
    by_node[nodes.memory_node] += nodes.samples;
  }
  if (all == 0) {
    return "";
  }
  const auto share = [&](std::uint64_t part) {
    return percent(static_cast<double>(part) / static_cast<double>(all));
  };
  std::string text;
  for (const auto& [node, samples] : by_node) {
    text += fmt::format("{}{} from node {}", text.empty() ? "" : ", ", share(samples), node);
  }
  return fmt::format(
      "of the lines from memory: {}; {} from another node than that of the thread "
      "({} of them sampled in the run for traffic)",
      text, share(remote), grouped(all));
}

/// What the back end made of the flops of the optimised code.
std::string back_end_words(std::uint64_t before, std::uint64_t after) {
  const bool more = after > before;
  return fmt::format("the compiler's back end {} {}: {} before it", more ? "added" : "saved",
                     amount(more ? after - before : before - after, "Flop"),
                     amount(before, "Flop"));
}

/// Beside what the region loads and stores itself, of which spills are no part.
std::string spill_words(const Region& region) {
  const Traffic& spilled = *region.bytes_spilled;
  const auto moved = region.bytes_loaded.value_or(0) + region.bytes_stored.value_or(0);
  const std::string share =
      moved > 0
          ? fmt::format(" ({} of the bytes loaded and stored)",
                        percent(static_cast<double>(spilled.total()) / static_cast<double>(moved)))
          : std::string();
  return fmt::format("spilled registers: {} written to the stack, {} read back{}",
                     amount(spilled.written, "B"), amount(spilled.read, "B"), share);
}

std::string_view pattern_words(AccessPattern pattern) {
  switch (pattern) {
    case AccessPattern::unknown:
      return "at addresses without a closed form";
    case AccessPattern::unit:
      return "without gaps (unit stride)";
    case AccessPattern::constant:
      return "with a stride ";
    case AccessPattern::invariant:
      return "at the same address each time";
    case AccessPattern::indirect:
      return "at addresses computed from loaded data";
  }
  return "";
}

std::string pattern_text(const AccessTerm& term) {
  std::string text = fmt::format("{} {} {}", amount(term.bytes, "B"),
                                 term.write ? "stored" : "loaded", pattern_words(term.pattern));
  if (term.pattern == AccessPattern::constant) {
    text += term.stride_bytes ? fmt::format("of {} B", *term.stride_bytes)
                              : std::string("known at run time only");
  }
  return text;
}

}  // namespace

std::vector<std::string> work_lines(const Region& region) {
  std::vector<std::string> lines{flops_line(region)};
  if (region.ir_flops && region.flops) {
    lines.push_back(back_end_words(*region.ir_flops, region.flops->total()));
  }
  if (region.flops_interval) {
    lines.push_back(fmt::format("the machine code leaves open how many: between {} and {}",
                                amount(region.flops_interval->low, "Flop"),
                                amount(region.flops_interval->high, "Flop")));
  }
  if (known_work(region).other > 0) {
    lines.push_back(fmt::format("{} lanes of min, max, compare, convert ...",
                                grouped(known_work(region).other)));
  }
  if (region.intops) {
    lines.push_back(fmt::format("{} on integers", amount(*region.intops, "op")));
  }
  if (region.bytes_spilled && region.bytes_spilled->total() > 0) {
    lines.push_back(spill_words(region));
  }
  for (const std::string& line :
       {names_line("counted calls", region.calls),
        names_line("not counted (no source)", region.opaque), chain_line(region)}) {
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  if (region.not_vectorised) {
    lines.push_back(fmt::format("the compiler on vectorisation: {}", *region.not_vectorised));
  }
  return lines;
}

std::string of_its_rank(const Region& region) {
  if (!region.ranks) {
    return "";
  }
  const RegionRanks& ranks = *region.ranks;
  const auto several = [](const std::optional<RankSpread>& spread) {
    return spread && spread->ranks > 1;
  };
  if (several(ranks.time_seconds)) {
    return fmt::format(" of rank {}", ranks.time_seconds->most_rank);
  }
  return several(ranks.flops) || several(ranks.bytes) || several(ranks.cpu_seconds) ? " of one rank"
                                                                                    : "";
}

std::string caller_words(const Region& region) {
  constexpr std::size_t kFirst = 4;  // of a longer way, and its end
  std::string text;
  const auto& callers = region.callers;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    if (i == kFirst && callers.size() > kFirst + 2) {
      i = callers.size() - 1;
      text += fmt::format(", {} more", callers.size() - kFirst - 1);
    }
    const Caller& caller = callers[i];
    text += fmt::format("{} {} (", text.empty() ? "called from" : ", from", caller.function);
    if (caller.file && caller.line) {
      text += fmt::format("{}:{}; ", *caller.file, *caller.line);
    }
    text += fmt::format("{}{})", percent(caller.share),
                        i == 0 ? " of the stacks seen" + of_its_rank(region) : "");
  }
  return text;
}

std::vector<std::string> page_words(const Region& region) {
  if (!region.page_faults) {
    return {};
  }
  const PageFaults& faults = *region.page_faults;
  const std::string spread =
      faults.low < faults.high
          ? fmt::format(" ({} to {})", grouped(faults.low), grouped(faults.high))
          : "";
  return {fmt::format("{} page faults{}, {} of them from a disk; {} in the kernel",
                      grouped(faults.value), spread, grouped(faults.major),
                      si(faults.kernel_seconds.value(), "s"))};
}

std::vector<std::string> line_words(const Region& region) {
  std::vector<std::string> lines;
  if (region.line_use) {
    lines.push_back(fmt::format("{} of each line is used while it is in the first level (sampled)",
                                percent(*region.line_use)));
  }
  std::string curve;
  for (const MissCurvePoint& point : region.miss_curve) {
    curve += fmt::format("{}{} with {}", curve.empty() ? "" : ", ", amount(point.misses_bytes, "B"),
                         binary_size(static_cast<double>(point.capacity_bytes)));
  }
  if (!curve.empty()) {
    lines.push_back("read from below a fully associative cache behind the first level: " + curve);
  }
  if (std::string nodes = node_line(region); !nodes.empty()) {
    lines.push_back(std::move(nodes));
  }
  if (region.sharing) {
    lines.push_back(
        fmt::format("several cores write {} lines, {} of them different words only; {} "
                    "times one took a line from another",
                    grouped(region.sharing->lines), grouped(region.sharing->falsely),
                    grouped(region.sharing->invalidations)));
  }
  return lines;
}

std::vector<std::string> access_lines(const Region& region) {
  std::vector<std::string> lines;
  if (bytes_accessed(region)) {
    lines.push_back(fmt::format("loaded {}, stored {}", amount(*region.bytes_loaded, "B"),
                                amount(*region.bytes_stored, "B")));
  } else {
    lines.emplace_back("loads and stores were not counted");
  }
  for (const AccessTerm& term : region.accesses) {
    lines.push_back(pattern_text(term));
  }
  if (region.accesses.empty()) {
    lines.emplace_back("patterns of the addresses are not known");
  }
  if (region.gathered && region.gathered->total() > 0) {
    lines.push_back(fmt::format("{} of it through gather and scatter instructions",
                                amount(region.gathered->total(), "B")));
  }
  if (region.bytes_non_temporal.value_or(0) > 0) {
    lines.push_back(
        fmt::format("{} stored past the caches", amount(*region.bytes_non_temporal, "B")));
  }
  if (region.masked && region.masked->operations > 0) {
    const auto operations = static_cast<double>(region.masked->operations);
    lines.push_back(
        fmt::format("{} operations under a mask, {} of {} lanes active on average",
                    grouped(region.masked->operations),
                    number(static_cast<double>(region.masked->active_lanes) / operations),
                    number(static_cast<double>(region.masked->lanes) / operations)));
  }
  return lines;
}

}  // namespace ridge::render
