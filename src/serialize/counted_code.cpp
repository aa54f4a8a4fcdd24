#include "serialize/counted_code.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/describe/counted_code.hpp"
#include "serialize/compact/compact_value.hpp"
#include "serialize/compact/packed_file.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kMagic = "RIDGE-CODE\n";

tl::unexpected<Error> not_usable(std::string message) {
  return fail(ErrorCode::bad_input, std::move(message),
              "Count again: mpirun -n N ridge run --into RESULT --only-counts -- PROGRAM");
}

/// By address, apart from one another, and none of them empty.
bool is_in_order(const CountedFile& file) {
  std::uint64_t end = 0;
  return std::ranges::all_of(file.code, [&](const CodeRange& range) {
    const bool fits =
        range.begin >= end && range.bytes > 0 && range.begin + range.bytes > range.begin;
    end = range.begin + range.bytes;
    return fits;
  });
}

bool is_in_order(const CountedCode& code) {
  return std::ranges::all_of(code.files,
                             [](const CountedFile& file) { return is_in_order(file); }) &&
         std::ranges::adjacent_find(code.files, std::ranges::greater_equal(), &CountedFile::path) ==
             code.files.end();
}

}  // namespace

std::string write_counted_code(const CountedCode& code) {
  CompactWriter writer;
  writer.text(code.ridge_version);
  writer.whole(shape_of<CountedCode>());
  put_object(writer, code);
  return packed_file(kMagic, writer.bytes());
}

Result<CountedCode> parse_counted_code(std::string_view bytes, std::string_view file_name) {
  if (!bytes.starts_with(kMagic)) {
    return not_usable(fmt::format("{} holds no code that was counted", file_name));
  }
  const auto content = unpacked_file(kMagic, bytes);
  if (!content) {
    return not_usable(fmt::format("{} is damaged", file_name));
  }
  CompactReader reader(*content);
  const std::string version = reader.text();
  if (reader.whole() != shape_of<CountedCode>() && !reader.failed()) {
    return not_usable(fmt::format("{} was written by another Ridge ({})", file_name, version));
  }
  CountedCode code;
  get_object(reader, code);
  if (reader.failed() || !reader.at_end() || !is_in_order(code)) {
    return not_usable(fmt::format("{} is damaged", file_name));
  }
  return code;
}

}  // namespace ridge::serialize
