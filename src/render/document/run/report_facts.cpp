#include "render/document/run/report_facts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

bool traffic_is_simulated(const Profile& profile) {
  return profile.origins.traffic == Origin::simulated &&
         std::any_of(profile.regions.begin(), profile.regions.end(), [](const Region& region) {
           return std::any_of(region.traffic.begin(), region.traffic.end(),
                              [](const auto& entry) { return entry.first != Level::L1; });
         });
}

/// Shown elsewhere: by a mark in the table, or among the details of a region.
bool is_detail(const Note& note) {
  constexpr std::array<std::string_view, 4> kDetails = {"uncertain-share", "inlined-at", "versions",
                                                        "non-temporal"};
  return std::find(kDetails.begin(), kDetails.end(), note.code) != kDetails.end();
}

/// Each text once, with all the regions that it is about: "1 jacobi_sweep, 3 max_difference".
class Collector {
 public:
  void add(const std::string& about, std::string_view raw_text) {
    const std::string text = clean(raw_text);
    if (text.empty()) {
      return;
    }
    const auto [at, fresh] = index_.try_emplace(text, remarks_.size());
    if (fresh) {
      remarks_.push_back({about, text});
      return;
    }
    std::string& known = remarks_[at->second].about;
    if (known.empty() || known.ends_with(about) || known.ends_with(kMore)) {
      return;
    }
    constexpr std::size_t kMostNamed = 60;
    known += known.size() < kMostNamed ? fmt::format(", {}", about) : std::string(kMore);
  }

  [[nodiscard]] std::vector<Remark> take() { return std::move(remarks_); }

 private:
  static constexpr std::string_view kMore = ", ...";
  std::vector<Remark> remarks_;
  std::map<std::string, std::size_t> index_;
};

/// "1 jacobi_sweep"
std::string about_region(const ShownRegion& shown) {
  constexpr std::size_t kNameWidth = 40;
  return fmt::format("{} {}", shown.rank, fitted_name(clean(shown.name), kNameWidth));
}

/// "1.3", "12": two digits.
std::string factor(double gain) {
  constexpr double kWholeNumbers = 10.0;
  return fmt::format("{:.{}f}", gain, gain < kWholeNumbers ? 1 : 0);
}

/// The finding of this code says it already.
bool is_finding(const Note& note, const RegionPrediction& prediction) {
  return std::any_of(prediction.findings.begin(), prediction.findings.end(),
                     [&](const Finding& finding) { return finding.code == note.code; });
}

void add_region(Collector& out, const ShownRegion& shown) {
  const std::string about = about_region(shown);
  for (const Note& note : shown.region->notes) {
    if (!is_detail(note)) {
      out.add(about, note.text);
    }
  }
  if (shown.prediction != nullptr) {
    for (const Note& note : shown.prediction->notes) {
      if (!is_finding(note, *shown.prediction)) {
        out.add(about, note.text);
      }
    }
  }
}

}  // namespace

std::string_view not_modelled() {
  return "The cache model leaves out prefetchers, address hashing, replacement other than LRU, "
         "page "
         "walks and physical indexing.";
}

std::vector<Remark> remarks(const Profile& profile, const Selection& selection) {
  Collector all;
  bool said = false;
  for (const Note& note : profile.notes) {
    said = said || note.code == "traffic-model";
    all.add({}, note.text);
  }
  if (!said && traffic_is_simulated(profile)) {
    all.add({}, not_modelled());
  }
  for (const ShownRegion& shown : selection.shown) {
    add_region(all, shown);
  }
  return all.take();
}

