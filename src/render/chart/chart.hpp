// The roofline chart as data: scales, roofs, ceilings and dots in base units. Terminal, SVG and
// HTML draw the same chart; where a pixel or a character goes is theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/counted_work.hpp"
#include "render/chart/format_si.hpp"

namespace ridge::render {

/// Regions with this share of the time have marks, and a say in the axes.
inline constexpr double kMarkedShare = 0.01;

/// A logarithmic axis; `low` and `high` are positive, and those of scale_between() or
/// scale_around().
struct LogScale {
  double low = 1.0;
  double high = 10.0;

  /// 0 at `low`, 1 at `high`; outside values give less than 0 or more than 1. Of what is not drawn
  /// (extent.hpp), infinite or no number: that of the nearest end of what is.
  [[nodiscard]] double position(double value) const;
  /// The inverse of position().
  [[nodiscard]] double value_at(double position) const;
};

/// From `low` to `high`, whatever they are: clamped to what is drawn (extent.hpp), at least a
/// twentieth wide.
[[nodiscard]] LogScale scale_between(double low, double high);

/// From the next 1, 2 or 5 below `low` to `high`, or further up until it spans two decades. Clamped
/// likewise.
[[nodiscard]] LogScale scale_around(double low, double high);

struct Tick {
  double value = 0.0;
  bool decade = false;
  std::string label;  ///< in units of the prefix; empty for a grid line without a number
};

/// Grid lines at 1 to 9 of every decade (decades alone on long axes); 1, 2 and 5 are labelled
/// while the axis spans at most `labelled_decades`, longer axes label decades. An axis of less than
/// three quarters of a decade has round steps of equal size.
[[nodiscard]] std::vector<Tick> ticks(const LogScale& scale, double unit, double labelled_decades);

/// The same at powers of two: "1/8", "1", "16". Of more than sixteen every second, third ... has a
/// label.
[[nodiscard]] std::vector<Tick> ticks_of_two(const LogScale& scale, double unit);

/// An interval of a rate, flop/s or byte/s.
struct RateSpread {
  double low = 0.0;
  double high = 0.0;
};

/// P = I * b up to the compute roof. Load pattern, best instruction set, p90, traffic rate.
struct BandwidthRoof {
  std::size_t level = 0;  ///< index into Chart::levels
  double bytes_per_second = 0.0;
  std::string label;  ///< "L1 460 GB/s"
  /// Of a machine of its own: its line ends there; absent: at Chart::roof.
  std::optional<double> peak = std::nullopt;
  bool neutral = false;  ///< drawn like the compute roof: colours stand for something else
  std::optional<RateSpread> spread = std::nullopt;  ///< drawn as a band
  bool lower = false;  ///< below the roof of its level, which other code reaches: dashed
};

struct ComputeCeiling {
  std::string words;  ///< "AVX-512 FMA"
  std::string label;  ///< "AVX-512 FMA 140 GFlop/s"
  double flops_per_second = 0.0;
  /// Belongs to Chart::roofs[at] alone, in its colour, and begins where that ends.
  std::optional<std::size_t> at = std::nullopt;
  bool lower = false;  ///< below the peak of that roof: dashed
};

struct ChartDot {
  std::size_t level = 0;
  std::optional<double> intensity;  ///< flop/byte; absent: unbounded, drawn at the right edge
  std::optional<double> flops_per_second = std::nullopt;  ///< absent: that of the region
  std::optional<RateSpread> spread = std::nullopt;        ///< likewise
  bool hollow = false;
};

/// An intensity that dots are held against: a vertical line.
struct ChartGuide {
  double intensity = 0.0;
  std::string label;
};

struct ChartRegion {
  unsigned rank = 0;   ///< 0: no number stands at its dots
  double share = 0.0;  ///< of the time; 0 when unknown
  double flops_per_second = 0.0;
  std::vector<ChartDot> dots;   ///< from L1 outwards
  std::string title;            ///< name, place and figures, clean text
  std::string name = {};        ///< name and place, for a key to the numbers; clean
  std::string short_name = {};  ///< the name alone
  std::optional<RateSpread> spread = std::nullopt;
  std::string label = {};  ///< stands beside the main dot in place of the number; clean
  /// Index into `dots` of the main one, which carries the number: that of the level that binds;
  /// absent: the last.
  std::optional<std::size_t> binding = std::nullopt;
  /// All dots are drawn; otherwise the main one, and the others where a reader points at it.
  bool expanded = true;

