#include "import/imported.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "import/formula.hpp"

namespace ridge::imports {
namespace {

std::string source_words(const Imported& imported, const std::string& file) {
  return fmt::format("imported from {}{}{}: {}", imported.tool, imported.version ? " " : "",
                     imported.version.value_or(""), file);
}

/// Where the file does not describe the machine: what a machine must have, and a note that says so.
Machine complete_machine(Machine machine, const std::string& ridge_version) {
  machine.ridge_version = ridge_version;
  if (machine.name.empty()) {
    machine.name = kUnnamedMachine;
  }
  if (machine.memories.empty()) {
    machine.memories.push_back({});
  }
  add_note(machine.notes, "not-described",
           "the imported file does not describe the machine: CPU, topology and caches are unknown");
  return machine;
}

void add_levels_note(Profile& profile) {
  const std::vector<Level> known = levels_of(profile.machine);
  for (const Region& region : profile.regions) {
    for (const auto& [level, traffic] : region.traffic) {
      if (std::find(known.begin(), known.end(), level) == known.end()) {
        add_note(
            profile.notes, "unknown-level",
            fmt::format("the machine has no level {}: its traffic has no roof", to_string(level)));
      }
    }
  }
}

}  // namespace

bool is_machine(const Imported& imported) {
  return imported.regions.empty() && !imported.machine.ceilings.empty();
}

Profile profile_of(Imported imported, const std::string& file,
                   const std::optional<Machine>& machine, const std::string& ridge_version) {
  Profile profile;
  profile.ridge_version = ridge_version;
  profile.date = imported.date;
  profile.imports.push_back({imported.tool, imported.version, file});
  for (const std::string& other : imported.other_files) {
    profile.imports.push_back({imported.tool, imported.version, other});
  }
  profile.notes = std::move(imported.notes);
  add_note(profile.notes, "imported", source_words(imported, file));
  profile.program.argv = imported.argv;
  profile.program.wall_seconds = imported.wall_seconds.value_or(Seconds{});
  if (!machine && imported.machine.ceilings.empty()) {
    add_note(profile.notes, "machine-unknown",
             "the file has no roofs of the machine: --machine FILE adds them");
  }
  profile.machine =
      machine ? *machine : complete_machine(std::move(imported.machine), ridge_version);
  Process process;
  process.argv = std::move(imported.argv);
  profile.processes.push_back(std::move(process));
  profile.origins = imported.origins;
  profile.regions = std::move(imported.regions);
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    profile.regions[i].id = static_cast<std::uint32_t>(i);
    profile.regions[i].threads = std::max(profile.regions[i].threads, 1U);
  }
  if (machine) {
    add_levels_note(profile);
  }
  return profile;
}

Machine machine_of(Imported imported, const std::string& file, const std::string& ridge_version) {
  const std::string words = source_words(imported, file);
  Machine machine = complete_machine(std::move(imported.machine), ridge_version);
  machine.date = imported.date;
  for (Note& note : imported.notes) {
    add_note(machine.notes, note.code, std::move(note.text));
  }
  add_note(machine.notes, "imported", words);
  return machine;
}

}  // namespace ridge::imports
