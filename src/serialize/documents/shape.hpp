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
    only_true,  ///< a flag that is left out where it is false
    number,
    whole,
    choice,
    list,
    map,        ///< with names as keys
    object,     ///< of Format::objects
    elsewhere,  ///< described by another schema
  };

  Kind kind = Kind::text;
  bool non_empty = false;       ///< of text and map
  unsigned least_items = 0;     ///< of list
  unsigned multiple_of = 1;     ///< of whole numbers
  describe::Limits limits;      ///< of numbers
  std::string least;            ///< of whole numbers, in digits
  std::string most;             ///< of whole numbers, in digits
  bool beyond_doubles = false;  ///< of whole numbers: may exceed 2^53
  std::vector<std::string> choices{};
  std::vector<Shape> element{};  ///< of list and map: one
  std::string name{};            ///< of object and elsewhere: of the type
  std::string schema{};          ///< of elsewhere
  std::string unit{};            ///< of an estimate that has one unit
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
  std::string schema;  ///< "ridge.profile/2"
  std::string title;
  /// In the order in which they are named first; the first is the file.
  std::vector<ObjectShape> objects;
};

}  // namespace ridge::serialize
