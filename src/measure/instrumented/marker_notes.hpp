// What a reader has to know of markers.
#pragma once

#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/decode.hpp"

namespace ridge::measure {

/// What concerns all markers of a process.
struct MarkedProcess {
  bool is_cut = false;  ///< some loops were cut midway
  bool has_several_threads = false;
  bool has_tasks = false;  ///< whose place the traffic depends on
};

/// Fills in what is known of the marker beside its counts, times and traffic.
void complete_marker(Region& region, const RawMarker& marker, const MarkedProcess& process);

/// Of markers that are no region: left out, or stopped without ever having been started.
void append_marker_notes(std::vector<Note>& notes, const DecodedArena& arena);

}  // namespace ridge::measure
