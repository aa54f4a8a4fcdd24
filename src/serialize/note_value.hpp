// Notes as a part of another file.
#pragma once

#include <vector>

#include "core/value/note.hpp"

namespace ridge::serialize {

class Reader;
class Writer;

/// Under the key `notes`.
void write_notes(Writer& writer, const std::vector<Note>& notes);
[[nodiscard]] std::vector<Note> read_notes(const Reader& array);

}  // namespace ridge::serialize
