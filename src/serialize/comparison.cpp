#include "serialize/comparison.hpp"

#include <string_view>

#include "core/describe/comparison.hpp"
#include "serialize/comparison_value.hpp"
#include "serialize/described/write.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.comparison/1";
constexpr std::string_view kMachineSchema = "ridge.machine-comparison/1";

}  // namespace

void write_comparison_members(Writer& writer, const Comparison& comparison) {
  writer.member("schema", kSchema);
  write_members(writer, comparison);
}

std::string write_comparison(const Comparison& comparison) {
  Writer writer;
  write_comparison_members(writer, comparison);
  return writer.finish();
}

std::string write_machine_comparison(const MachineComparison& comparison) {
  Writer writer;
  writer.member("schema", kMachineSchema);
  write_members(writer, comparison);
  return writer.finish();
}

}  // namespace ridge::serialize
