#include "render/document/spmv/study_chart.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "render/chart/extent.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

/// Circles first: one number of threads is the usual case.
constexpr std::array<std::size_t, kLevelStyles> kStyles = {3, 0, 1, 2, 4, 5, 6};

std::size_t index_of(std::span<const StudyBandwidth> bandwidths, unsigned threads) {
  const auto found =
      std::find_if(bandwidths.begin(), bandwidths.end(),
                   [&](const StudyBandwidth& one) { return one.threads == threads; });
  return static_cast<std::size_t>(found - bandwidths.begin());
}

/// With room by these factors; a decade from `otherwise` on where there is nothing.
LogScale scale_of(const Extent& extent, double below, double above, double otherwise) {
  return extent.empty() ? LogScale{otherwise, otherwise * 10.0}
                        : scale_between(extent.low / below, extent.high * above);
}

std::string figures(const SparseTiming& timing) {
  return fmt::format("{} on {} ({} of its roof, {} of CSR's)",
                     si(timing.performance.median.value(), "Flop/s"), thread_words(timing.threads),
                     percent(timing.of_own_roof.median.value()),
                     percent(timing.of_csr_roof.median.value()));
}

void add_roofs(Chart& chart, std::span<const StudyBandwidth> bandwidths) {
  for (std::size_t i = 0; i < bandwidths.size(); ++i) {
    const StudyBandwidth& one = bandwidths[i];
    chart.levels.emplace_back(level_style_at(style_of_threads(bandwidths, one.threads)).name);
    const std::string label =
        fmt::format("b_S {}, {}", si(one.median, "B/s"), thread_words(one.threads));
    if (drawable(one.median)) {
      BandwidthRoof roof{i, one.median, label};
      roof.spread = RateSpread{one.low, one.high};
      chart.roofs.push_back(std::move(roof));
    }
    chart.legend.push_back(
        {i, fmt::format("{}: b_S {}", thread_words(one.threads), interval_words(one))});
  }
}

void add_entry(Chart& chart, const SparseStudy& study, const StudyEntry& entry,
               std::span<const StudyBandwidth> bandwidths) {
  ChartRegion region;
  region.rank = entry.number;
  region.short_name = entry.name;
  region.title = fmt::format("{}  {}", entry.number, entry.name);
  std::string all;
  for (const SparseTiming* timing : entry.timings) {
    const double rate = timing->performance.median.value();
    all += (all.empty() ? "" : "; ") + figures(*timing);
    const auto intensity = intensity_of(study, *timing);
    if (intensity && drawable(*intensity) && drawable(rate)) {
      ChartDot dot{index_of(bandwidths, timing->threads), intensity, rate};
      dot.spread = RateSpread{timing->performance.low.value(), timing->performance.high.value()};
      dot.hollow = entry.reordered;
      region.flops_per_second = rate;
      region.dots.push_back(dot);
    }
  }
  region.name = entry.name;
  region.title += ": " + all;
  if (region.dots.empty()) {
    chart.without_traffic.push_back(entry.number);
    return;
  }
  chart.regions.push_back(std::move(region));
}

void set_scales(Chart& chart) {
  Extent x;
  Extent y;
  for (const ChartGuide& guide : chart.guides) {
    x.include(guide.intensity);
  }
  for (const ChartRegion& region : chart.regions) {
    for (const ChartDot& dot : region.dots) {
      x.include(*dot.intensity);
      y.include(*dot.flops_per_second);
      y.include(dot.spread->low);
      y.include(dot.spread->high);
    }
  }
  chart.x = scale_of(x, 1.3, 1.3, 0.05);
  for (const BandwidthRoof& roof : chart.roofs) {
    y.include(roof.bytes_per_second * chart.x.low);
    y.include(roof.bytes_per_second * chart.x.high);
  }
  chart.y = scale_of(y, 1.25, 1.15, 1e8);
  chart.y_prefix = si_prefix(chart.y.high / 2.0);
}

}  // namespace

std::string thread_words(unsigned threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::size_t style_of_threads(std::span<const StudyBandwidth> bandwidths, unsigned threads) {
  return kStyles.at(std::min(index_of(bandwidths, threads), kStyles.size() - 1));
}

Chart chart_of(const SparseStudy& study) {
  const auto bandwidths = bandwidths_of(study);
  Chart chart;
  chart.title = fmt::format("SpMV of {}", clean(study.matrix.name));
  chart.subtitle = fmt::format(
      "{}, {}; b_S: reading alone {}, beside each sample", clean(study.cpu), study.instruction_set,
      from_cache(study) ? "from the cache, as the matrix fits" : "from memory");
  chart.dots_are = "number of threads";
  chart.intensity_of = " of the format, 1 / B_C";
  chart.dots_are_runs = true;
  chart.marks_mean =
      fmt::format("whisker and band: 80 % intervals; dashed: intensity of CSR{}",
                  study.reorderings.empty() ? "" : "; hollow: rows and columns in another order");
  add_roofs(chart, bandwidths);
  if (const auto csr = csr_intensity(study)) {
    chart.guides.push_back({*csr, "CSR"});
  }
  for (const StudyEntry& entry : entries_of(study)) {
    if (entry.number <= kMostStudyEntries) {
      add_entry(chart, study, entry, bandwidths);
    }
  }
  set_scales(chart);
  return chart;
}

}  // namespace ridge::render
