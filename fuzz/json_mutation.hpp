// Mutations of JSON that mostly leave it JSON: values, keys and elements change, so that what lies
// behind the parser is reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::fuzz {

/// One to four changes of `text`, chosen by `seed`: a value by a nasty one of its kind or by
/// another one of the document, an element or a key left out, doubled or moved, a few bytes. What
/// is no JSON changes by bytes alone.
[[nodiscard]] std::string mutate_json(const std::string& text, unsigned seed);

/// The same; in three of four cases tried again (twenty times at most) until `accepts` it, since
/// most changes break a rule of the format and end at the reader.
[[nodiscard]] std::string mutate_json(const std::string& text, unsigned seed,
                                      bool (*accepts)(std::string_view text));

/// Copies `text` into libFuzzer's buffer. Too long: the size 0.
[[nodiscard]] std::size_t hand_over(const std::string& text, std::uint8_t* data,
                                    std::size_t max_size);

/// Counts how many inputs were accepted and says it when the process ends: what is refused at the
/// door tests little.
class Acceptance {
 public:
  Acceptance();
  ~Acceptance() = default;
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;
  /// What `LLVMFuzzerTestOneInput` returns: a refused input (-1) does not join the corpus. One
  /// broken rule would stay broken in all its descendants, and soon the corpus would be refused
  /// ones.
  int count(bool accepted);
};

}  // namespace ridge::fuzz
