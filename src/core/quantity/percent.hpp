// Shares as people write them.
#pragma once

#include <string>

namespace ridge {

/// A share as a percentage of two digits at least, never with an exponent: "0.012 %", "5.5 %",
/// "12 %", "100 %", "1250 %".
[[nodiscard]] std::string percent_text(double share);

}  // namespace ridge
