#include "render/chart/selection.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/value/doubtful_traffic.hpp"
#include "core/value/region_names.hpp"
#include "render/chart/ceilings.hpp"

namespace ridge::render {
namespace {

/// A loop that does less than one operation in a thousand bytes moves data: its bandwidth tells its
/// story, and a dot for it would stretch the chart by decades.
constexpr double kLeastIntensity = 1e-3;

double self_seconds(const Region& region) {
  const auto& time = region.time_seconds.self;
  return time && time->value > Seconds(0.0) ? time->value.value() : 0.0;
}

/// Order when nothing was sampled: operations, then bytes moved.
double work_weight(const Region& region, CountedWork work) {
  const double amount = static_cast<double>(amount_of(region, work));
  return amount > 0.0 ? amount : static_cast<double>(bytes_accessed(region).value_or(0)) * 1e-6;
}

std::optional<Traffic> traffic_at(const Region& region, Level level) {
  const auto found = region.traffic.find(level);
  if (found != region.traffic.end()) {
    return found->second;
  }
  // Registers-L1 traffic is what the instrumented code counted, so it is known without simulation.
  if (level == Level::L1 && bytes_accessed(region).value_or(0) > 0) {
    return Traffic{*region.bytes_loaded, *region.bytes_stored};
  }
  return std::nullopt;
}

bool has_note(const Region& region, const char* code) {
  return std::any_of(region.notes.begin(), region.notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

LevelFigures figures_at(const Region& region, const Machine& machine, Level level,
                        CountedWork work) {
  LevelFigures figures;
  const std::optional<Traffic> traffic = traffic_at(region, level);
  if (!traffic) {
    return figures;
  }
  const double bytes = static_cast<double>(traffic->total());
  const double amount = static_cast<double>(amount_of(region, work));
  figures.bytes = bytes;
  figures.unbounded = bytes == 0.0 && amount > 0.0;
  figures.doubtful = is_traffic_doubtful(region, machine, level);
  if (bytes > 0.0 && amount > 0.0) {
    figures.intensity = amount / bytes;
  }
  if (const double seconds = self_seconds(region); seconds > 0.0 && !region.partial) {
    figures.bytes_per_second = bytes / seconds;
  }
  return figures;
}

/// find_prediction is linear; 10 000 regions want a look-up.
std::unordered_map<std::uint32_t, const RegionPrediction*> index_of(const Prediction& prediction) {
  std::unordered_map<std::uint32_t, const RegionPrediction*> index;
  index.reserve(prediction.regions.size());
  for (const RegionPrediction& entry : prediction.regions) {
    index.emplace(entry.region, &entry);
  }
  return index;
}

std::optional<std::size_t> level_of(const std::string& ceiling, const std::vector<Level>& levels) {
  constexpr std::string_view kBandwidth = "bandwidth.";
  if (!ceiling.starts_with(kBandwidth)) {
    return std::nullopt;
  }
  const std::string rest = ceiling.substr(kBandwidth.size());
  const auto level = parse_level(rest.substr(0, rest.find('.')));
  const auto found = level ? std::find(levels.begin(), levels.end(), *level) : levels.end();
  return found == levels.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - levels.begin()));
}

/// byte/s of the roof of each level, for as many threads as the program has; 0: unknown.
std::vector<double> roof_rates(const Profile& profile, const std::vector<Level>& levels) {
  std::vector<double> rates(levels.size(), 0.0);
  for (const auto& [level, ceiling] : choose_ceilings(profile).bandwidths) {
    const auto at = std::find(levels.begin(), levels.end(), level);
    if (at != levels.end()) {
      rates[static_cast<std::size_t>(at - levels.begin())] = traffic_rate(*ceiling);
    }
  }
  return rates;
}

std::optional<std::size_t> binding_level(const ShownRegion& shown, const std::vector<Level>& levels,
                                         const std::vector<double>& roofs) {
  if (shown.prediction != nullptr && shown.prediction->code) {
    const auto level = level_of(shown.prediction->code->ceiling, levels);
    if (level && shown.levels[*level].bytes) {
      return level;
    }
  }
  std::optional<std::size_t> longest;
  std::optional<std::size_t> crossed;
  double most = 0.0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto& bytes = shown.levels[level].bytes;
    crossed = bytes && (*bytes > 0.0 || !crossed) ? level : crossed;
    const double seconds = roofs[level] > 0.0 ? bytes.value_or(0.0) / roofs[level] : 0.0;
    if (seconds > most) {
      most = seconds;
      longest = level;
    }
  }
  return longest ? longest : crossed;
}

/// Of work whose time is not that of the region.
void drop_rates(ShownRegion& shown) {
  shown.flops_per_second.reset();
  for (LevelFigures& level : shown.levels) {
    level.bytes_per_second.reset();
  }
}

ShownRegion describe(const Region& region, const RegionPrediction* prediction, unsigned rank,
                     std::optional<double> total_seconds, const Machine& machine,
                     const Selection& selection, const std::vector<double>& roofs) {
  ShownRegion shown;
  shown.region = &region;
  shown.prediction = prediction;
  shown.rank = rank;
  if (const double seconds = self_seconds(region); seconds > 0.0 && total_seconds) {
    const double share = seconds / *total_seconds;
    shown.share = std::isfinite(share) ? std::optional(share) : std::nullopt;
  }
  shown.uncertain = has_note(region, "uncertain-share");
  shown.has_work = has_notable_work(region, selection.work);
  shown.flops_per_second = rate_of(region, selection.work);
  for (const Level level : selection.levels) {
    shown.levels.push_back(figures_at(region, machine, level, selection.work));
  }
  shown.binding = binding_level(shown, selection.levels, roofs);
  if (is_outside_code(prediction)) {
    drop_rates(shown);
  }
  shown.gain = prediction != nullptr ? prediction->gain : std::nullopt;
  return shown;
}

}  // namespace

