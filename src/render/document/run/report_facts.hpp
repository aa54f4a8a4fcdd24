// Sentences and figures that terminal and HTML report share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/selection.hpp"

namespace ridge::render {

/// A remark with what it is about: empty for the whole run, else "3 jacobi_sweep, 5 dot". Clean.
struct Remark {
  std::string about;
  std::string text;
};

/// Notes of the run, then notes of the shown regions, each text once. A profile with
/// simulated traffic always says what the cache model leaves out. Notes that only detail a region
/// (where it was inlined, its versions) stand in the HTML report's details instead.
[[nodiscard]] std::vector<Remark> remarks(const Profile& profile, const Selection& selection);

/// The sentence of a finding with its origin and its gain, if it has one. Clean.
[[nodiscard]] std::string finding_text(const Finding& finding);

/// "about 1.2 to 2.0 times as fast without it, the program about 1.4, if each line comes once";
/// "at most" where it is a bound; "nothing gained" below 1.05; empty without a gain.
[[nodiscard]] std::string gain_words(const Finding& finding);

/// What the program has and none of the shown regions; then the first `each` findings of each shown
/// region that gain something or have no gain, hottest region first, each text once.
[[nodiscard]] std::vector<Remark> top_findings(const Profile& profile, const Prediction& prediction,
                                               const Selection& selection, std::size_t each);

/// What the cache model does not do (docs/contracts.md, section 4).
[[nodiscard]] std::string_view not_modelled();

/// "clang 19.1.7, -O3 (not necessarily your production build)", or that it is not known. Clean.
[[nodiscard]] std::string compiler_line(const Profile& profile);

/// Of the time: "0.8 % (0.7 to 0.9 %)", with its 80 % interval.
[[nodiscard]] std::string unattributed_words(const Profile& profile);

/// How the program ended: "exit code 0", "killed by signal 9"; empty when unknown.
[[nodiscard]] std::string ending(const Profile& profile);

/// Totals of the run; absent where unknown.
struct Totals {
  std::optional<double> flops;
  std::optional<double> flops_per_second;
  std::optional<double> outermost_bytes;  ///< traffic at the first memory node
  Level outermost_level = Level::DRAM;
  std::uint64_t samples = 0;
};
[[nodiscard]] Totals totals(const Profile& profile);

}  // namespace ridge::render
