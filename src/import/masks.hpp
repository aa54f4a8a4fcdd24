// Files that complete another one: which lanes of a mix of instructions were switched off.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "import/imported.hpp"

namespace ridge::imports {

/// Takes the lanes that a file of masks (Imported::idle_flops) saw switched off out of the flops of
/// the program in the mix among `files`, and the file of masks from the list. Flops of functions
/// stay upper ends: their notes say so. Files without masks come back as they are.
///
/// Errors: `bad_input` where a file of masks stands without a mix or with several, and where more
/// was switched off than the mix has: they are not of one run.
[[nodiscard]] Result<std::vector<ImportedFile>> apply_masks(std::vector<ImportedFile> files);

}  // namespace ridge::imports
