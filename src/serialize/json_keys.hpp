// The different keys of a document: a few hundred, however many members it has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::serialize {

/// A part of a string that holds many texts.
struct TextRange {
  std::uint32_t offset;
  std::uint32_t length;
};

/// Gives each text a number, so that keys are compared as numbers.
class JsonKeys {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = UINT32_MAX;

  /// Numbers count from 0 in the order in which the texts come first. All texts together: less
  /// than 4 GiB.
  Id id_of(std::string_view text);
  /// kNone: no key of the document.
  [[nodiscard]] Id find(std::string_view text) const;
  [[nodiscard]] std::string_view text(Id id) const;
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  /// Where the text stands in the table, or where it would.
  [[nodiscard]] std::size_t slot_of(std::string_view text) const;
  void grow();

  std::string pool_;
  std::vector<TextRange> texts_;  // by number
  std::vector<Id> slots_;         // open addressing, a power of two, at most half full
};

}  // namespace ridge::serialize
