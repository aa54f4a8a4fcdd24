// `ridge run --explain`: one region in words, or whom that may mean.
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::cli {

/// The report of the region that `words` mean, with its source lines where the file can be read.
/// Error (usage): none or several fit; the hint lists the candidates.
[[nodiscard]] Result<std::string> explain(const Profile& profile, const Prediction& prediction,
                                          const std::string& words, const render::TextStyle& style);

}  // namespace ridge::cli