bool has_doubtful_figures(const Selection& selection) {
  return std::any_of(selection.shown.begin(), selection.shown.end(), [](const ShownRegion& shown) {
    return std::any_of(shown.levels.begin(), shown.levels.end(),
                       [](const LevelFigures& level) { return level.doubtful; });
  });
}

bool has_notable_work(const Region& region, CountedWork work) {
  const auto amount = static_cast<double>(amount_of(region, work));
  const auto bytes = static_cast<double>(bytes_accessed(region).value_or(0));
  return amount > 0.0 && amount >= kLeastIntensity * bytes;
}

std::optional<double> program_seconds(const Profile& profile) {
  if (profile.program.wall_seconds > Seconds(0.0)) {
    return profile.program.wall_seconds.value();
  }
  if (const Region* program = program_region(profile)) {
    for (const auto& time : {program->time_seconds.inclusive, program->time_seconds.self}) {
      if (time && time->value > Seconds(0.0)) {
        return time->value.value();
      }
    }
  }
  if (profile.time.sampled_seconds > Seconds(0.0)) {
    return profile.time.sampled_seconds.value();
  }
  double sum = 0.0;
  for (const Region& region : profile.regions) {
    sum += is_sum(region) ? 0.0 : self_seconds(region);
  }
  return sum > 0.0 ? std::optional(sum) : std::nullopt;
}

Selection select_regions(const Profile& profile, const Prediction& prediction,
                         std::size_t most_rows, const std::vector<std::uint32_t>& only,
                         double shown_share, CountedWork work) {
  std::vector<const Region*> candidates;
  for (const Region& region : profile.regions) {
    if (region.kind != RegionKind::program) {
      candidates.push_back(&region);
    }
  }
  Selection selection;
  selection.work = work;
  selection.by_time = std::any_of(candidates.begin(), candidates.end(),
                                  [](const Region* region) { return self_seconds(*region) > 0.0; });
  const auto weight = [&](const Region* region) {
    return selection.by_time ? self_seconds(*region) : work_weight(*region, work);
  };
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Region* a, const Region* b) {
    return a->overlaps != b->overlaps ? b->overlaps : weight(a) > weight(b);
  });
  double sum = 0.0;
  for (const Region* region : candidates) {
    sum += region->overlaps ? 0.0 : weight(region);
  }
  selection.levels = levels_of(profile);
  const auto total = program_seconds(profile);
  const auto index = index_of(prediction);
  const auto names = distinct_names(candidates);
  const std::vector<double> roofs = roof_rates(profile, selection.levels);
  double reached = 0.0;
  double omitted = 0.0;
  unsigned rank = 0;
  std::size_t markers = 0;
  for (const Region* region : candidates) {
    const double part = weight(region);
    ++rank;
    const bool wanted =
        only.empty() ? part > 0.0 && (region->overlaps ? markers++ < most_rows
                                                       : reached < shown_share * sum &&
                                                             selection.shown.size() < most_rows)
                     : std::find(only.begin(), only.end(), region->id) != only.end();
    if (part <= 0.0 || !selection.by_time) {
      ++selection.timeless;
    }
    if (wanted) {
      const auto found = index.find(region->id);
      const auto* bounds = found == index.end() ? nullptr : found->second;
      selection.shown.push_back(
          describe(*region, bounds, rank, total, profile.machine, selection, roofs));
      selection.shown.back().name = names.at(region->id);
      selection.timeless -= selection.by_time && part > 0.0 ? 0 : 1;
    } else if (part > 0.0 && selection.by_time && !region->overlaps) {
      ++selection.omitted;
      omitted += part;
    }
    reached += part;
  }
  if (total && selection.omitted > 0) {
    selection.omitted_share = omitted / *total;
  }
  return selection;
}

}  // namespace ridge::render
