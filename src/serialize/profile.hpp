// The value type Profile as `ridge.profile/2` (docs/formats/ridge.profile.md).
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// Refuses what does not make sense, with file, line and key in the message. Keys that this version
/// does not know, and derived values (intensity, unbounded, performance, bound, summary), are
/// ignored: the caller predicts again. `file_name` only serves the messages.
[[nodiscard]] Result<Profile> parse_profile(std::string_view text, std::string_view file_name);
/// The same of a text that is parsed already.
[[nodiscard]] Result<Profile> profile_from(const Document& document, std::string_view file_name);

/// Pretty, keys always in the same order; parse_profile gives back the same profile. Derived values
/// are written beside it for other programs to read.
[[nodiscard]] std::string write_profile(const Profile& profile, const Prediction& prediction);

/// For publication: no arguments, no host, and of every path only its last component, also inside
/// names, notes, findings and compiler flags.
[[nodiscard]] Profile redact(Profile profile);

}  // namespace ridge::serialize
