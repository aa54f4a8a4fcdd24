// Everything `ridge run` prints at its end.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/counted_work.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// The first screen (verdict, what to do next, wall time), chart, tables, findings, what was run
/// where (command, machine, compiler, totals), and notes. `work`: of chart and table.
[[nodiscard]] std::string run_summary(const Profile& profile, const Prediction& prediction,
                                      const TextStyle& style,
                                      CountedWork work = CountedWork::flops);

}  // namespace ridge::render
