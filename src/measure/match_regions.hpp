// Which regions of two profiles of one program are the same code. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge::measure {

/// What tells a region from all others besides what Region says; absent where the source does not
/// know.
struct CodeIdentity {
  std::string module;    ///< file name of the program or library: "libm.so.6"; empty: unknown
  std::string build_id;  ///< of the module, in hex (ELF note NT_GNU_BUILD_ID); empty: unknown
  /// Of the first instruction, as the module's file has it: where it was loaded plays no part.
  std::optional<std::uint64_t> address;

  friend bool operator==(const CodeIdentity&, const CodeIdentity&) = default;
};

/// What one source says of a program.
struct SourcedProfile {
  std::string source;  ///< its name, for people
  Profile profile;
  /// One for each region of the profile, or none at all: nothing is known besides the profile.
  std::vector<CodeIdentity> identities;
};

/// Of two profiles, as indices into Profile::regions and Profile::processes.
struct RegionMatches {
  std::vector<std::optional<std::size_t>> regions;    ///< of each of the second: that of the first
  std::vector<std::optional<std::size_t>> processes;  ///< likewise
  /// Without a partner, although there are candidates: more than one region looks like them.
  std::vector<bool> ambiguous_in_first;
  std::vector<bool> ambiguous_in_second;
};

/// Joins regions of the same process and kind, each with at most one of the other profile, by the
/// first of these that is unique on both sides:
///
///   1. build ID and address (of several regions at one address: those with the same place);
///   2. module, function, file, line and column, and the same of all regions around them;
///   3. module, function, file, line and column;
///   4. module, function, file and line: compilers and debuggers differ in columns.
///
/// By 2 to 4 no two regions are joined whose addresses in one build are both known and differ. A
/// module that one side does not know fits every module, and the one that a process was started
/// from is one module whatever it is called; of files the shorter path must be the end of the
/// longer one. Regions without a file go by their name instead, and those of kind program are
/// joined in any case. Processes are joined by rank where both know it, else by arguments, the n-th
/// with the n-th; a profile's only process with the other's only one.
[[nodiscard]] RegionMatches match_regions(const SourcedProfile& first,
                                          const SourcedProfile& second);

/// "f (a.cpp:10:5)", "libm.so.6+0x1f0" or "region 7": the best that is known of
/// `profile.regions[index]`, for people.
[[nodiscard]] std::string best_name(const SourcedProfile& sourced, std::size_t index);

}  // namespace ridge::measure
