#include "measure/combine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::measure {
namespace {

using Profiles = std::vector<SourcedProfile>;
/// Which of the profiles gives each group; those that no profile has are not in it.
using Givers = std::map<FigureGroup, std::size_t>;

bool has_figures_of(const Profile& profile, FigureGroup group) {
  return std::any_of(profile.regions.begin(), profile.regions.end(),
                     [&](const Region& region) { return has_figures(region, group); });
}

/// Whether both are known and not the same; where no CPU is, by the names.
bool differ(const Machine& a, const Machine& b) {
  if (a.cpu || b.cpu) {
    return a.cpu && b.cpu && a.cpu != b.cpu;
  }
  return a.name != kUnnamedMachine && b.name != kUnnamedMachine && a.name != b.name;
}

Result<std::size_t> giver_called(const Profiles& profiles, const std::string& name,
                                 FigureGroup group) {
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (profiles[i].source == name) {
      return has_figures_of(profiles[i].profile, group)
                 ? Result<std::size_t>(i)
                 : fail(ErrorCode::bad_input,
                        fmt::format("the source `{}` has no {}", name, to_string(group)));
    }
  }
  return fail(ErrorCode::bad_input, fmt::format("there is no profile of a source `{}`", name));
}

std::optional<std::size_t> first_giver(const Profiles& profiles, FigureGroup group,
                                       const Givers& givers) {
  const auto time = givers.find(FigureGroup::time);
  if (group == FigureGroup::cpu_time && time != givers.end() &&
      has_figures_of(profiles[time->second].profile, group)) {
    return time->second;
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (has_figures_of(profiles[i].profile, group)) {
      return i;
    }
  }
  return std::nullopt;
}

Result<Givers> choose_givers(const Profiles& profiles, const FigureChoice& choice) {
  Givers givers;
  for (const FigureGroup group : kFigureGroups) {
    if (const auto chosen = choice.find(group); chosen != choice.end()) {
      const auto giver = giver_called(profiles, chosen->second, group);
      if (!giver) {
        return tl::make_unexpected(giver.error());
      }
      givers[group] = *giver;
    } else if (const auto giver = first_giver(profiles, group, givers)) {
      givers[group] = *giver;
    }
  }
  return givers;
}

/// In order of preference; never empty.
std::vector<std::size_t> contributors(const Givers& givers) {
  std::vector<std::size_t> result;
  for (const auto& [group, giver] : givers) {
    result.push_back(giver);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result.empty() ? std::vector<std::size_t>{0} : result;
}

void add_missing(std::vector<Note>& notes, const std::vector<Note>& more) {
  for (const Note& note : more) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
      notes.push_back(note);
    }
  }
}

template <class T>
void fill(std::optional<T>& unknown, const std::optional<T>& known) {
  unknown = unknown ? unknown : known;
}

/// What one source knows of where a region lies, where the other does not.
void fill_place(Region& region, const Region& other) {
  if (!region.file) {
    region.file = other.file;
    region.line = other.line;
    region.column = other.column;
  } else if (region.line == other.line || !region.line) {
    fill(region.line, other.line);
    fill(region.column, other.column);
  }
  add_missing(region.notes, other.notes);
}

/// An address means something in its own build only: the two come together.
void fill_identity(CodeIdentity& identity, const CodeIdentity& other) {
  if (identity.module.empty()) {
    identity.module = other.module;
  }
  const bool is_complete = !identity.build_id.empty() && identity.address;
  const bool is_other_complete = !other.build_id.empty() && other.address;
  if (!is_complete && (is_other_complete || identity.build_id.empty())) {
    identity.build_id = other.build_id;
    identity.address = other.address;
  }
}

class Combiner {
 public:
  Combiner(const Profiles& profiles, Givers givers)
      : profiles_(profiles), givers_(std::move(givers)), contributors_(contributors(givers_)) {
    const std::size_t first = contributors_.front();
    result_ = profiles[first];
    result_.identities.resize(profile().regions.size());
    origins_.resize(profile().regions.size());
    for (std::size_t i = 0; i < origins_.size(); ++i) {
      origins_[i] = {{{first, i}}, false};
      index_of_[profile().regions[i].id] = i;
      next_id_ = std::max(next_id_, profile().regions[i].id + 1);
    }
  }

