#include "measure/match_regions.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

using Indices = std::vector<std::size_t>;

/// Between the parts of a key: no name of a function or file holds it.
constexpr char kBetween = '\0';

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view part : parts) {
    key += part;
    key += kBetween;
  }
  return key;
}

std::string_view last_component(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

/// Without what only says from where the path begins.
std::string_view without_dots(std::string_view path) {
  while (path.starts_with("./") || path.starts_with("../")) {
    path.remove_prefix(path.find('/') + 1);
  }
  return path;
}

/// Whether one may be the other, given from another folder: "src/a.cpp" and "/build/src/a.cpp".
bool same_file(std::string_view one, std::string_view other) {
  std::string_view longer = without_dots(one);
  std::string_view shorter = without_dots(other);
  if (longer.size() < shorter.size()) {
    std::swap(longer, shorter);
  }
  if (longer.size() == shorter.size() || shorter.starts_with('/')) {
    return longer == shorter;
  }
  return longer.ends_with(shorter) && longer[longer.size() - shorter.size() - 1] == '/';
}

/// Where inlined code stands, in the words of its note.
std::string_view inlined_at(const Region& region) {
  const auto found = std::find_if(region.notes.begin(), region.notes.end(),
                                  [](const Note& note) { return note.code == "inlined-at"; });
  return found == region.notes.end() ? std::string_view{} : std::string_view(found->text);
}

std::string number(std::optional<unsigned> value) {
  return value ? fmt::format("{}", *value) : std::string{};
}

/// One profile with what its keys are made of.
class Side {
 public:
  /// `process_names`: equal for processes that are joined, by index.
  Side(const SourcedProfile& sourced, Indices process_names)
      : sourced_(sourced), process_names_(std::move(process_names)) {
    assert(sourced.identities.empty() || sourced.identities.size() == regions().size());
    for (std::size_t i = 0; i < regions().size(); ++i) {
      index_of_[regions()[i].id] = i;
    }
  }

  [[nodiscard]] const std::vector<Region>& regions() const { return sourced_.profile.regions; }

  [[nodiscard]] const CodeIdentity& identity(std::size_t index) const {
    static const CodeIdentity kUnknown;
    return sourced_.identities.empty() ? kUnknown : sourced_.identities[index];
  }

  /// The same for the program itself whatever its file is called: it may have been built anew under
  /// another name.
  [[nodiscard]] std::string_view module_of(std::size_t index) const {
    const std::string& module = identity(index).module;
    const auto& processes = sourced_.profile.processes;
    const std::size_t process = regions()[index].process;
    const bool is_program = process < processes.size() && !processes[process].argv.empty() &&
                            last_component(processes[process].argv.front()) == module;
    return is_program ? "the program" : std::string_view(module);
  }

  [[nodiscard]] std::optional<std::string> address_key(std::size_t index) const {
    const CodeIdentity& own = identity(index);
    if (own.build_id.empty() || !own.address) {
      return std::nullopt;
    }
    return joined({process_and_kind(index), own.build_id, fmt::format("{:x}", *own.address)});
  }

  [[nodiscard]] std::optional<std::string> address_and_path_key(std::size_t index) const {
    const auto address = address_key(index);
    return address ? std::optional(*address + *path_key(index)) : std::nullopt;
  }

  /// Function, file, line and column; the module is left to `agree`, since it may be unknown.
  [[nodiscard]] std::optional<std::string> place_key(std::size_t index) const {
    const Region& region = regions()[index];
    if (region.kind == RegionKind::program) {
      return joined({"program"});
    }
    return joined({process_and_kind(index), region.function,
                   region.file ? last_component(*region.file) : std::string_view(region.name),
                   region.file ? "in a file" : "", number(region.line), number(region.column)});
  }

  /// The places from the region outwards.
  [[nodiscard]] std::optional<std::string> path_key(std::size_t index) const {
    std::string key;
    std::optional<std::size_t> at = index;
    // A file may say that a region is its own ancestor: no more steps than there are regions.
    for (std::size_t step = 0; at && step < regions().size(); ++step) {
      key += *place_key(*at);
      key += joined({inlined_at(regions()[*at])});
      at = parent_of(*at);
    }
    return key;
  }

  [[nodiscard]] std::optional<std::string> line_key(std::size_t index) const {
    const Region& region = regions()[index];
    if (!region.file || !region.line) {
      return std::nullopt;
    }
    return joined({process_and_kind(index), region.function, last_component(*region.file),
                   number(region.line)});
  }

 private:
  [[nodiscard]] std::string process_and_kind(std::size_t index) const {
    const Region& region = regions()[index];
    const std::size_t process =
        region.process < process_names_.size() ? process_names_[region.process] : region.process;
    return joined({fmt::format("{}", process), to_string(region.kind)});
  }

  [[nodiscard]] std::optional<std::size_t> parent_of(std::size_t index) const {
    const auto parent = regions()[index].parent;
    const auto found = parent ? index_of_.find(*parent) : index_of_.end();
    return found == index_of_.end() ? std::nullopt : std::optional(found->second);
  }

  const SourcedProfile& sourced_;
  Indices process_names_;
  std::unordered_map<std::uint32_t, std::size_t> index_of_;  ///< by Region::id
};

struct Round {
  /// Absent where too little is known of the region.
  std::optional<std::string> (Side::*key)(std::size_t) const;
  /// Modules, files and addresses are held against each other besides.
  bool must_agree;
};

/// From what tells most apart to what tells least. One address in one build is one piece of code,
/// whatever file the line tables of either source give for it.
constexpr std::array kRounds{Round{&Side::address_and_path_key, false},
                             Round{&Side::address_key, false}, Round{&Side::path_key, true},
                             Round{&Side::place_key, true}, Round{&Side::line_key, true}};

class Matcher {
 public:
  Matcher(const SourcedProfile& first, const SourcedProfile& second, RegionMatches& matches)
      : first_(first, names_of_first(first)),
        second_(second, names_of_second(matches, first)),
        matches_(matches),
        taken_(first_.regions().size(), false) {
    matches_.regions.resize(second_.regions().size());
    matches_.ambiguous_in_first.resize(first_.regions().size(), false);
    matches_.ambiguous_in_second.resize(second_.regions().size(), false);
  }

  void run() {
    for (const Round& round : kRounds) {
      for (const auto& [key, group] : groups_of(round)) {
        join(group, round.must_agree);
      }
    }
    for (const Round& round : kRounds) {
      for (const auto& [key, group] : groups_of(round)) {
        mark_ambiguous(group, round.must_agree);
      }
    }
  }

 private:
  struct Group {
    Indices first;
    Indices second;
  };

  static Indices names_of_first(const SourcedProfile& first) {
    Indices names(first.profile.processes.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = i;
    }
    return names;
  }

  /// Processes of the second that the first does not know get names that nothing there has.
  static Indices names_of_second(const RegionMatches& matches, const SourcedProfile& first) {
    Indices names;
    std::size_t next = first.profile.processes.size();
    for (const auto& partner : matches.processes) {
      names.push_back(partner ? *partner : next++);
    }
    return names;
  }

  [[nodiscard]] std::map<std::string, Group> groups_of(const Round& round) const {
    std::map<std::string, Group> groups;
    for (std::size_t i = 0; i < first_.regions().size(); ++i) {
      if (const auto key = (first_.*round.key)(i)) {
        groups[*key].first.push_back(i);
      }
    }
    for (std::size_t i = 0; i < second_.regions().size(); ++i) {
      if (const auto key = (second_.*round.key)(i)) {
        groups[*key].second.push_back(i);
      }
    }
    return groups;
  }

  /// Whether nothing that both know of them says otherwise.
  [[nodiscard]] bool agree(std::size_t first, std::size_t second) const {
    if (first_.regions()[first].kind == RegionKind::program) {
      return true;
    }
    const CodeIdentity& a = first_.identity(first);
    const CodeIdentity& b = second_.identity(second);
    const auto& file = first_.regions()[first].file;
    const auto& other_file = second_.regions()[second].file;
    const bool is_elsewhere = !a.build_id.empty() && a.build_id == b.build_id && a.address &&
                              b.address && *a.address != *b.address;
    const bool is_other_module = !a.module.empty() && !b.module.empty() &&
                                 first_.module_of(first) != second_.module_of(second);
    return !is_elsewhere && !is_other_module &&
           (!file || !other_file || same_file(*file, *other_file));
  }

  /// Those of a group that are alone with one another. Others of the group count although they have
  /// a partner already: what looks like two regions is neither of them for certain.
  void join(const Group& group, bool must_agree) {
    std::map<std::size_t, Indices> of_second;
    for (const std::size_t second : group.second) {
      for (const std::size_t first : group.first) {
        if (!must_agree || agree(first, second)) {
          of_second[second].push_back(first);
        }
      }
    }
    std::map<std::size_t, std::size_t> candidates;  // of each of the first
    for (const auto& [second, firsts] : of_second) {
      for (const std::size_t first : firsts) {
        ++candidates[first];
      }
    }
    for (const auto& [second, firsts] : of_second) {
      const std::size_t first = firsts.front();
      if (firsts.size() == 1 && candidates[first] == 1 && !taken_[first] &&
          !matches_.regions[second]) {
        matches_.regions[second] = first;
        taken_[first] = true;
      }
    }
  }

  void mark_ambiguous(const Group& group, bool must_agree) {
    for (const std::size_t second : group.second) {
      for (const std::size_t first : group.first) {
        if (!taken_[first] && !matches_.regions[second] && (!must_agree || agree(first, second))) {
          matches_.ambiguous_in_first[first] = true;
          matches_.ambiguous_in_second[second] = true;
        }
      }
    }
  }

  Side first_;
  Side second_;
  RegionMatches& matches_;
  std::vector<bool> taken_;  ///< of the first: has a partner
};

bool same_process(const Process& a, const Process& b) {
  return a.rank && b.rank ? *a.rank == *b.rank : a.argv == b.argv;
}

std::vector<std::optional<std::size_t>> match_processes(const std::vector<Process>& first,
                                                        const std::vector<Process>& second) {
  std::vector<std::optional<std::size_t>> partners(second.size());
  if (first.size() == 1 && second.size() == 1) {
    partners.front() = 0;  // the program may have been built anew under another name
    return partners;
  }
  std::vector<bool> taken(first.size(), false);
  for (std::size_t i = 0; i < second.size(); ++i) {
    for (std::size_t k = 0; k < first.size() && !partners[i]; ++k) {
      if (!taken[k] && same_process(first[k], second[i])) {
        partners[i] = k;
        taken[k] = true;
      }
    }
  }
  return partners;
}

}  // namespace

RegionMatches match_regions(const SourcedProfile& first, const SourcedProfile& second) {
  RegionMatches matches;
  matches.processes = match_processes(first.profile.processes, second.profile.processes);
  Matcher(first, second, matches).run();
  return matches;
}

std::string best_name(const SourcedProfile& sourced, std::size_t index) {
  const Region& region = sourced.profile.regions[index];
  const CodeIdentity identity =
      sourced.identities.empty() ? CodeIdentity{} : sourced.identities[index];
  std::string name = region.name.empty() ? region.function : region.name;
  if (name.empty() && identity.address) {
    name = fmt::format("{}+{:#x}", identity.module, *identity.address);
  }
  if (name.empty()) {
    name = fmt::format("region {}", region.id);
  }
  if (!region.file) {
    return name;
  }
  std::string place = *region.file;
  for (const auto part : {region.line, region.column}) {
    place += part ? fmt::format(":{}", *part) : std::string{};
  }
  return fmt::format("{} ({})", name, place);
}

}  // namespace ridge::measure
