// The words of a machine that is given by clocks and widths: KEY=VALUE with blanks between them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace ridge::predict {

/// Each word is taken once; what is left was not understood. Views into the text that was parsed.
class MachineWords {
 public:
  struct Word {
    std::string_view key;
    std::string_view value;
  };
  explicit MachineWords(std::vector<Word> words) : words_(std::move(words)) {}

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] std::optional<std::string_view> take(std::string_view key);
  [[nodiscard]] const std::vector<Word>& left() const { return words_; }

 private:
  std::vector<Word> words_;
};

/// Errors: `usage` for a word that is not KEY=VALUE, a key that is given twice, and no word at all.
[[nodiscard]] Result<MachineWords> parse_machine_words(std::string_view text);

}  // namespace ridge::predict
