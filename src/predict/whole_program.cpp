#include "predict/whole_program.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "predict/findings.hpp"
#include "predict/program_time.hpp"
#include "predict/subject.hpp"

namespace ridge::predict {
namespace {

/// Of one code, over all regions.
struct Sum {
  double regions = 0.0;
  double seconds = 0.0;
  double saved_most = 0.0;
  double saved_least = 0.0;
};

std::map<std::string, Sum> sums_of(const Profile& profile) {
  std::map<std::string, Sum> sums;
  for (const Region& region : profile.regions) {
    const double seconds = self_seconds(region);
    if (region.kind == RegionKind::program || is_waiting(region) || seconds <= 0.0) {
      continue;
    }
    for (const Finding& finding : region.findings) {
      if (!finding.gain) {
        continue;
      }
      Sum& sum = sums[finding.code];
      sum.regions += 1.0;
      sum.seconds += seconds;
      sum.saved_most += saved_seconds(finding, seconds);
      const double least = finding.gain_least.value_or(*finding.gain);
      sum.saved_least += seconds * (1.0 - 1.0 / least);
    }
  }
  return sums;
}

Finding finding_of(const std::string& code, const Sum& sum, double total, double gain) {
  Finding finding{
      code,
      fmt::format("{} in {:.0f} region{} with {} of the time: without it the program would "
                  "take at most {} less",
                  code, sum.regions, sum.regions > 1.0 ? "s" : "",
                  percent_text(sum.seconds / total), amount_text(sum.saved_most, "s")),
      {{"regions", sum.regions},
       {"seconds", sum.seconds},
       {"seconds_saved_at_most", sum.saved_most},
       {"seconds_saved_at_least", sum.saved_least}},
      gain,
      Origin::modelled};
  finding.gain_program = gain;
  const auto least = speedup_of(total, sum.saved_least);
  if (least && *least < gain) {
    finding.gain_least = std::max(*least, 1.0);
  }
  return finding;
}

}  // namespace

void set_program_findings(Profile& profile) {
  const auto program =
      std::find_if(profile.regions.begin(), profile.regions.end(),
                   [](const Region& region) { return region.kind == RegionKind::program; });
  const auto total = seconds_in_turn(profile);
  if (program == profile.regions.end() || !total) {
    return;
  }
  std::vector<Finding> findings;
  for (const auto& [code, sum] : sums_of(profile)) {
    const auto gain = speedup_of(*total, sum.saved_most);
    if (gain && *gain >= kWorthwhileGain) {
      findings.push_back(finding_of(code, sum, *total, *gain));
    }
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const auto middle = [](const Finding& finding) {
      return finding.evidence.at("seconds_saved_at_most") +
             finding.evidence.at("seconds_saved_at_least");
    };
    return middle(a) > middle(b);
  });
  program->findings = std::move(findings);
}

}  // namespace ridge::predict
