// What a file of a described value looks like: its lists of fields as data, for the documents that
// are made of them. Nothing of this is part of ridge.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/describe/field.hpp"

namespace ridge::serialize {

/// The form of one value.
struct Shape {
  enum class Kind {
    text,
    flag,
    only_true,   ///< a flag that is left out where it is false
    only_false,  ///< a flag that is left out where it is true
    number,
    whole,
    choice,
    list,
    map,        ///< with names as keys
    object,     ///< of Format::objects
    elsewhere,  ///< described by another schema
  };

  Kind kind = Kind::text;
  bool non_empty = false;                      ///< of text and map
  std::string pattern{};                       ///< of text: a regular expression
  unsigned least_items = 0;                    ///< of list
  unsigned most_items = describe::kAnyNumber;  ///< of list
  bool distinct = false;                       ///< of the items of list
  unsigned multiple_of = 1;                    ///< of whole numbers
  describe::Limits limits;                     ///< of numbers
  std::string least;                           ///< of whole numbers, in digits
  std::string most;                            ///< of whole numbers, in digits
  bool beyond_doubles = false;                 ///< of numbers: counts that may exceed 2^53
  std::vector<std::string> choices{};  ///< of choice; of map: the keys, where they are not names
  std::vector<Shape> element{};        ///< of list and map: one
  std::string name{};                  ///< of object and elsewhere: of the type
  std::string schema{};                ///< of elsewhere
  std::string unit{};                  ///< that the object says here; empty: any of its units
};

struct FieldShape {
  std::string key;
  std::string unit;
  std::string meaning;
  bool required = true;
  bool is_derived = false;
  std::string formerly;
  unsigned since = 1;
  Shape shape;
};

struct ObjectShape {
  std::string name;
  std::string meaning;
  std::vector<FieldShape> fields;
  /// Rules between members as JSON Schema has them: keyword and its value, in JSON.
  std::vector<std::pair<std::string, std::string>> rules{};
};

struct Format {
  std::string schema;       ///< "ridge.profile/2"
  std::string title;        ///< what the file says: "what a program did"
  bool is_read = true;      ///< by Ridge; else it says what Ridge writes, whole
  bool by_people = false;   ///< what may be left out may also be there and empty
  bool is_on_page = false;  ///< the report page reads it
  /// In the order in which they are named first; the first is the file.
  std::vector<ObjectShape> objects;
};

}  // namespace ridge::serialize
