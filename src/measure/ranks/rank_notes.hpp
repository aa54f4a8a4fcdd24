// What a reader of figures summed over ranks has to know. Pure.
#pragma once

#include <string>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge::measure {

struct CountedNote {
  Note note;           ///< of the lowest rank that had one of this code
  unsigned ranks = 1;  ///< that had one
  unsigned lowest = 0;
  bool differs = false;  ///< in its numbers, on another rank
};
using CountedNotes = std::vector<CountedNote>;  ///< one of each code

/// Those of one more rank.
void add_notes(CountedNotes& to, const std::vector<Note>& from, unsigned rank);
void add_notes(CountedNotes& to, const CountedNotes& from);

/// "... (on 2 of 4 ranks)" where not all of the `ranks` had it, "... (of rank 0, others differ)"
/// where its numbers are not those of all.
[[nodiscard]] std::vector<Note> finish_notes(CountedNotes notes, std::size_t ranks);

/// Rewrites notes with totals of one rank from the figures of all: those on sampling and on a busy
/// machine. Before finish_notes. The rest of `profile` is finished.
void take_totals(CountedNotes& notes, const Profile& profile);

/// Of the profile as a whole.
[[nodiscard]] std::vector<Note> rank_notes(const ParallelRun& run);

/// Where more ranks ran than there were CPUs for them.
[[nodiscard]] Note note_on_turns();

/// "3, 5 to 9 and 11"; of very many the first. `numbers` in ascending order.
[[nodiscard]] std::string number_list(const std::vector<unsigned>& numbers);

}  // namespace ridge::measure
