// Which results lie below a folder that is none itself.
#pragma once

#include <string>
#include <vector>

namespace ridge::cli {

/// Folders with a profile.json, one or two levels below `folder`, the newest first; with `folder`
/// in front ("./ridge-out"; "ridge-out" below "."). Links are not followed. Of very many entries
/// (more than 10 000) not all are looked at.
[[nodiscard]] std::vector<std::string> results_below(const std::string& folder);

/// What people read of them, a line each: folder, date, wall time, command line. At most 40 are
/// read and shown.
[[nodiscard]] std::string results_list(const std::string& folder,
                                       const std::vector<std::string>& results);

}  // namespace ridge::cli
