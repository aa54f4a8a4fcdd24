// Engines: programs of others that run a program as it is and tell how often its code ran.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/value/note.hpp"

namespace ridge::measure::binary {

/// How an engine is to be started on a program.
struct EngineStart {
  std::vector<std::string> arguments;  ///< of the whole command, the program's among them
  std::vector<std::pair<std::string, std::string>> environment;
  /// After the program has ended, of an engine whose own files are no records: writes records of
  /// them. Empty: there is nothing to do.
  std::function<Result<void>()> collect;
};

/// What an engine is asked for.
struct EngineJob {
  std::vector<std::string> arguments;  ///< program, found through PATH, and what it is told
  std::filesystem::path folder;        ///< for its files; records are there afterwards as record.*
  std::optional<std::filesystem::path> plan;  ///< traffic is to be simulated by it (abi/record.h)
  std::vector<std::pair<std::string, std::string>> variables;  ///< for the program's environment
};

struct Engine {
  std::string_view name;     ///< the word behind --engine
  std::string_view summary;  ///< one line: how it counts, and what it cannot
  bool simulates = false;
  bool counts_libraries = true;  ///< and other programs; else the program's own file alone
  std::string_view needs;        ///< what has to be installed, and how
  /// Whether it is here. Error: unavailable, with what to install.
  Result<void> (*available)();
  /// Whether it can run this program (a path), as far as its file tells. Errors: as Source::check.
  Result<void> (*suits)(const std::string& program);
  /// Errors: unavailable.
  Result<EngineStart> (*prepare)(const EngineJob& job);
};

/// In order of preference. Never empty.
[[nodiscard]] std::span<const Engine> engines();

/// nullptr: there is none of this name.
[[nodiscard]] const Engine* find_engine(std::string_view name);

/// The engine called `name`, else (nullopt or "auto") all that are here and can run the program,
/// best first; where traffic is wanted (`simulate`) those that simulate come first. Never empty.
/// Errors: usage for an unknown name; unavailable with what to install, by name, where none is
/// here; what suits() says where the program suits none.
[[nodiscard]] Result<std::vector<const Engine*>> usable_engines(
    const std::optional<std::string>& name, const std::string& program, bool simulate);

}  // namespace ridge::measure::binary
