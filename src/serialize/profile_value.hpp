// A profile as a part of another file.
#pragma once

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::serialize {

class Writer;

/// The members of a profile object, the schema key and the derived values included.
void write_profile_members(Writer& writer, const Profile& profile, const Prediction& prediction);

}  // namespace ridge::serialize
