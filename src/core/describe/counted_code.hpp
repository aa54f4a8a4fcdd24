// Fields of the code that was counted.
#pragma once

#include <tuple>

#include "core/describe/field.hpp"
#include "core/value/counted_code.hpp"

namespace ridge::describe {

template <>
struct Description<CodeRange> {
  static constexpr std::string_view name = "CodeRange";
  static constexpr std::string_view meaning = "code of a file that lies at once";
  static constexpr auto fields =
      std::tuple{field("begin", &CodeRange::begin, "", "as the file numbers its code"),
                 field("bytes", &CodeRange::bytes, "byte", "how long it is")};
};
static_assert(is_complete<CodeRange>());

template <>
struct Description<CountedFile> {
  static constexpr std::string_view name = "CountedFile";
  static constexpr std::string_view meaning = "code of a program or library that ran";
  static constexpr auto fields = std::tuple{
      field("path", &CountedFile::path, "", "as the kernel names it"),
      field("identity", &CountedFile::identity, "", "its build ID, or a hash of its machine code"),
      field("code", &CountedFile::code, "", "that ran, function by function")};
};
static_assert(is_complete<CountedFile>());

template <>
struct Description<CountedCode> {
  static constexpr std::string_view name = "CountedCode";
  static constexpr std::string_view meaning = "code of a program that ran while it was counted";
  static constexpr auto fields =
      std::tuple{field("ridge_version", &CountedCode::ridge_version, "", "that counted"),
                 field("files", &CountedCode::files, "", "programs and libraries, by path")};
};
static_assert(is_complete<CountedCode>());

}  // namespace ridge::describe
