// A remark about a result, for people, with a code for programs.
#pragma once

#include <string>

namespace ridge {

struct Note {
  std::string code;  ///< "uncertain-share", "traffic-scaled", "steal-time", ...
  std::string text;

  friend bool operator==(const Note&, const Note&) = default;
};

}  // namespace ridge
