// Whether two results come from runs of one program to its end: what a comparison says first, and a
// gate does not let pass (docs/decisions/0165-what-a-gate-cannot-judge.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/value/comparison.hpp"
#include "core/value/note.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// "exit code 3", "signal 6 (SIGABRT)", "an end that is not known".
[[nodiscard]] std::string end_words(const std::optional<int>& exit_code,
                                    const std::optional<int>& signal);

/// Code "other-end": the program, or a process of it, ended otherwise.
[[nodiscard]] std::optional<Note> other_end(const Profile& before, const Profile& after);

/// Code "partial-regions": regions of either result that were cut midway. Needs labels.
[[nodiscard]] std::optional<Note> partial_regions(const Comparison& comparison, std::size_t step);

/// Code "other-program". Programs are told apart by the file name of argv[0] and by their own
/// functions: those of the language's libraries, `main` and what the compiler makes do not count.
/// The same: one function in common under one name; half of the functions of each under two names.
[[nodiscard]] std::optional<Note> other_program(const Comparison& comparison, std::size_t step);

/// File name of argv[0].
[[nodiscard]] std::string program_words(const ComparedResult& result);

}  // namespace ridge::predict
