// The processes of a program side by side: ranks of a parallel one, and what scripts start.
#pragma once

#include <string>

#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Those with the most CPU time, ranks in their order, and how far ranks are apart; empty where
/// there are fewer than two whose time is known.
[[nodiscard]] std::string process_table(const Profile& profile, const TextStyle& style);

}  // namespace ridge::render
