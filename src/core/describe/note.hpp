// Fields of a note.
#pragma once

#include <tuple>

#include "core/describe/field.hpp"
#include "core/value/note.hpp"

namespace ridge::describe {

template <>
struct Description<Note> {
  static constexpr std::string_view name = "Note";
  static constexpr std::string_view meaning = "a remark about a result";
  static constexpr auto fields = std::tuple{field("code", &Note::code, "", "for programs"),
                                            field("text", &Note::text, "", "for people")};
};
static_assert(is_complete<Note>());

}  // namespace ridge::describe
