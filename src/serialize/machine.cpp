#include "serialize/machine.hpp"

#include <string>
#include <utility>

#include "core/describe/machine.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/machine_rules.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"
#include "serialize/machine_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kHint =
    "correct the value, or measure again: ridge bench -o FILE --force";

/// Of the ceilings of memory, for readers of the file.
std::vector<Saturation> saturations_of(const Machine& machine) {
  std::vector<Saturation> curves;
  for (const MemoryNode& memory : machine.memories) {
    for (const Pattern pattern : {Pattern::load, Pattern::copy, Pattern::triad}) {
      if (auto curve = saturation_of(machine, memory.level, pattern)) {
        curves.push_back(std::move(*curve));
      }
    }
  }
  return curves;
}

struct Saturations {
  void write(Writer& writer, std::string_view key, const Machine& machine) const {
    if (machine.effort) {  // files of earlier versions are given back as they were
      write_value(writer, key, saturations_of(machine), NothingBeside{});
    }
  }
  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}
};

}  // namespace

void write_machine_members(Writer& writer, const Machine& machine) {
  writer.member("schema", kMachineSchema);
  write_members(writer, machine, Saturations{});
}

Machine read_machine(const Reader& object) {
  check_schema(object, kMachineSchema);
  return read_object<Machine>(object);
}

Result<Machine> parse_machine(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kMachineSchema, kHint, read_machine);
}

Result<Machine> machine_from(const Document& document, std::string_view file_name) {
  return read_document(document, file_name, kMachineSchema, kHint, read_machine);
}

std::string write_machine(const Machine& machine) {
  Writer writer;
  write_machine_members(writer, machine);
  return writer.finish();
}

}  // namespace ridge::serialize
