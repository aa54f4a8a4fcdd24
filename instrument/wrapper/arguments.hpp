// Facts about clang's command line that the translation needs: data and small predicates.
#pragma once

#include <string>
#include <string_view>

namespace ridge::wrapper {

/// Whose command line it is. flang's driver is made of clang's and knows a part of its options;
/// `clang_for_gcc` is clang where gcc was meant to be, and gets gcc's options.
enum class Driver { clang, clang_for_gcc, flang };

/// The option takes its value from the next argument ("-o", "-I", "-Xlinker" ...).
[[nodiscard]] bool takes_next_argument(std::string_view argument);

/// Ends before the link: -c, -S, -E, -M, -fsyntax-only ...
[[nodiscard]] bool stops_before_link(std::string_view argument);

/// Ends before code is generated: -E, -M, -fsyntax-only ...
[[nodiscard]] bool stops_before_code(std::string_view argument);

/// Asks for link-time optimisation or only makes sense with it.
[[nodiscard]] bool is_lto(std::string_view argument);

/// A -g that decides how much debug information there is, "-g0" included.
[[nodiscard]] bool is_debug_level(std::string_view argument);
/// "-g0" and its spelling for gdb: no debug information.
[[nodiscard]] bool is_no_debug(std::string_view argument);

/// Changes the generated code in a way that a reader of a report wants to know.
[[nodiscard]] bool is_code_generation(std::string_view argument);

/// An option of gfortran without a meaning for what a standard program computes, that flang
/// refuses: builds for gfortran have it.
[[nodiscard]] bool is_unknown_to_flang(std::string_view argument);

/// An option of gcc that clang refuses and that changes no result: how gcc optimises, what it
/// reports.
[[nodiscard]] bool is_unknown_to_clang(std::string_view argument);

/// Makes errors of warnings. Those of another compiler are others.
[[nodiscard]] bool is_warning_as_error(std::string_view argument);

/// A file that holds source code rather than something to assemble or to link. `language` is the
/// value of the last -x, or empty.
[[nodiscard]] bool is_compiled(std::string_view file, std::string_view language);

}  // namespace ridge::wrapper
