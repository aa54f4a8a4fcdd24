// From the regions of translation units to the regions of a process: what many units describe alike
// (inline functions, templates) is one region, calls become "in LIBRARY" under their caller.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/decode.hpp"

namespace ridge::measure {

constexpr std::uint32_t kNoRegion = std::numeric_limits<std::uint32_t>::max();

/// One region of one process. Owns its texts.
struct MergedRegion {
  std::string identity;  ///< equal in both runs of a program
  RegionKind kind = RegionKind::function;
  std::optional<WaitKind> wait;  ///< in the OpenMP runtime
  std::string name;
  std::string function;
  std::optional<std::string> file;
  std::optional<unsigned> line;
  std::optional<unsigned> column;
  std::string inlined_at;
  unsigned versions = 1;
  std::string not_vectorised;           ///< the compiler's reasons, empty = none given
  std::optional<std::uint32_t> parent;  ///< index into the same table, smaller than the own
  bool deferred = false;
  Counts counts;  ///< calls and opaque by readable name
  CountsByThread by_thread;
};

struct RegionTable {
  std::vector<MergedRegion> regions;
  std::vector<std::uint32_t> of_raw;     ///< by region id of the process; kNoRegion = none
  std::vector<std::uint32_t> of_marker;  ///< by index of the marker

  /// The merged region of an id that was read from the measured program, or of the marker that
  /// stacks of samples hold; kNoRegion = none.
  [[nodiscard]] std::uint32_t find(std::uint32_t raw) const {
    if (raw >= kMarkerBase) {
      return raw - kMarkerBase < of_marker.size() ? of_marker[raw - kMarkerBase] : kNoRegion;
    }
    return raw < of_raw.size() ? of_raw[raw] : kNoRegion;
  }
};

[[nodiscard]] RegionTable merge_regions(const RawProcess& process);

/// What a thread waits for in this function of the OpenMP runtime, by its linkage name.
[[nodiscard]] WaitKind wait_kind(std::string_view callee);

}  // namespace ridge::measure
