#include "serialize/note_value.hpp"

#include "core/describe/region.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"

namespace ridge::serialize {

void write_notes(Writer& writer, const std::vector<Note>& notes) {
  write_value(writer, "notes", notes, NothingBeside{});
}

std::vector<Note> read_notes(const Reader& array) {
  return read_list<Note>(array);
}

}  // namespace ridge::serialize
