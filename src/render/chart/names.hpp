// Words for identifiers: what a person calls a ceiling, a region, a program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"

namespace ridge::render {

/// "AVX-512", "Scalar".
[[nodiscard]] std::string_view isa_words(Isa isa);

/// "AVX2 FMA", "Scalar ADD fp32" (fp64 is not named), "DRAM bandwidth (copy)". An id that does not
/// follow docs/contracts.md, section 6 is returned as it is. `unicode`: see clean().
[[nodiscard]] std::string ceiling_words(std::string_view id, bool unicode = true);

/// The same where columns are dear: "DRAM copy".
[[nodiscard]] std::string brief_ceiling_words(std::string_view id, bool unicode = true);

/// `ceiling_words` of the fields, for a ceiling at hand.
[[nodiscard]] std::string ceiling_words(const Ceiling& ceiling);

/// The region's name, else its function, without the place ("file.cpp:42", "file.cpp:42:5") that
/// loops of one function carry to tell them apart: callers print it beside. Not clean.
[[nodiscard]] std::string plain_name(const Region& region);

/// "dir/heat2d.cpp:42" as the profile spells it (not clean); empty when the file is unknown.
[[nodiscard]] std::string source_location(const Region& region);

/// In at most `width` columns: first the outermost namespaces go ("..." instead), last the end of
/// the name; never its middle.
[[nodiscard]] std::string fitted_name(std::string_view name, std::size_t width,
                                      bool unicode = true);

/// Name and location in at most `width` columns: the folder of the file goes first, then the file
/// ("name:line"), then what fitted_name takes. Clean. `name`: what the region is called
/// (distinct_names); without one its own name, the brief one where that is long.
[[nodiscard]] std::string where(const Region& region, std::string_view name, std::size_t width,
                                bool unicode);
[[nodiscard]] std::string where(const Region& region, std::size_t width, bool unicode = true);

/// The command line as one line of text, arguments with blanks or quotes in single quotes. Clean.
[[nodiscard]] std::string command_line(const std::vector<std::string>& argv, bool unicode = true);

/// "heat2d": the program's file name, or "program" when the arguments were redacted. Clean.
[[nodiscard]] std::string program_name(const Profile& profile, bool unicode = true);

}  // namespace ridge::render
