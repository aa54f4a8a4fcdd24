// What another tool's file says, before it becomes a Profile or a Machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "core/value/profile.hpp"
#include "core/value/region.hpp"

namespace ridge::imports {

/// Of one file. What the file does not say is absent. Either it has regions, or its machine has
/// ceilings and there are none.
struct Imported {
  std::string tool;                    ///< "Google Benchmark", as its makers call it
  std::optional<std::string> version;  ///< of the tool, where the file says it
  std::vector<Region> regions;         ///< ids count from 0; all of process 0
  Origins origins{Origin::counted, Origin::counted, Origin::measured, Origin::measured};
  std::vector<std::string> argv;  ///< of the measured program; empty: unknown
  std::optional<Seconds> wall_seconds;
  std::string date;  ///< ISO 8601; empty: unknown
  /// What the file says of the machine: a name, levels of memory, ceilings. Empty name: nothing.
  Machine machine;
  std::vector<Note> notes;
  /// Of a file of masks alone: flops of lanes that were switched off (masks.hpp). A mix counts
  /// them.
  std::optional<std::vector<WorkTerm>> idle_flops;
  std::vector<std::string> other_files;  ///< that completed this one

  friend bool operator==(const Imported&, const Imported&) = default;
};

/// With the name of its file.
struct ImportedFile {
  std::string name;
  Imported imported;
};

/// Code of the note of a region whose instructions with masks count with all lanes.
inline constexpr const char* kMaskedLanes = "masked-lanes";

/// Whether the file describes roofs rather than a program.
[[nodiscard]] bool is_machine(const Imported& imported);

/// The profile of these regions on `machine`, if one is given, else on what the file says of it.
/// Its notes name tool, version and `file`; `Profile::imports` does so for programs.
[[nodiscard]] Profile profile_of(Imported imported, const std::string& file,
                                 const std::optional<Machine>& machine,
                                 const std::string& ridge_version);

/// The machine of these ceilings. Its notes name tool, version and `file`.
[[nodiscard]] Machine machine_of(Imported imported, const std::string& file,
                                 const std::string& ridge_version);

}  // namespace ridge::imports
