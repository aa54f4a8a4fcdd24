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
#include "render/chart/format_si.hpp"

namespace ridge::render {

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
  std::vector<ChartDot> dots;   ///< from L1 outwards; the last one carries the number
  std::string title;            ///< name, place and figures, clean text
  std::string name = {};        ///< name and place, for a key to the numbers; clean
  std::string short_name = {};  ///< the name alone
  std::optional<RateSpread> spread = std::nullopt;
  std::string label = {};  ///< stands beside the last dot in place of the number; clean
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
  std::string title;  ///< empty: none
  std::string subtitle;
  std::vector<std::string> levels;     ///< also names of styles, where machines stand for levels
  std::vector<BandwidthRoof> roofs;    ///< L1 outwards
  std::optional<ComputeCeiling> roof;  ///< the highest compute ceiling: P_max of the machine
  std::vector<ComputeCeiling> lower_ceilings;  ///< descending; drawn dashed
  std::vector<MeasuredCurve> measured;         ///< of the machine alone, L1 outwards
  /// Sentences: which other pattern moves more than a roof of memory says, so that a loop may stand
  /// above it. Clean text.
  std::vector<std::string> above_roofs;
  std::vector<ChartRegion> regions;       ///< by rank
  std::vector<unsigned> without_traffic;  ///< ranks that have a rate but no known intensity
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
  /// Dots of a region stand for different runs: each has its whisker, and the number stands beside
  /// the last one, so that hollow and filled ones can be told apart.
  bool dots_are_runs = false;
  bool explains_marks_on_paper = false;  ///< `marks_mean` stands there too
  bool powers_of_two = false;            ///< axes are divided by them
  std::vector<ChartBand> spectrum;       ///< below the axis of intensity

  /// Axis titles, the prefix of the performance axis included.
  [[nodiscard]] std::string x_title() const {
    const std::string words = "Intensity" + intensity_of + " [flop/byte]";
    return regions.empty() ? words : words + ", one dot per " + dots_are;
  }
  [[nodiscard]] std::string y_title() const;
  /// Value of the bandwidth roof or P_max, whichever is less.
  [[nodiscard]] double roof_at(const BandwidthRoof& bandwidth, double intensity) const;
};

/// The hottest regions, or those with the ids in `only`; numbers are ranks by time either way.
[[nodiscard]] Chart chart_of(const Profile& profile, const Prediction& prediction,
                             const std::vector<std::uint32_t>& only = {});

/// Scales and prefix from what the chart holds: every dot and every ridge point lies inside, with
/// room around it.
void fit_scales(Chart& chart);

/// The roofs alone, with the measured ones beside them: fp64, for the most threads that have
/// measured roofs, or else for all.
[[nodiscard]] Chart chart_of(const Machine& machine);

}  // namespace ridge::render
