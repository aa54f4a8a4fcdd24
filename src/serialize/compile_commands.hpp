// compile_commands.json, as CMake, Meson, Bear and others write it: how each file of a project is
// compiled (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::serialize {

struct CompileCommand {
  std::string directory;               ///< in which the compiler is started
  std::string file;                    ///< as it stands there: to be taken from `directory`
  std::vector<std::string> arguments;  ///< the compiler first
};

/// In the order of the file. Errors: `bad_input` where it is no such list.
[[nodiscard]] Result<std::vector<CompileCommand>> parse_compile_commands(
    std::string_view text, std::string_view file_name);

/// A command line as a shell would split it: blanks, single and double quotes, backslashes.
/// Nothing is expanded.
[[nodiscard]] std::vector<std::string> words_of_command(std::string_view command);

}  // namespace ridge::serialize
