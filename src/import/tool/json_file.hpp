// A JSON text with readers that keep the first error.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "import/importer.hpp"
#include "serialize/json_reader.hpp"

namespace ridge::imports {

/// Parses once; readers stay valid as long as it lives.
class JsonFile {
 public:
  /// Error: `bad_input` with file, line and reason.
  [[nodiscard]] static Result<std::unique_ptr<JsonFile>> parse(
      const Source& source, serialize::JsonNull null = serialize::JsonNull::refused) {
    auto document = serialize::parse_document(source.text, source.file, null);
    if (!document) {
      return tl::make_unexpected(document.error());
    }
    std::unique_ptr<JsonFile> file(new JsonFile);
    file->document_ = std::move(*document);
    file->diagnostics_.file_name = std::string(source.file);
    return file;
  }

  [[nodiscard]] serialize::Reader root() { return {document_, diagnostics_, 0}; }

  /// `value`, or the first error that a reader met.
  [[nodiscard]] Result<Imported> finish(Imported value) const {
    if (diagnostics_.first) {
      return tl::make_unexpected(*diagnostics_.first);
    }
    return value;
  }

 private:
  JsonFile() = default;

  serialize::Document document_;
  serialize::Diagnostics diagnostics_;
};

}  // namespace ridge::imports
