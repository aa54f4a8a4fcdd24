// The formats of Fortran that matrix files name, and fields written with them.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/result.hpp"

namespace ridge::spmv {

/// One edit descriptor, repeated: (16I5), (1P,4D20.13), (5F15.8) ...
struct FortranFormat {
  std::size_t repeat = 1;  ///< fields on a line
  char letter = 'I';       ///< I, E, D, F or G
  std::size_t width = 0;   ///< characters of a field
  int decimals = 0;        ///< digits behind the point of a field that has none
  int scale = 0;           ///< k of kP: a field without exponent stands for 10^-k of it
};

/// Error (bad_input, without a file name): anything else.
[[nodiscard]] Result<FortranFormat> parse_fortran_format(std::string_view text);

/// The number in a field, blanks at both ends ignored; false if there is none.
[[nodiscard]] bool parse_fortran_real(std::string_view field, const FortranFormat& format,
                                      double& value);

/// Whether the writer of this line of `count` numbers took one character less for each than its
/// format says, as scipy's hb_write does: the line is as long as that, and the first `right` fields
/// are the same either way.
[[nodiscard]] bool is_one_narrower(std::string_view line, const FortranFormat& format,
                                   std::size_t right, std::size_t count);

[[nodiscard]] std::string_view without_blanks(std::string_view text);

}  // namespace ridge::spmv
