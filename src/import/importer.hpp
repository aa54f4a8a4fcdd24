// The table of importers: one for each format of another tool.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "import/imported.hpp"

namespace ridge::imports {

/// A file of another tool: its text, and what messages call it.
struct Source {
  std::string_view text;
  std::string_view file;
  /// What the user says of roofs of all threads whose number the file leaves open.
  std::optional<unsigned> threads{};
};

/// One format. Texts are for people and need no full stop.
struct Importer {
  std::string_view name;   ///< the word behind --from
  std::string_view tool;   ///< as its makers call it
  std::string_view reads;  ///< how the file is made
  /// Whether a text that begins so is of this format; no two formats claim one text.
  bool (*sniff)(std::string_view beginning);
  /// Errors: `bad_input` with file, line and reason.
  Result<Imported> (*read)(const Source& source);
};

[[nodiscard]] std::span<const Importer> importers();

/// nullptr when there is none of this name.
[[nodiscard]] const Importer* find_importer(std::string_view name);

/// By what the text begins with; nullptr when no importer knows it.
[[nodiscard]] const Importer* sniff_importer(std::string_view text);

/// Reads with the importer called `from`, or with the one that knows the text where `from` is
/// empty. Errors: `usage` for an unknown name; `bad_input` with file, line and reason where the
/// text is of no known format, broken, or without any figure that Ridge knows.
[[nodiscard]] Result<Imported> import_text(const Source& source, std::string_view from = {});

}  // namespace ridge::imports