  [[nodiscard]] std::size_t main_index() const { return binding.value_or(dots.size() - 1); }
  [[nodiscard]] const ChartDot& main_dot() const { return dots[main_index()]; }
  [[nodiscard]] bool draws(std::size_t dot) const { return expanded || dot == main_index(); }
  [[nodiscard]] double rate_of(const ChartDot& dot) const {
    return dot.flops_per_second.value_or(flops_per_second);
  }
};

/// A region with too little time for a number: a point at the level that binds.
struct ChartSpeck {
  double intensity = 0.0;
  double flops_per_second = 0.0;
};

/// A span of intensities that a name stands for.
struct ChartBand {
  std::string label;
  double low = 0.0;  ///< flop/byte
  double high = 0.0;
};

/// A measured roof: what loops of loads and fma reached, at the clock of the ceilings; ascending
/// intensity.
struct MeasuredCurve {
  struct Point {
    double intensity = 0.0;
    double flops_per_second = 0.0;
  };
  std::size_t level = 0;
  std::vector<Point> points;
};

/// What a mark stands for, where it is not the level of a roof.
struct LegendEntry {
  std::size_t level = 0;  ///< index into Chart::levels
  std::string text;
};

struct Chart {
  /// What intensities and rates count, whatever the names of their members say.
  CountedWork work = CountedWork::flops;
  std::string title;  ///< empty: none
  std::string subtitle;
  std::vector<std::string> levels;     ///< also names of styles, where machines stand for levels
  std::vector<BandwidthRoof> roofs;    ///< L1 outwards
  std::optional<ComputeCeiling> roof;  ///< the highest compute ceiling: P_max of the machine
  std::vector<ComputeCeiling> lower_ceilings;  ///< descending; drawn dashed
  std::vector<MeasuredCurve> measured;         ///< of the machine alone, L1 outwards
  /// Sentences: which other pattern moves more than a roof of memory says, so that a loop may stand
  /// above it, and what else there is to know of the lines. Clean text.
  std::vector<std::string> above_roofs;
  std::vector<ChartRegion> regions;       ///< by rank
  std::vector<ChartSpeck> specks;         ///< regions with less time than those, by rank
  std::vector<unsigned> without_traffic;  ///< ranks that have a rate but no known intensity
  std::vector<unsigned> outside;          ///< ranks too far off for the scales: not drawn
  LogScale x;
  LogScale y;
  SiPrefix y_prefix;
  unsigned threads = 1;                   ///< of the ceilings drawn
  std::string dots_are = "memory level";  ///< what there is one of for each dot of a region
  std::vector<LegendEntry> legend;        ///< empty: the levels of the roofs
  std::vector<ChartGuide> guides;
  std::string intensity_of;  ///< "Intensity [flop/byte]" says more: " of ..."
  /// What stands below the legend about the dots.
  std::string marks_mean =
      "number: rank by time; size: share of the time; whisker: 80 % interval; arrow: intensity "
      "unbounded";
  /// Dots are coloured by the share of the time, and the shape alone says the level.
  bool heat = false;
  bool zones = false;   ///< the memory-bound and the compute-bound part are tinted
  std::string verdict;  ///< what binds the program, one sentence; empty: unknown
  /// Dots of a region stand for different runs: each has its whisker, and the number stands beside
  /// the last one, so that hollow and filled ones can be told apart.
  bool dots_are_runs = false;
  bool explains_marks_on_paper = false;  ///< `marks_mean` stands there too
  bool powers_of_two = false;            ///< axes are divided by them
  std::vector<ChartBand> spectrum;       ///< below the axis of intensity

  /// Axis titles, the prefix of the performance axis included.
  [[nodiscard]] std::string x_title() const;
  /// The same without what the dots are, for small pictures: "Intensity [flop/byte]".
  [[nodiscard]] std::string short_x_title() const;
  [[nodiscard]] std::string y_title() const;
  /// Value of the bandwidth roof or P_max, whichever is less.
  [[nodiscard]] double roof_at(const BandwidthRoof& bandwidth, double intensity) const;
};

/// Regions with 1 % of the time or more, at least the ten hottest, at most 50, the others as
/// specks; or those with the ids in `only`. Numbers are ranks by time either way. What the scales
/// leave out is not among the dots. Of integers it says nothing of what binds: the roof rule does
/// not know them.
[[nodiscard]] Chart chart_of(const Profile& profile, const Prediction& prediction,
                             const std::vector<std::uint32_t>& only = {},
                             CountedWork work = CountedWork::flops);

/// The same without scales, with the dots of every level.
/// `all`: regions with next to no time have marks too.
[[nodiscard]] Chart unscaled_chart_of(const Profile& profile, const Prediction& prediction,
                                      const std::vector<std::uint32_t>& only = {}, bool all = false,
                                      CountedWork work = CountedWork::flops);

/// Scales and prefix from what the chart holds: every ridge point, every ceiling and every drawn
/// dot of a region with 1 % of the time (of all, where none has) lies inside, with room around it.
/// A rate 10^5 below the highest ceiling and an intensity 30 times the last ridge have no say.
void fit_scales(Chart& chart);

/// Takes out the dots that lie outside of the scales; a region whose main dot does is listed in
/// Chart::outside.
void leave_out_what_is_outside(Chart& chart);

/// The same for a slide: the hottest `most` regions at the level that binds; the title is the
/// verdict, where there is one.
[[nodiscard]] Chart for_slide(Chart chart, std::size_t most);

/// The roofs alone, with the measured ones beside them: fp64 (or integers), for the most threads
/// that have measured roofs, or else for all.
[[nodiscard]] Chart chart_of(const Machine& machine, CountedWork work = CountedWork::flops);

}  // namespace ridge::render
