// Ranks of one program run nearly the same code: it is kept once, and of each rank what it ran
// besides. Pure.
#pragma once

#include "core/value/counted_code.hpp"

namespace ridge::measure {

/// What of `own` is not in `shared`; without files of which all is there. A file that has another
/// identity there comes whole.
[[nodiscard]] CountedCode code_beyond(const CountedCode& own, const CountedCode& shared);

/// Both together. Of a file with two identities it is the code of `own`.
[[nodiscard]] CountedCode joined_code(CountedCode shared, const CountedCode& own);

}  // namespace ridge::measure