std::string gain_words(const Finding& finding) {
  constexpr double kNothing = 1.05;
  if (!finding.gain) {
    return {};
  }
  if (*finding.gain < kNothing) {
    return "nothing gained";
  }
  const std::string_view most = finding.gain_is_bound ? "at most" : "about";
  const bool is_interval = finding.gain_least && *finding.gain_least >= kNothing &&
                           factor(*finding.gain_least) != factor(*finding.gain);
  std::string text =
      is_interval ? fmt::format("{}{} to {} times as fast without it",
                                finding.gain_is_bound ? "" : "about ", factor(*finding.gain_least),
                                factor(*finding.gain))
                  : fmt::format("{} {} times as fast without it", most, factor(*finding.gain));
  if (finding.gain_program && *finding.gain_program >= kNothing &&
      *finding.gain_program < *finding.gain) {
    text += fmt::format(", the program {} {}", most, factor(*finding.gain_program));
  }
  return finding.gain_note ? fmt::format("{}, {}", text, *finding.gain_note) : text;
}

std::string finding_text(const Finding& finding) {
  std::string tail = finding.origin ? std::string(to_string(*finding.origin)) : std::string();
  if (const std::string gain = gain_words(finding); !gain.empty()) {
    tail += fmt::format("{}{}", tail.empty() ? "" : "; ", gain);
  }
  return clean(tail.empty() ? finding.text : fmt::format("{} [{}]", finding.text, tail));
}

namespace {

bool has_finding(const Selection& selection, const std::string& code) {
  return std::any_of(selection.shown.begin(), selection.shown.end(), [&](const ShownRegion& shown) {
    const auto& findings = findings_of(shown.prediction);
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.code == code; });
  });
}

}  // namespace

std::vector<Remark> top_findings(const Profile& profile, const Prediction& prediction,
                                 const Selection& selection, std::size_t each) {
  constexpr double kNothing = 1.05;
  Collector all;
  // Page faults may lie with a loop around the ones with time; other sums only repeat.
  if (const Region* program = program_region(profile)) {
    for (const Finding& finding : findings_of(find_prediction(prediction, program->id))) {
      if (finding.code == "page-faults" && !has_finding(selection, finding.code)) {
        all.add("the program", finding_text(finding));
      }
    }
  }
  for (const ShownRegion& shown : selection.shown) {
    std::size_t said = 0;
    for (const Finding& finding : findings_of(shown.prediction)) {
      const bool worth = !finding.gain || *finding.gain >= kNothing;
      if (worth && said < each) {
        all.add(about_region(shown), finding_text(finding));
        ++said;
      }
    }
  }
  return all.take();
}

std::string compiler_line(const Profile& profile) {
  return profile.program.compiler ? fmt::format("{} (not necessarily your production build)",
                                                clean(*profile.program.compiler))
                                  : std::string("compiler and flags are not known");
}

std::string unattributed_words(const Profile& profile) {
  const std::string share = percent(profile.time.unattributed_fraction, 1);
  const auto interval = unattributed_interval(profile);
  return interval ? fmt::format("{} ({:.1f} to {})", share, 100.0 * interval->low,
                                percent(interval->high, 1))
                  : share;
}

std::string ending(const Profile& profile) {
  if (profile.program.signal) {
    return fmt::format("killed by signal {}", *profile.program.signal);
  }
  return profile.program.exit_code ? fmt::format("exit code {}", *profile.program.exit_code)
                                   : std::string();
}

Totals totals(const Profile& profile) {
  Totals result;
  result.outermost_level = memory_level(profile.machine);
  const Region* program = program_region(profile);
  if (program == nullptr) {
    return result;
  }
  const auto& time = program->time_seconds.inclusive ? program->time_seconds.inclusive
                                                     : program->time_seconds.self;
  result.samples = time ? time->samples : 0;
  if (program->flops) {
    result.flops = static_cast<double>(program->flops->total());
  }
  const auto seconds = program_seconds(profile);
  if (result.flops && seconds && *seconds > 0.0 && !program->partial) {
    result.flops_per_second = *result.flops / *seconds;
  }
  const auto traffic = program->traffic.find(result.outermost_level);
  if (traffic != program->traffic.end()) {
    result.outermost_bytes = static_cast<double>(traffic->second.total());
  }
  return result;
}

}  // namespace ridge::render
