// How ranks ended that did not end well, and whose records were cut. Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/value/note.hpp"

namespace ridge::measure {

struct RankEnd {
  unsigned rank = 0;
  std::optional<int> signal;
  bool is_snapshot = false;  ///< its record was written while it ran
};

/// "rank 1 was killed by signal 9, rank 0 by signal 15"; the most telling signal first: launchers
/// end the other ranks by SIGTERM. And whose records were cut. `ends` in ascending order of the
/// ranks.
[[nodiscard]] std::vector<Note> end_notes(std::span<const RankEnd> ends);

/// Whether the signal says why a program ended, and not that somebody ended it after another rank.
[[nodiscard]] bool is_telling(int signal);

}  // namespace ridge::measure
