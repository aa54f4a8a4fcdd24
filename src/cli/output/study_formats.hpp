// What `ridge spmv -o` and `ridge report` make of a study: one table of formats by the ending.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/output/output_format.hpp"
#include "core/result.hpp"
#include "core/value/sparse_study.hpp"

namespace ridge::cli {

struct StudyReport {
  SparseStudy study;
  std::optional<std::string> title;  ///< empty: none; absent: the format's own
  bool paper = false;
};

/// How a file was asked for.
struct StudyOutput {
  std::string_view command;  ///< for messages
  std::optional<std::string> file;
  std::optional<std::string> title;
  std::optional<std::string> style;  ///< "screen" or "paper"
  bool force = false;
};

using StudyFormat = OutputFormat<StudyReport>;

[[nodiscard]] std::span<const StudyFormat> study_formats();

/// What can be said before the study is there, which may take a minute. Errors: `usage` for an
/// unknown ending (listing those that are), options that say nothing about it, a folder, and a file
/// that exists without --force.
[[nodiscard]] Result<void> check_study_output(const StudyOutput& output);

/// Writes the file that was asked for, if any. Errors: `unavailable` where the library behind a
/// format is missing, `write_failed`.
[[nodiscard]] Result<void> write_study(const StudyOutput& output, const SparseStudy& study);

}  // namespace ridge::cli
