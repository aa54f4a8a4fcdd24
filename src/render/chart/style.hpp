// How text output may look. Decided by the caller (terminal, NO_COLOR, --ascii, width): rendering
// itself asks no operating system.
#pragma once

namespace ridge::render {

struct TextStyle {
  int columns = 100;    ///< width of the terminal; below 60 is treated as 60, above 200 as 200
  bool unicode = true;  ///< false: ASCII characters alone
  bool colour = false;  ///< ANSI colour sequences
};

}  // namespace ridge::render
