#include "measure/instrumented/marker_notes.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace ridge::measure {

void complete_marker(Region& region, const RawMarker& marker, const MarkedProcess& process) {
  const auto note = [&](const char* code, std::string text) {
    region.notes.push_back({code, std::move(text)});
  };
  region.overlaps = true;
  region.partial = marker.is_open && process.is_cut;
  if (marker.is_open) {
    note("marker-open", "was not stopped before the end of the program: it lasts until then");
  }
  if (marker.stops_alone > 0) {
    note("marker-not-started",
         fmt::format("{} stop{} without a start by the same thread: not counted",
                     marker.stops_alone, marker.stops_alone == 1 ? "" : "s"));
  }
  if (marker.stopped_by_end > 0) {
    note("marker-not-stopped",
         fmt::format("stopped {} time{} by the end of the thread in it", marker.stopped_by_end,
                     marker.stopped_by_end == 1 ? "" : "s"));
  }
  if (marker.of_one_thread && process.has_several_threads) {
    note("marker-of-threads",
         "started in parallel regions or by other threads than the first one: work and time are "
         "those of the threads in it; traffic below L1 is that of all threads while one was in it");
  }
  if (process.has_tasks) {
    note("marker-of-tasks",
         "how far its traffic depends on which thread runs a task is not known: see the program");
  }
}

void append_marker_notes(std::vector<Note>& notes, const DecodedArena& arena) {
  std::uint64_t left_out = 0;
  std::string never_started;
  for (const RawProcess& process : arena.processes) {
    left_out += process.markers_left_out;
    for (const RawMarker& marker : process.markers) {
      if (marker.counts.entries == 0 && marker.stops_alone > 0) {
        never_started += fmt::format("{}{}", never_started.empty() ? "" : ", ", marker.name);
      }
    }
  }
  if (!never_started.empty()) {
    notes.push_back({"marker-not-started",
                     fmt::format("markers that were stopped, but started in no thread that stopped "
                                 "them: {}",
                                 never_started)});
  }
  if (left_out > 0) {
    notes.push_back(
        {"markers-left-out",
         fmt::format("{} start{} of markers are not counted: there is room for {} names, and for "
                     "{} markers inside each other",
                     left_out, left_out == 1 ? "" : "s", static_cast<int>(RIDGE_MARKERS_MAX),
                     static_cast<int>(RIDGE_OPEN_MARKERS_MAX))});
  }
}

}  // namespace ridge::measure
