#include "render/report_facts.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "render/format_si.hpp"
#include "render/names.hpp"
#include "render/text.hpp"

namespace ridge::render {
namespace {

bool traffic_is_simulated(const Profile& profile) {
  return profile.origins.traffic == Origin::simulated &&
         std::any_of(profile.regions.begin(), profile.regions.end(), [](const Region& region) {
           return std::any_of(region.traffic.begin(), region.traffic.end(),
                              [](const auto& entry) { return entry.first != "L1"; });
         });
}

void add_region(std::vector<Remark>& out, const ShownRegion& shown) {
  constexpr std::size_t kNameWidth = 40;
  const std::string name = shown.region->name.empty() ? shown.region->function : shown.region->name;
  const std::string about =
      fmt::format("{} {}", shown.rank, shorten_middle(clean(name), kNameWidth));
  for (const Note& note : shown.region->notes) {
    // Said by the mark ~ in the table and its footnote.
    if (note.code != "uncertain-share") {
      out.push_back({about, clean(note.text)});
    }
  }
  for (const Finding& finding : shown.region->findings) {
    out.push_back({about, clean(finding.text)});
  }
  if (shown.prediction != nullptr) {
    for (const Note& note : shown.prediction->notes) {
      out.push_back({about, clean(note.text)});
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
  std::vector<Remark> all;
  bool said = false;
  for (const Note& note : profile.notes) {
    said = said || note.code == "not-modelled";
    all.push_back({{}, clean(note.text)});
  }
  if (!said && traffic_is_simulated(profile)) {
    all.push_back({{}, std::string(not_modelled())});
  }
  for (const ShownRegion& shown : selection.shown) {
    add_region(all, shown);
  }
  std::set<std::pair<std::string, std::string>> seen;
  std::vector<Remark> unique;
  for (Remark& remark : all) {
    if (!remark.text.empty() && seen.emplace(remark.about, remark.text).second) {
      unique.push_back(std::move(remark));
    }
  }
  return unique;
}

std::string compiler_line(const Profile& profile) {
  return profile.program.compiler ? fmt::format("{} (not necessarily your production build)",
                                                clean(*profile.program.compiler))
                                  : std::string("compiler and flags are not known");
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
  result.outermost_level =
      profile.machine.memories.empty() ? "DRAM" : profile.machine.memories.front().level;
  const Region* program = program_region(profile);
  if (program == nullptr) {
    return result;
  }
  const auto& time = program->time_seconds.inclusive ? program->time_seconds.inclusive
                                                     : program->time_seconds.self;
  result.samples = time ? time->samples : 0;
  result.flops = static_cast<double>(program->flops.total());
  const auto seconds = program_seconds(profile);
  if (seconds && *seconds > 0.0) {
    result.flops_per_second = *result.flops / *seconds;
  }
  const auto traffic = program->traffic.find(result.outermost_level);
  if (traffic != program->traffic.end()) {
    result.outermost_bytes = static_cast<double>(traffic->second.total());
  }
  return result;
}

}  // namespace ridge::render
