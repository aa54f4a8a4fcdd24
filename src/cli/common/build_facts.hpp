// What this `ridge` was built from; made at build time (cmake/build_facts.cmake).
#pragma once

#include <string>
#include <string_view>

namespace ridge::cli {

struct BuildFacts {
  std::string_view commit;  ///< of git, shortened; empty where it is not known
  bool modified = false;    ///< tracked files differed from it
  std::string_view
      formats;  ///< all that docs/formats describes, with blanks between: "ridge.chart/1 ..."
};

extern const BuildFacts build_facts;

/// The answer to `ridge --version`: version, commit, interface of programs and their runtime,
/// formats.
[[nodiscard]] std::string version_text(const BuildFacts& facts);

}  // namespace ridge::cli
