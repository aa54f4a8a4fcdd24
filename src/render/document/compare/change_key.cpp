#include "render/document/compare/change_key.hpp"

#include <fmt/format.h>

#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {
namespace {

constexpr double kSize = 13.0;
constexpr double kLine = 21.0;

std::string key_text(const Comparison& comparison, const LoopPath& path) {
  constexpr std::size_t kName = 44;
  const ComparedLoop& loop = *path.loop;
  std::string times;
  std::string bounds;
  std::string last_bound;
  for (const Place& place : loop.places) {
    times += (times.empty() ? "" : " \u2192 ") + figure_text(find_figure(place, "time"));
    const std::string bound = limit_text(place);
    if (place.limit && bound != last_bound) {
      bounds += (bounds.empty() ? "" : " \u2192 ") + bound;
      last_bound = bound;
    }
  }
  const LoopStep* step = find_step(loop, comparison.steps.size() - 1);
  const std::string change =
      step != nullptr ? " (" + change_text(find_change(*step, "time")) + ")" : " (not in both)";
  return fmt::format("{}: {}{}{}{}{}", loop_text(loop, loop.places.back(), kName), times, change,
                     bounds.empty() ? "" : "; bound: ", bounds,
                     path.points.empty() ? "; not drawn" : "");
}

std::string key_line(const LoopPath& path, double left, double y, std::string_view words) {
  return svg::text({left - 6.0, y}, {kSize, "end", "rank", {}}, std::to_string(path.rank)) +
         svg::line({left, y - 4.5}, {left + 26.0, y - 4.5}, fmt::format("line {}", path.css)) +
         svg::text({left + 34.0, y}, {kSize, {}, {}, {}}, words) + "\n";
}

}  // namespace

double height_of_key(const std::vector<LoopPath>& paths) {
  return kLine * (static_cast<double>(paths.size()) + 1.8);
}

std::string key_element(const Comparison& comparison, const std::vector<LoopPath>& paths,
                        const SvgLayout& layout) {
  std::string out;
  double y = layout.height + kLine * 0.8;
  const auto most = static_cast<std::size_t>((layout.width - layout.left - 70.0) / (kSize * 0.6));
  for (const LoopPath& path : paths) {
    out += key_line(path, layout.left, y, shorten_middle(key_text(comparison, path), most));
    y += kLine;
  }
  constexpr std::string_view kHow =
      "solid: faster; dashed: slower; dotted: no change beyond the spread. Hollow: older results.";
  return out + svg::text({layout.left, y}, {12.0, {}, "quiet", {}}, kHow) + "\n";
}

}  // namespace ridge::render
