#include "render/document/bench/interconnect_table.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

std::string link_words(const Link& link) {
  return fmt::format("{}, {}", to_string(link.pattern), to_string(link.reach));
}

/// The least measured size whose median rate is half of the ceiling or more.
std::string half_rate_size(const Link& link) {
  for (const LinkPoint& point : link.points) {
    const double rate = static_cast<double>(point.bytes) / point.value.median.value();
    if (2.0 * rate >= link.bandwidth.p90.value()) {
      return binary_size(static_cast<double>(point.bytes));
    }
  }
  return std::string(kUnknown);
}

std::string spread_words(const auto& estimate) {
  const double median = estimate.median.value();
  return median > 0.0 ? percent((estimate.high.value() - estimate.low.value()) / median, 1)
                      : std::string(kUnknown);
}

/// Some of the least messages took several times as long as others.
bool is_disturbed(const Link& link) {
  constexpr double kCalm = 3.0;
  return link.latency.high.value() > kCalm * link.latency.low.value();
}

}  // namespace

std::string interconnect_table(const Interconnect& interconnect, const TextStyle& style) {
  TextColumn what{.title = "link", .gap = 4, .left = true};
  TextColumn ranks{.title = "ranks"};
  TextColumn latency{.title = "latency (p10)", .gap = 3};
  TextColumn latency_spread{.title = "spread", .importance = 1};
  TextColumn bandwidth{.title = "bandwidth of a rank (p90)", .gap = 3};
  TextColumn bandwidth_spread{.title = "spread", .importance = 1};
  TextColumn half{.title = "half of it from", .gap = 3, .importance = 2};
  for (const Link& link : interconnect.links) {
    what.cells.push_back(link_words(link));
    ranks.cells.push_back(std::to_string(link.ranks));
    latency.cells.push_back(si(link.latency.low.value(), "s"));
    latency_spread.cells.push_back(spread_words(link.latency));
    bandwidth.cells.push_back(si(link.bandwidth.p90.value(), "B/s"));
    bandwidth_spread.cells.push_back(spread_words(link.bandwidth));
    half.cells.push_back(half_rate_size(link));
  }
  const std::string title = fmt::format(
      "Interconnect: {}, {} ranks on {} node{}", clean(interconnect.library, style.unicode),
      interconnect.ranks, interconnect.nodes, interconnect.nodes == 1 ? "" : "s");
  std::string text = fmt::format("  {}\n", paint(title, kBold, style));
  text += render_table({what, ranks, latency, latency_spread, bandwidth, bandwidth_spread, half},
                       usable_columns(style), style);
  if (std::ranges::any_of(interconnect.links, is_disturbed)) {
    text += fmt::format("    {}\n", paint("disturbed: some messages took several times as long as "
                                          "others; measure again when the machine is quiet",
                                          kWarning, style));
  }
  return text;
}

std::string interconnect_sizes(const Interconnect& interconnect, const TextStyle& style) {
  std::set<std::uint64_t> sizes;
  for (const Link& link : interconnect.links) {
    for (const LinkPoint& point : link.points) {
      sizes.insert(point.bytes);
    }
  }
  std::vector<TextColumn> columns{{.title = "message", .gap = 4}};
  for (const std::uint64_t bytes : sizes) {
    columns.front().cells.push_back(binary_size(static_cast<double>(bytes)));
  }
  for (const Link& link : interconnect.links) {
    TextColumn column{.title = link_words(link), .gap = 3};
    for (const std::uint64_t bytes : sizes) {
      const auto point = std::ranges::find(link.points, bytes, &LinkPoint::bytes);
      column.cells.push_back(point == link.points.end() ? std::string(kUnknown)
                                                        : si(point->value.median.value(), "s"));
    }
    columns.push_back(std::move(column));
  }
  return render_table(std::move(columns), usable_columns(style), style);
}

}  // namespace ridge::render