  Combined run() {
    if (contributors_.size() == 1) {
      return {profiles_[contributors_.front()], {}};
    }
    drop_figures_of_others();
    for (std::size_t i = 1; i < contributors_.size(); ++i) {
      add(contributors_[i]);
    }
    set_program();
    std::vector<UnmatchedRegion> unmatched = list_unmatched();
    note_unknown_figures();
    return {std::move(result_), std::move(unmatched)};
  }

 private:
  /// Which regions one region of the result was made of.
  struct Parts {
    std::vector<std::pair<std::size_t, std::size_t>> seen;  ///< profile, and index of its region
    bool is_ambiguous = false;
  };

  Profile& profile() { return result_.profile; }

  void drop_figures_of_others() {
    for (Region& region : profile().regions) {
      for (const auto& [group, giver] : givers_) {
        if (giver != contributors_.front()) {
          take_figures(group, region, {});
        }
      }
    }
  }

  /// Joins one more profile to what is there.
  void add(std::size_t from) {
    const SourcedProfile& other = profiles_[from];
    const RegionMatches matches = match_regions(result_, other);
    for (std::size_t i = 0; i < matches.ambiguous_in_first.size(); ++i) {
      origins_[i].is_ambiguous = origins_[i].is_ambiguous || matches.ambiguous_in_first[i];
    }
    const auto processes = add_processes(other.profile.processes, matches.processes);
    std::vector<std::size_t> places;  // in the result, of each region
    for (std::size_t i = 0; i < other.profile.regions.size(); ++i) {
      const Region& region = other.profile.regions[i];
      const std::size_t at = matches.regions[i] ? *matches.regions[i] : append(region, processes);
      origins_[at].seen.emplace_back(from, i);
      origins_[at].is_ambiguous = origins_[at].is_ambiguous || matches.ambiguous_in_second[i];
      fill_place(profile().regions[at], region);
      if (!other.identities.empty()) {
        fill_identity(result_.identities[at], other.identities[i]);
      }
      for (const auto& [group, giver] : givers_) {
        if (giver == from) {
          take_figures(group, profile().regions[at], region);
        }
      }
      places.push_back(at);
    }
    set_parents(other.profile.regions, places);
    result_.source += " + " + other.source;
  }

