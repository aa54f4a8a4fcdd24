// The parts of the report, each a <section>.
#pragma once

#include <string>

#include "core/prediction.hpp"
#include "core/profile.hpp"
#include "render/selection.hpp"

namespace ridge::render::html {

[[nodiscard]] std::string loops_section(const Selection& selection);
/// Findings of the hottest regions; empty when there are none.
[[nodiscard]] std::string findings_section(const Selection& selection);
/// All findings of one region with their evidence; empty when there are none.
[[nodiscard]] std::string region_findings(const Region& region);
[[nodiscard]] std::string notes_section(const Profile& profile, const Selection& selection);
/// Work by kind and width, traffic by level, calls: what the table has no room for.
[[nodiscard]] std::string details_section(const Selection& selection);
[[nodiscard]] std::string machine_section(const Machine& machine);
[[nodiscard]] std::string origins_section(const Profile& profile);
[[nodiscard]] std::string provenance_section(const Profile& profile);

}  // namespace ridge::render::html
