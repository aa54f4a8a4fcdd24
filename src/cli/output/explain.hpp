// `ridge run --explain` and `ridge report --explain`: one region in words, or whom that may mean.
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::cli {

/// Of a run that has just ended the source is that of the program; later only where the file was
/// not changed since.
enum class Age { just_measured, stored };

/// The report of the region that `words` mean, with its source lines where the file can be read.
/// Error (usage): none or several fit; the hint lists the candidates.
[[nodiscard]] Result<std::string> explain(const Profile& profile, const Prediction& prediction,
                                          const std::string& words, const render::TextStyle& style,
                                          Age age = Age::just_measured);

}  // namespace ridge::cli