  /// Where each of `more` is among the processes of the result.
  std::vector<std::size_t> add_processes(const std::vector<Process>& more,
                                         const std::vector<std::optional<std::size_t>>& partners) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < more.size(); ++i) {
      places.push_back(partners[i].value_or(profile().processes.size()));
      if (!partners[i]) {
        profile().processes.push_back(more[i]);
      }
    }
    return places;
  }

  /// A region without figures in the place of `region`.
  std::size_t append(const Region& region, const std::vector<std::size_t>& processes) {
    Region fresh;
    fresh.id = next_id_++;
    index_of_[fresh.id] = profile().regions.size();
    fresh.process = region.process < processes.size()
                        ? static_cast<std::uint32_t>(processes[region.process])
                        : region.process;
    fresh.kind = region.kind;
    fresh.name = region.name;
    fresh.function = region.function;
    profile().regions.push_back(std::move(fresh));
    result_.identities.emplace_back();
    origins_.emplace_back();
    return profile().regions.size() - 1;
  }

  /// Regions stay below what encloses them. Where both know a parent, the preferred source's holds.
  void set_parents(const std::vector<Region>& regions, const std::vector<std::size_t>& places) {
    std::map<std::uint32_t, std::uint32_t> id_of;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      id_of[regions[i].id] = profile().regions[places[i]].id;
    }
    for (std::size_t i = 0; i < regions.size(); ++i) {
      Region& region = profile().regions[places[i]];
      const auto parent = regions[i].parent ? id_of.find(*regions[i].parent) : id_of.end();
      if (!region.parent && parent != id_of.end() && !is_within(parent->second, region.id)) {
        region.parent = parent->second;
      }
    }
  }

  /// Whether `outer` is the region `id` or around it.
  bool is_within(std::uint32_t id, std::uint32_t outer) {
    for (std::size_t step = 0; step <= profile().regions.size(); ++step) {
      if (id == outer) {
        return true;
      }
      const auto found = index_of_.find(id);
      const auto parent =
          found == index_of_.end() ? std::nullopt : profile().regions[found->second].parent;
      if (!parent) {
        return false;
      }
      id = *parent;
    }
    return true;  // a cycle that was there before
  }

  /// The profile that gives a group; the first where nobody has it.
  const Profile& giver(FigureGroup group) const {
    const auto found = givers_.find(group);
    return profiles_[found == givers_.end() ? contributors_.front() : found->second].profile;
  }

  void set_program() {
    const Profile& time = giver(FigureGroup::time);
    const Profile& work = giver(FigureGroup::work);
    const Profile& traffic = giver(FigureGroup::traffic);
    profile().program = time.program;
    if (work.program.compiler) {
      profile().program.compiler = work.program.compiler;
    }
    profile().machine = time.machine;
    profile().time = time.time;
    profile().caches_elsewhere = traffic.caches_elsewhere;
    for (const std::size_t from : contributors_) {
      add_imports(profiles_[from].profile.imports);
    }
    profile().origins = {work.origins.flops, work.origins.bytes, traffic.origins.traffic,
                         time.origins.time};
    set_notes();
  }

  void add_imports(const std::vector<Import>& more) {
    auto& known = profile().imports;
    for (const Import& import : more) {
      if (std::find(known.begin(), known.end(), import) == known.end()) {
        known.push_back(import);
      }
    }
  }

  void set_notes() {
    for (const std::size_t from : contributors_) {
      add_missing(profile().notes, profiles_[from].profile.notes);
      if (differ(profiles_[from].profile.machine, profile().machine)) {
        profile().notes.push_back(
            {"machines-differ",
             fmt::format("figures of {} are those of another machine ({}) than the times ({})",
                         profiles_[from].source, profiles_[from].profile.machine.name,
                         profile().machine.name)});
      }
    }
    std::vector<std::string> words;
    for (const auto& [group, from] : givers_) {
      words.push_back(fmt::format("{} from {}", to_string(group), profiles_[from].source));
    }
    profile().notes.push_back(
        {"combined", fmt::format("figures of several sources: {}", fmt::join(words, ", "))});
  }

  std::vector<UnmatchedRegion> list_unmatched() const {
    std::vector<UnmatchedRegion> unmatched;
    for (const Parts& parts : origins_) {
      if (parts.seen.size() == 1) {
        const auto [from, index] = parts.seen.front();
        unmatched.push_back(
            {profiles_[from].source, best_name(profiles_[from], index), parts.is_ambiguous});
      }
    }
    return unmatched;
  }

  /// Of a region that a source did not see, or not for certain, its figures are unknown.
  void note_unknown_figures() {
    for (std::size_t i = 0; i < origins_.size(); ++i) {
      for (const std::size_t from : contributors_) {
        const auto& seen = origins_[i].seen;
        if (std::any_of(seen.begin(), seen.end(),
                        [&](const auto& part) { return part.first == from; })) {
          continue;
        }
        std::vector<std::string_view> words;
        for (const auto& [group, giver] : givers_) {
          if (giver == from) {
            words.push_back(to_string(group));
          }
        }
        profile().regions[i].notes.push_back(
            {"not-joined",
             fmt::format("{} unknown: {} {}", fmt::join(words, ", "), profiles_[from].source,
                         origins_[i].is_ambiguous ? "saw no region that is this one for certain"
                                                  : "did not see this region")});
      }
    }
  }

  const Profiles& profiles_;
  Givers givers_;
  std::vector<std::size_t> contributors_;
  SourcedProfile result_;
  std::vector<Parts> origins_;                     ///< of each region of the result
  std::map<std::uint32_t, std::size_t> index_of_;  ///< by Region::id
  std::uint32_t next_id_ = 0;
};

}  // namespace

Result<Combined> combine(const std::vector<SourcedProfile>& profiles, const FigureChoice& choice) {
  if (profiles.empty()) {
    return fail(ErrorCode::bad_input, "there is no profile to combine");
  }
  auto givers = choose_givers(profiles, choice);
  if (!givers) {
    return tl::make_unexpected(givers.error());
  }
  return Combiner(profiles, std::move(*givers)).run();
}

}  // namespace ridge::measure
