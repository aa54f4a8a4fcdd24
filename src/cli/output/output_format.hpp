// Every format that a command can write: one row for each, found by the ending of the file's name,
// with a writer for each kind of document that it can show.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/common/machine_file.hpp"
#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

struct ReportContent;      // cli/output/report_formats.hpp
struct CompareContent;     // cli/output/compare_formats.hpp
struct StudyReport;        // cli/output/study_formats.hpp
struct ProjectionContent;  // cli/output/projection_formats.hpp
struct PredictionContent;  // cli/output/prediction_formats.hpp
struct ChartContent;       // cli/output/chart_formats.hpp

/// Options that say something about a file.
struct TakenOptions {
  bool only = false;
  bool title = false;
  bool style = false;
  bool slide = false;  ///< `--style slide`, too
};

/// How documents of one kind are written in one format.
template <class Document>
struct Writer {
  /// The bytes of the file; nullptr: this format is not offered. Errors: `usage` for what it cannot
  /// show, `unavailable` where the library behind it is missing.
  Result<std::string> (*make)(const Document& document) = nullptr;
  TakenOptions takes{};
  std::string_view what{};  ///< of this kind of document; empty: as the row says
};

struct OutputFormat {
  std::string_view ending;  ///< ".svg"
  std::string_view what;    ///< "a picture with real text", for messages
  Writer<ReportContent> report{};
  Writer<CompareContent> comparison{};
  Writer<StudyReport> study{};
  Writer<ProjectionContent> projection{};
  Writer<PredictionContent> prediction{};
  Writer<ChartContent> chart{};
  Writer<LoopModels> model{};
  Writer<Machine> machine{};  ///< measured by `ridge bench`
};

/// A kind of document: a member of OutputFormat.
template <class Document>
using DocumentKind = Writer<Document> OutputFormat::*;

[[nodiscard]] std::span<const OutputFormat> output_formats();

/// The format whose ending `file_name` has, in any case; nullptr: none.
[[nodiscard]] const OutputFormat* format_of_ending(std::string_view file_name);

/// A file that was asked for with -o, and how.
struct OutputRequest {
  std::string_view command;         ///< for messages
  std::optional<std::string> file;  ///< absent: the screen
  std::optional<std::string> title;
  std::optional<std::string> style;  ///< "screen", "paper" or "slide"
  bool only = false;                 ///< of all regions some are named
  bool force = false;
  /// What the ending of an unknown format does not do, after "the ending of NAME ".
  std::string_view complaint = "says no format";
};

/// Error `usage` of an ending that is none of `endings`, which are listed.
[[nodiscard]] tl::unexpected<Error> unknown_ending(const OutputRequest& request,
                                                   std::string_view endings);

/// "ENDING (WHAT)", as messages list them.
[[nodiscard]] std::string listed_ending(const OutputFormat& format, std::string_view what);

/// The row that writes documents of a kind into the file of `request`, which names one. Error:
/// `usage`, listing the endings of that kind.
template <class Document>
[[nodiscard]] Result<const OutputFormat*> find_format(DocumentKind<Document> kind,
                                                      const OutputRequest& request) {
  const OutputFormat* found = format_of_ending(*request.file);
  if (found != nullptr && (found->*kind).make != nullptr) {
    return found;
  }
  std::string endings;
  for (const OutputFormat& format : output_formats()) {
    if ((format.*kind).make != nullptr) {
      endings += (endings.empty() ? "" : ", ") + listed_ending(format, (format.*kind).what);
    }
  }
  return unknown_ending(request, endings);
}

/// For commands that write JSON under every ending that says no other format: the writer of a file.
template <class Document>
[[nodiscard]] const Writer<Document>& writer_or_json(DocumentKind<Document> kind,
                                                     std::string_view file_name) {
  const OutputFormat* found = format_of_ending(file_name);
  return found != nullptr && (found->*kind).make != nullptr ? found->*kind
                                                            : format_of_ending(".json")->*kind;
}

/// No option is ignored in silence. `format` is nullptr for the screen. Error: `usage`.
[[nodiscard]] Result<void> check_taken(const OutputRequest& request, const OutputFormat* format,
                                       const TakenOptions& takes);

/// Error: `usage` for a folder, and for a file that exists without --force; `write_failed` where
/// there is no folder to write into.
[[nodiscard]] Result<void> check_output_file(const OutputRequest& request);

/// What can be said before there is a document, which may take minutes. Errors: `usage` for an
/// unknown ending (listing those that are) and for options that say nothing about it; as
/// check_output_file().
template <class Document>
[[nodiscard]] Result<void> check_output(DocumentKind<Document> kind, const OutputRequest& request) {
  if (!request.file) {
    return check_taken(request, nullptr, {.only = true});
  }
  return find_format(kind, request)
      .and_then([&](const OutputFormat* format) {
        return check_taken(request, format, (format->*kind).takes);
      })
      .and_then([&] { return check_output_file(request); });
}

/// Writes the file that was asked for, if any. Errors: those of the writer; `write_failed`.
template <class Document>
[[nodiscard]] Result<void> write_output(DocumentKind<Document> kind, const OutputRequest& request,
                                        const Document& document) {
  if (!request.file) {
    return {};
  }
  return find_format(kind, request)
      .and_then([&](const OutputFormat* format) { return (format->*kind).make(document); })
      .and_then([&](const std::string& bytes) { return write_text_file(bytes, *request.file); });
}

}  // namespace ridge::cli
