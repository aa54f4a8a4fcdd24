// What a reader of the profile of a program as it is must know about how it came about.
#pragma once

#include <optional>
#include <vector>

#include "core/value/note.hpp"
#include "measure/binary/profile/binary_profile.hpp"

namespace ridge::measure::binary {

/// It was seen in the timed run, and did not run under the engine; nullopt with too few samples to
/// say so.
[[nodiscard]] std::optional<Note> other_code_note(const RegionSeconds& times);

/// Processes were timed whose counts are lost: counts of no region are known to be whole.
[[nodiscard]] bool lacks_processes(const ProfileInput& input);

/// Of the whole run.
void append_binary_notes(std::vector<Note>& notes, const ProfileInput& input,
                         const SampledTimes& times, const Profile& profile);

}  // namespace ridge::measure::binary
