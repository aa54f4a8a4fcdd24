#include "measure/instrumented/markers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <set>

namespace ridge::measure {
namespace {

constexpr std::size_t kTrafficWords = sizeof(ridge_region_traffic) / sizeof(std::uint64_t);
using TrafficWords = std::array<std::uint64_t, kTrafficWords>;

TrafficWords words_of(const ridge_region_traffic& traffic) {
  TrafficWords words{};
  std::memcpy(words.data(), &traffic, sizeof traffic);
  return words;
}

/// A difference that is taken while the program writes may be below 0 for a moment.
std::uint64_t not_negative(std::uint64_t difference) {
  return static_cast<std::int64_t>(difference) < 0 ? 0 : difference;
}

/// Adds the first `count` words at `offset`, as far as they lie in the arena.
void add_words(ArenaBytes arena, std::uint64_t offset, std::uint64_t count,
               std::vector<std::uint64_t>& sums) {
  const auto words = slice(arena, offset, 8 * count);
  if (!words) {
    return;
  }
  sums.resize(std::max<std::size_t>(sums.size(), count), 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    sums[i] += *read_at<std::uint64_t>(*words, 8 * i);
  }
}

void add_finished(ArenaBytes arena, std::uint64_t thread, std::size_t marker, RawMarker& raw) {
  const auto offset = read_at<std::uint64_t>(
      arena, thread + offsetof(ridge_thread, marker_counts) + marker * sizeof(std::uint64_t));
  const auto counts =
      offset.value_or(0) != 0 ? read_at<ridge_marker_counts>(arena, *offset) : std::nullopt;
  if (counts) {
    raw.counts.entries += counts->entries;
    add_words(arena, *offset + sizeof(ridge_marker_counts),
              std::min<std::uint64_t>(counts->value_count, RIDGE_COUNTER_CAPACITY), raw.values);
  }
}

/// While one thread is in a marker for the whole process, the others count once, in it or not.
void add_open(ArenaBytes arena, const ridge_process_record& process,
              const std::vector<std::uint64_t>& threads, std::vector<RawMarker>& markers) {
  std::vector<std::set<std::uint64_t>> covered(markers.size());
  for (const std::uint64_t thread : threads) {
    for (const ridge_open_marker& open : open_markers(arena, thread)) {
      if (open.marker >= markers.size()) {
        continue;
      }
      markers[open.marker].is_open = true;
      if ((open.flags & RIDGE_MARKER_WHOLE_PROCESS) != 0) {
        covered[open.marker].insert(threads.begin(), threads.end());
      } else if ((open.flags & RIDGE_MARKER_COUNTS) != 0) {
        covered[open.marker].insert(thread);
      }
    }
  }
  const std::uint64_t counters =
      std::min<std::uint64_t>(process.counter_count, RIDGE_COUNTER_CAPACITY);
  for (std::size_t i = 0; i < markers.size(); ++i) {
    for (const std::uint64_t thread : covered[i]) {
      add_words(arena, thread + offsetof(ridge_thread, counters), counters, markers[i].values);
    }
  }
}

void add_table(const std::vector<ridge_region_traffic>& table, ridge_region_traffic& sum) {
  TrafficWords sums = words_of(sum);
  for (const ridge_region_traffic& region : table) {
    const TrafficWords words = words_of(region);
    for (std::size_t i = 0; i < kTrafficWords; ++i) {
      sums[i] += words[i];
    }
  }
  std::memcpy(&sum, sums.data(), sizeof sum);
}

void drop_negative(ridge_region_traffic& traffic) {
  TrafficWords words = words_of(traffic);
  std::transform(words.begin(), words.end(), words.begin(), not_negative);
  std::memcpy(&traffic, words.data(), sizeof traffic);
}

}  // namespace

std::vector<ridge_open_marker> open_markers(ArenaBytes arena, std::uint64_t thread) {
  std::vector<ridge_open_marker> open;
  const auto count =
      read_at<std::uint64_t>(arena, thread + offsetof(ridge_thread, open_marker_count));
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count.value_or(0), RIDGE_OPEN_MARKERS_MAX);
       ++i) {
    const auto marker = read_at<ridge_open_marker>(
        arena, thread + offsetof(ridge_thread, open_markers) + i * sizeof(ridge_open_marker));
    if (marker) {
      open.push_back(*marker);
    }
  }
  return open;
}

std::vector<RawMarker> read_markers(ArenaBytes arena, const ridge_process_record& process,
                                    const std::vector<std::uint64_t>& threads) {
  std::vector<RawMarker> markers;
  const std::size_t count = std::min<std::size_t>(process.marker_count, RIDGE_MARKERS_MAX);
  for (std::size_t i = 0; process.markers != 0 && i < count; ++i) {
    const auto record =
        read_at<ridge_marker_record>(arena, process.markers + i * sizeof(ridge_marker_record));
    RawMarker& raw = markers.emplace_back();
    if (!record) {
      continue;
    }
    const auto name = slice(arena, record->name,
                            std::min<std::uint64_t>(record->name_bytes, RIDGE_MARKER_NAME_MAX));
    raw.name = name ? text_at(*name, 0).value_or(std::string_view{}) : std::string_view{};
    raw.traffic = record->traffic;
    raw.sampled = record->sampled;
    raw.of_one_thread = record->of_one_thread > 0;
    raw.stops_alone = record->stops_alone;
    raw.stopped_by_end = record->stopped_by_end;
    for (const std::uint64_t thread : threads) {
      add_finished(arena, thread, i, raw);
    }
  }
  add_open(arena, process, threads, markers);
  return markers;
}

void add_marker_counts(const MarkedModule& module, std::vector<RawMarker>& markers) {
  for (RawMarker& marker : markers) {
    const std::uint64_t entries = marker.counts.entries;
    for (std::uint32_t i = 0; i < module.descriptor.header().counter_count; ++i) {
      const std::size_t at = std::size_t{module.counter_base} + i;
      const std::uint64_t value = at < marker.values.size() ? not_negative(marker.values[at]) : 0;
      if (value != 0) {
        add_counter(marker.counts, module.descriptor, i, value, module.machine);
      }
    }
    // Those of its regions are not its own.
    marker.counts.entries = entries;
    marker.counts.iterations.reset();
    marker.counts.header_executions.reset();
    marker.counts.details = WorkDetails{};
  }
}

void finish_marker_traffic(const std::vector<ridge_region_traffic>& traffic,
                           const std::vector<ridge_region_traffic>& sampled,
                           std::vector<RawMarker>& markers) {
  for (RawMarker& marker : markers) {
    if (marker.is_open) {
      add_table(traffic, marker.traffic);
      add_table(sampled, marker.sampled);
    }
    drop_negative(marker.traffic);
    drop_negative(marker.sampled);
  }
}

}  // namespace ridge::measure
