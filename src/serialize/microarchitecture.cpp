#include "serialize/microarchitecture.hpp"

#include <cassert>
#include <string>
#include <utility>

#include "core/describe/microarchitecture.hpp"
#include "serialize/described/microarchitecture_rules.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"
#include "serialize/embedded_microarchitectures.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.microarchitectures/1";
constexpr std::string_view kHint = "correct the value";

}  // namespace

Result<std::vector<Microarchitecture>> parse_microarchitectures(std::string_view text,
                                                                std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, [](const Reader& root) {
    return read_object<describe::MicroarchitectureTable>(root).microarchitectures;
  });
}

std::string write_microarchitectures(std::vector<Microarchitecture> entries) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, describe::MicroarchitectureTable{std::move(entries)});
  return writer.finish();
}

const std::vector<Microarchitecture>& known_microarchitectures() {
  static const std::vector<Microarchitecture> known = [] {
    auto parsed =
        parse_microarchitectures(kEmbeddedMicroarchitectures, "machines/microarchitectures.json");
    assert(parsed.has_value());  // a test parses the same text
    return parsed.value_or(std::vector<Microarchitecture>{});
  }();
  return known;
}

}  // namespace ridge::serialize
