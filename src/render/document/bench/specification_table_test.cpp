#include "render/document/bench/specification_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using testing::HasSubstr;
using testing::Not;

Specification accelerator() {
  Specification machine;
  machine.key = "x100";
  machine.name = "X100";
  machine.kind = MachineKind::gpu;
  machine.peaks = {
      {"fp64", Pipes::vector, Basis::theoretical, {}, {3e13, Origin::datasheet, "DS", false}},
      {"int8", Pipes::matrix, Basis::theoretical, {}, {6e14, Origin::datasheet, "W", true}},
      {"fp64", Pipes::vector, Basis::sustained, "fma", {2.5e13, Origin::measured, "W", true}}};
  machine.bandwidths = {{"HBM", Basis::theoretical, {}, {3e12, Origin::datasheet, "W", true}}};
  machine.links = {{"PCIe", false, 5, {6.4e10, Origin::datasheet, "W", true}}};
  machine.notes = {"two dies\x1b[31m"};
  machine.sources = {{"DS", "from memory"}, {"W", "a web page"}};
  return machine;
}

TEST(SpecificationTable, UnknownNumbersAreDashes) {
  const std::string list = specification_list({accelerator()}, "fp64", TextStyle{});
  EXPECT_THAT(list, HasSubstr("30.0 TFlop/s"));
  EXPECT_THAT(list, HasSubstr("3.00 TB/s"));
  EXPECT_THAT(list, testing::ContainsRegex("x100 .*30.0 TFlop/s +- +3.00 TB/s +- +10.0 +-"));
}

TEST(SpecificationTable, IntegersAreNoFlops) {
  const std::string list = specification_list({accelerator()}, "int8", TextStyle{});
  EXPECT_THAT(list, HasSubstr("600 Top/s"));
  EXPECT_THAT(list, HasSubstr("op/byte"));
  EXPECT_THAT(list, Not(HasSubstr("lop")));
}

TEST(SpecificationTable, DetailsNameOriginAndSourceOfEveryNumber) {
  const std::string text = specification_details(accelerator(), TextStyle{});
  EXPECT_THAT(text, testing::ContainsRegex(
                        "fp64 vector +30.0 TFlop/s +theoretical +datasheet, unverified \\[DS\\]"));
  EXPECT_THAT(text,
              testing::ContainsRegex("fp64 vector fma +25.0 TFlop/s +sustained +measured \\[W\\]"));
  EXPECT_THAT(text, HasSubstr("fp64 vector, theoretical: 10.0 flop/byte"));
  EXPECT_THAT(text, HasSubstr("int8 matrix, theoretical: 200 op/byte"));
  EXPECT_THAT(text, HasSubstr("PCIe 5.0, one direction"));
  EXPECT_THAT(text, HasSubstr("[DS] from memory"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace ridge::render
