#include "predict/findings/whole_program.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "predict/findings/findings.hpp"
#include "predict/findings/subject.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

/// Of one code, over all regions.
struct Sum {
  double regions = 0.0;
  double seconds = 0.0;
  double saved_most = 0.0;
  double saved_least = 0.0;
};

std::map<std::string, Sum> sums_of(const Profile& profile, const Prediction& prediction) {
  std::map<std::string, Sum> sums;
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const Region& region = profile.regions[i];
    const double seconds = judged_share(region);
    if (is_sum(region) || is_waiting(region) || seconds <= 0.0) {
      continue;
    }
    for (const Finding& finding : prediction.regions.at(i).findings) {
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
                  "take about {} less",
                  code, sum.regions, sum.regions > 1.0 ? "s" : "",
                  percent_text(sum.seconds / total), amount_text(sum.saved_most, "s")),
      {{"regions", sum.regions},
       {"seconds", sum.seconds},
       {"seconds_saved_at_most", sum.saved_most},
       {"seconds_saved_at_least", sum.saved_least}},
      gain,
      Origin::modelled};
  finding.gain_program = gain;
  finding.gain_note = "if what the findings of these regions assume holds";
  const auto least = speedup_of(total, sum.saved_least);
  if (least && *least < gain) {
    finding.gain_least = std::max(*least, 1.0);
  }
  return finding;
}

/// Adds to what the rules found in the program itself the region that has most of it.
void say_where(std::vector<Finding>& own, const Region& program, const Profile& profile) {
  constexpr double kMost = 0.5;
  if (!program.page_faults) {
    return;
  }
  for (Finding& finding : own) {
    const Region* most = nullptr;
    for (const Region& region : profile.regions) {
      const bool has = region.kind != RegionKind::program && region.page_faults;
      if (has && (most == nullptr || region.page_faults->value > most->page_faults->value)) {
        most = &region;
      }
    }
    const double share = most == nullptr
                             ? 0.0
                             : share_of(static_cast<double>(most->page_faults->value),
                                        static_cast<double>(program.page_faults->value));
    if (share >= kMost) {
      finding.text += fmt::format("; {} of them in {}{}", percent_text(share),
                                  most->function.empty() ? most->name : most->function,
                                  most->line ? fmt::format(" (line {})", *most->line) : "");
    }
  }
}

bool has_code(const std::vector<Finding>& findings, const std::string& code) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.code == code; });
}

}  // namespace

void set_program_findings(Prediction& prediction, const Profile& profile) {
  const auto program =
      std::find_if(profile.regions.begin(), profile.regions.end(),
                   [](const Region& region) { return region.kind == RegionKind::program; });
  const auto total = seconds_in_turn(profile);
  if (program == profile.regions.end()) {
    return;
  }
  auto& of_program =
      prediction.regions.at(static_cast<std::size_t>(program - profile.regions.begin())).findings;
  say_where(of_program, *program, profile);
  if (!total) {
    return;
  }
  std::vector<Finding> findings;
  for (const auto& [code, sum] : sums_of(profile, prediction)) {
    // What the rules found in the program itself is more than a sum over regions.
    if (has_code(of_program, code)) {
      continue;
    }
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
  std::move(of_program.begin(), of_program.end(), std::back_inserter(findings));
  of_program = std::move(findings);
}

}  // namespace ridge::predict
