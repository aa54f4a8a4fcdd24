// What a run leaves: profile.json, roofline.svg and report.html, and how it is evaluated.
#pragma once

#include <string>
#include <vector>

#include "cli/common/result_folder.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/counted_work.hpp"

namespace ridge::cli {

struct RunReport {
  Profile profile;
  Prediction prediction;
  std::string json;
};

[[nodiscard]] RunReport make_run_report(Profile profile, bool redact);

/// The profile first. The picture draws `work`.
[[nodiscard]] std::vector<ResultFile> files_of(
    const RunReport& report, render::CountedWork work = render::CountedWork::flops);

/// 128 + signal, or its own.
[[nodiscard]] int exit_code_of(const Profile::Program& program);

}  // namespace ridge::cli
