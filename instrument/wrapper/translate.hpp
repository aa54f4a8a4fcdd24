// What the compiler wrapper does to a command line, as a pure function: no files, no environment,
// no processes. ridge-cc and ridge-c++ are a drop-in for clang, ridge-fc for flang: every flag
// passes through.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace ridge::wrapper {

/// Where the companions of the wrapper lie.
struct Installation {
  std::string plugin;             ///< path of ridge_llvm_pass.so
  std::string library_directory;  ///< folder of libridge_runtime.{so,a}
  std::string include_directory;  ///< folder of ridge/marker.h
};

/// Text of a response file (`@path`), or nullopt when it cannot be read: the compiler then says so.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

struct Translation {
  std::vector<std::string> arguments;  ///< for the compiler, without its own name
  std::string flags;                   ///< code generation flags, for the environment RIDGE_FLAGS
  std::vector<std::string> warnings;   ///< one line each, without the program's name
  bool instruments = false;            ///< the plugin is loaded: it must exist
};

/// Translates `arguments` (without argv[0]). `plain` leaves out plugin and runtime and nothing
/// else, so that a plain and an instrumented build differ in the instrumentation alone.
[[nodiscard]] Translation translate(const std::vector<std::string>& arguments, Driver driver,
                                    const Installation& installation, bool plain,
                                    const ReadFile& read_file);

/// Splits the text of a response file as clang does on Unix: blanks separate, a backslash takes the
/// next character as it is, single and double quotes group.
[[nodiscard]] std::vector<std::string> split_response_file(const std::string& text);

}  // namespace ridge::wrapper
