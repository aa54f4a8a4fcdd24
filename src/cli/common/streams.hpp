// Standard output and standard error of the commands: the one way on which their text leaves. What
// comes from measured programs, files and arguments reaches no terminal raw, and a stream that is
// full or closed is an error like any other.
#pragma once

#include <string_view>

#include "core/result.hpp"

namespace ridge::cli {

/// Descriptors 0 to 2 that are closed get a placeholder that cannot be read or written and does not
/// survive exec, so that no file of ours becomes standard output. First of all in main().
void guard_standard_streams();

/// As it is, to standard output: JSON, lists for other programs. Error: `write_failed`.
[[nodiscard]] Result<void> print(std::string_view text);

/// For people, to standard output: without control characters other than line ends and, where the
/// stream shows colours, colours. Error: `write_failed`.
[[nodiscard]] Result<void> print_screen(std::string_view text);

/// "ridge: TEXT" as one line to standard error; one that nobody can read is no error.
void say(std::string_view text);

/// Lines to standard error as they are but for control characters.
void say_lines(std::string_view text);

/// On standard error, without a line end, in place of what stands there. For terminals.
void show_step(std::string_view text);

/// Message and hint to standard error. Returns the exit code.
[[nodiscard]] int say_error(const Error& error);

}  // namespace ridge::cli
