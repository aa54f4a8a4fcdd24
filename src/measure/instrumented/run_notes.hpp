// What a reader of the profile must know about how it came about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/decode.hpp"

namespace ridge::measure {

/// "clang 19.1.7, -O3 -march=native"; several different ones are joined. nullopt without any.
[[nodiscard]] std::optional<std::string> compiler_of(const DecodedArena& arena);

/// Compiler, overhead, caches of other machines that were asked for, sampling, what the cache model
/// leaves out, and everything that went wrong.
void append_run_notes(std::vector<Note>& notes, const TimedRun& timed, const DecodedArena* traffic,
                      const std::vector<CachesElsewhere>& also, const Profile& profile);

}  // namespace ridge::measure
