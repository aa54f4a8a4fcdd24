// What a reader of figures summed over ranks has to know. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge::measure {

/// Each with the ranks that had it; one of each code.
using CountedNotes = std::vector<std::pair<Note, unsigned>>;

/// Those of one more rank. Texts of one code may differ in their numbers: that of the first stays.
void add_notes(CountedNotes& to, const std::vector<Note>& from);
void add_notes(CountedNotes& to, const CountedNotes& from);

/// "... (on 2 of 4 ranks)" where not all of the `ranks` had it.
[[nodiscard]] std::vector<Note> finish_notes(CountedNotes notes, std::size_t ranks);

/// Of the profile as a whole.
[[nodiscard]] std::vector<Note> rank_notes(const ParallelRun& run);

/// "3, 5 to 9 and 11"; of very many the first. `numbers` in ascending order.
[[nodiscard]] std::string number_list(const std::vector<unsigned>& numbers);

}  // namespace ridge::measure
