// Writes JSON, keys in the order they are written: for people and programs with two spaces, and an
// array or object on one line where it fits into 100 columns; or for programs alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ridge::serialize {

/// `compact` has no blanks and no line breaks.
enum class JsonLayout : std::uint8_t { for_people, compact };

/// Values go into the object or array that is open; the outermost one is opened by the constructor
/// and is an object. Doubles are written so that they read back exactly. JSON has no NaN and no
/// Infinity: a member that is not finite is left out, as unknown. Invalid UTF-8 is replaced.
class Writer {
 public:
  explicit Writer(JsonLayout layout = JsonLayout::for_people);

  void member(std::string_view key, std::string_view value);
  void member(std::string_view key, const std::string& value) {
    member(key, std::string_view(value));
  }
  void member(std::string_view key, const char* value) { member(key, std::string_view(value)); }
  void member(std::string_view key, bool value);
  void member(std::string_view key, double value);
  void member(std::string_view key, std::uint64_t value);
  void member(std::string_view key, std::int64_t value);
  void member(std::string_view key, unsigned value) { member(key, std::uint64_t{value}); }
  void member(std::string_view key, int value) { member(key, std::int64_t{value}); }

  /// `json` is a value in JSON already: a whole number of any size, a rule of a schema.
  void raw(std::string_view key, std::string_view json);

  /// As to_string spells it.
  template <class E>
    requires std::is_enum_v<E>
  void member(std::string_view key, E value) {
    member(key, to_string(value));
  }

  /// Nothing when absent.
  template <class T>
  void member(std::string_view key, const std::optional<T>& value) {
    if (value) {
      member(key, *value);
    }
  }

  /// `body()` writes the members.
  template <class Body>
  void object(std::string_view key, Body body) {
    open(key, false);
    body();
    close();
  }

  /// `each(item)` writes the members of the object that stands for an item.
  template <class Items, class Each>
  void objects(std::string_view key, const Items& items, Each each) {
    open(key, true);
    for (const auto& item : items) {
      open({}, false);
      each(item);
      close();
    }
    close();
  }

  void strings(std::string_view key, const std::vector<std::string>& items);
  void string_lists(std::string_view key, const std::vector<std::vector<std::string>>& lists);
  void numbers(std::string_view key, const std::vector<unsigned>& items);
  void numbers(std::string_view key, const std::vector<std::uint64_t>& items);
  void numbers(std::string_view key, const std::vector<std::int64_t>& items);

  /// The whole text with a line break at its end. The writer is empty afterwards.
  [[nodiscard]] std::string finish();

 private:
  struct Frame {
    std::optional<std::string_view> key;  // of a member
    bool is_array = false;
    bool is_empty = true;
    bool has_multi_line_part = false;
    std::size_t length = 0;          // of all parts
    std::vector<std::string> parts;  // for people
  };

  template <class Number>
  void add_numbers(std::string_view key, const std::vector<Number>& items);
  void open(std::optional<std::string_view> key, bool is_array);
  void close();
  /// What is appended to it, until end_value(), is the next value of the open object or array.
  std::string& begin_value(std::optional<std::string_view> key);
  void end_value();
  void add_text(std::optional<std::string_view> key, std::string_view text);
  /// The frame that is open, which closes. `prefix`: columns that its key takes.
  [[nodiscard]] std::string rendered(std::size_t prefix);

  JsonLayout layout_;
  std::vector<Frame> frames_;
  std::string text_;  // compact: all that is written; for people: the value that is being written
};

}  // namespace ridge::serialize
