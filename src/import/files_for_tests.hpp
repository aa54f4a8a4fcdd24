// What the tests of importers share: files of testdata/ and refusals.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "import/importer.hpp"

namespace ridge::imports {

inline std::string text_of(const std::string& name) {
  std::ifstream stream("testdata/" + name, std::ios::binary);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Of a file that must be read, and whose format its text tells.
inline Imported import_file(const std::string& name) {
  const std::string text = text_of(name);
  auto imported = import_text({text, name});
  EXPECT_TRUE(imported) << (imported ? "" : imported.error().message);
  return imported ? *imported : Imported{};
}

/// The message of a text that must be refused as bad input; its file is "f.txt".
inline std::string refusal(std::string_view text, std::string_view from = {}) {
  const auto imported = import_text({text, "f.txt"}, from);
  EXPECT_FALSE(imported) << text;
  if (imported) {
    return "";
  }
  EXPECT_EQ(imported.error().code, ErrorCode::bad_input);
  return imported.error().message;
}

inline bool has_note(const std::vector<Note>& notes, std::string_view code) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

/// nullptr when there is none of this name.
inline const Region* find_region(const Imported& imported, std::string_view name) {
  const auto found = std::find_if(imported.regions.begin(), imported.regions.end(),
                                  [&](const Region& region) { return region.name == name; });
  return found == imported.regions.end() ? nullptr : &*found;
}

}  // namespace ridge::imports
