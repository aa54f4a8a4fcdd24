// A source file, compiled twice: to LLVM's intermediate language, whose loops are those of the
// source, and to the machine code that would run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

struct CompileRequest {
  std::string file;
  std::vector<std::string> flags;   ///< as the user's build has them
  std::vector<std::string> macros;  ///< "N=4000"
  std::optional<std::string> cpu;   ///< -march; absent: that of the flags, else native
  bool wants_machine_code = true;
};

struct Compiled {
  std::string program;       ///< LLVM bitcode, before optimisation
  std::string machine_code;  ///< an object; empty: not asked for, or it does not compile
  std::string command;       ///< that makes it: "clang-19 -O3 -march=native"
  std::string why_not;       ///< the compiler's words where only the machine code failed
};

enum class SourceLanguage { c, cxx, fortran };

/// By the ending of its name; nullopt: none that is compiled.
[[nodiscard]] std::optional<SourceLanguage> language_of(const std::string& file);

/// What of a build's flags says something about the program: without what is compiled, where it
/// goes, and how much it is optimised and described.
[[nodiscard]] std::vector<std::string> flags_of_the_program(const std::vector<std::string>& flags,
                                                            const std::string& file);

/// An object of what a compiler wrote with -S. Errors as below.
[[nodiscard]] Result<std::string> assemble(const std::string& file);

/// Both at the same time. Errors: `unavailable` without clang 19 (or flang 19); `bad_input` where
/// the file does not compile, with the compiler's words as the hint.
[[nodiscard]] Result<Compiled> compile(const CompileRequest& request);

/// The same machine code as a shared object in the file `output`. Errors as above.
[[nodiscard]] Result<void> compile_shared(const CompileRequest& request, const std::string& output);

}  // namespace ridge::cli
