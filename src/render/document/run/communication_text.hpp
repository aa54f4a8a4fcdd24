// What the links between ranks allow a program, in sentences.
#pragma once

#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Empty where no calls of MPI were recorded; how to measure the links where they are not known.
[[nodiscard]] std::vector<std::string> communication_lines(const Profile& profile,
                                                           const Prediction& prediction);

[[nodiscard]] std::string communication_text(const Profile& profile, const Prediction& prediction,
                                             const TextStyle& style);
[[nodiscard]] std::string communication_markdown(const Profile& profile,
                                                 const Prediction& prediction);

}  // namespace ridge::render
