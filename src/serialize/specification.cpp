#include "serialize/specification.hpp"

#include <cassert>

#include "core/describe/specification.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/specification_rules.hpp"
#include "serialize/described/write.hpp"
#include "serialize/embedded_specifications.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.specification/1";
constexpr std::string_view kHint = "docs/formats/README.md describes ridge.specification/1";

}  // namespace

Result<Specification> parse_specification(std::string_view text, std::string_view file_name,
                                          std::string_view key) {
  auto parsed = read_file(text, file_name, kSchema, kHint,
                          [](const Reader& root) { return read_object<Specification>(root); });
  if (parsed) {
    parsed->key = key;
  }
  return parsed;
}

std::string write_specification(const Specification& machine) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, machine);
  return writer.finish();
}

std::string write_specifications(const std::vector<Specification>& machines) {
  Writer writer;
  writer.member("schema", "ridge.machines/1");
  MachineList list;
  for (const Specification& machine : machines) {
    list.machines.push_back({machine});
  }
  write_members(writer, list);
  return writer.finish();
}

const std::vector<Specification>& known_specifications() {
  static const std::vector<Specification> known = [] {
    std::vector<Specification> machines;
    for (const EmbeddedSpecification& file : embedded_specifications()) {
      auto parsed = parse_specification(file.text, file.key, file.key);
      assert(parsed.has_value());  // a test parses the same texts
      if (parsed) {
        machines.push_back(std::move(*parsed));
      }
    }
    return machines;
  }();
  return known;
}

}  // namespace ridge::serialize
