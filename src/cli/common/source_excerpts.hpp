// Lines of source files around the regions of a profile.
#pragma once

#include <string>
#include <vector>

#include "core/value/page.hpp"
#include "core/value/profile.hpp"

namespace ridge::cli {

/// Of the regions with the most time, where the file can be read here and was not changed after the
/// run; bounded in number and length of lines. Nothing from a redacted profile: what its names lead
/// to is another file.
[[nodiscard]] std::vector<SourceExcerpt> source_excerpts(const Profile& profile);

/// Whether the file that a profile names can be the source of the program: an ordinary one that was
/// not changed after the run, of a profile that was not redacted.
[[nodiscard]] bool is_source_of(const Profile& profile, const std::string& path);

}  // namespace ridge::cli
