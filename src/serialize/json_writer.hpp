// Writes JSON for people and programs: two spaces, keys in the order they are written, and an array
// or object on one line where it fits into 100 columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ridge::serialize {

/// Values go into the object or array that is open; the outermost one is opened by the constructor
/// and is an object. Doubles are written so that they read back exactly. JSON has no NaN and no
/// Infinity: a member that is not finite is left out, as unknown. Invalid UTF-8 is replaced.
class Writer {
 public:
  Writer();

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
  void raw(std::string_view key, std::string_view json) { add_member(key, json); }

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
    open(false);
    body();
    close(key);
  }

  /// `each(item)` writes the members of the object that stands for an item.
  template <class Items, class Each>
  void objects(std::string_view key, const Items& items, Each each) {
    open(true);
    for (const auto& item : items) {
      open(false);
      each(item);
      close();
    }
    close(key);
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
    bool is_array = false;
    bool has_multi_line_part = false;
    std::size_t length = 0;  // of all parts
    std::vector<std::string> parts;
  };

  template <class Number>
  void add_numbers(std::string_view key, const std::vector<Number>& items);
  void open(bool is_array);
  void close(std::string_view key);                        // into an object
  void close();                                            // into an array
  [[nodiscard]] std::string rendered(std::size_t prefix);  // columns that the key takes
  void add(std::string part);
  void add_member(std::string_view key, std::string_view rendered_value);

  std::vector<Frame> frames_;
};

}  // namespace ridge::serialize
