// Everything `ridge run` prints at its end.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Header (program, machine, compiler, totals), chart, tables, notes, and the closing sentence.
[[nodiscard]] std::string run_summary(const Profile& profile, const Prediction& prediction,
                                      const TextStyle& style);

}  // namespace ridge::render
