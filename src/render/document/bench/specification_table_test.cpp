#include "render/document/bench/specification_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ContainsRegex;
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
  EXPECT_THAT(list, ContainsRegex("x100 .*30.0 TFlop/s +- +3.00 TB/s +- +10.0 +-"));
}

TEST(SpecificationTable, IntegersAreNoFlops) {
  const std::string list = specification_list({accelerator()}, "int8", TextStyle{});
  EXPECT_THAT(list, HasSubstr("600 Top/s"));
  EXPECT_THAT(list, HasSubstr("op/byte"));
  EXPECT_THAT(list, Not(HasSubstr("lop")));
}

TEST(SpecificationTable, DetailsNameOriginAndSourceOfEveryNumber) {
  const std::string text = specification_details(accelerator(), TextStyle{});
  EXPECT_THAT(text, ContainsRegex("30.0 TFlop/s +theoretical +datasheet, unverified .DS."));
  EXPECT_THAT(text, ContainsRegex("25.0 TFlop/s +sustained +measured .W."));
  EXPECT_THAT(text, ContainsRegex("fp64 vector.*10.0 flop/byte"));
  EXPECT_THAT(text, ContainsRegex("int8 matrix.*200 op/byte"));
  EXPECT_THAT(text, HasSubstr("PCIe 5.0, one direction"));
  EXPECT_THAT(text, HasSubstr("[DS] from memory"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

/// 64 GB/s and 60 ns are 60 lines of 64 byte (McCalpin, IXPUG workshop at ISC 2023).
Specification processor() {
  Specification machine;
  machine.key = "p4";
  machine.name = "P4";
  machine.year = 2023;
  machine.microarchitecture = "Zen 2";
  machine.sockets = 2;
  machine.cores = Figure{4.0, Origin::datasheet, {}, true};
  machine.line_size = Figure{64.0, Origin::datasheet, {}, true};
  machine.thermal_design_power = Figure{225.0, Origin::datasheet, {}, true};
  machine.caches = {{"L2", false, {524288.0, Origin::datasheet, {}, true}, 1},
                    {"L3", false, {16777216.0, Origin::datasheet, {}, true}, 4}};
  machine.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, {6.4e11}}};
  machine.bandwidths = {{"DRAM", Basis::theoretical, {}, {6.4e10}},
                        {"DRAM", Basis::sustained, "load", {1.6e10}, 1},
                        {"DRAM", Basis::achieved, "ert", {3e10}}};
  machine.latencies = {{"DRAM", {6e-8}}};
  machine.links = {{"PCIe", false, 4, {3.2e10}, 16, Figure{2.6e10}, Figure{9e9}}};
  return machine;
}

TEST(SpecificationTable, DetailsSayBalanceInWordsOfTheirPrecision) {
  EXPECT_THAT(specification_details(processor(), TextStyle{}),
              HasSubstr("fp64 vector, theoretical: 10.0 flop/byte, 80.0 flop/word (8 byte)"));
}

TEST(SpecificationTable, DetailsSayBytesInFlight) {
  const std::string text = specification_details(processor(), TextStyle{});
  EXPECT_THAT(text, HasSubstr("lines of 64 byte"));
  EXPECT_THAT(text, ContainsRegex("DRAM, theoretical .*3.84 kB, 60.0 lines +960 B, 15.0 lines +"
                                  "960 B, 15.0 lines"));
  Specification of_one_core = processor();
  of_one_core.line_size.reset();
  of_one_core.bandwidths.erase(of_one_core.bandwidths.begin() + 1);
  EXPECT_THAT(specification_details(of_one_core, TextStyle{}),
              ContainsRegex("DRAM, theoretical .*3.84 kB +960 B +-\n"));
  of_one_core.latencies.clear();
  EXPECT_THAT(specification_details(of_one_core, TextStyle{}), Not(HasSubstr("in flight")));
}

TEST(SpecificationTable, DetailsHaveWhatMachinesAreComparedBy) {
  const std::string text = specification_details(processor(), TextStyle{});
  for (const char* row :
       {"P4  .p4, cpu, 2023.", "microarchitecture +Zen 2", "sockets of a node, at most +2",
        "design power +225 W", "cache line +64 B", "L2 of a core +512 KiB", "L3 of 4 cores +16 MiB",
        "DRAM load, one core +16.0 GB/s +sustained", "DRAM ert +30.0 GB/s +achieved",
        "DRAM latency +60.0 ns", "PCIe 4.0 x16, one direction +32.0 GB/s",
        "PCIe 4.0 x16, pinned memory +26.0 GB/s", "PCIe 4.0 x16, pageable memory +9.00 GB/s",
        "not known: sustained bandwidth of the memory\n"}) {
    EXPECT_THAT(text, ContainsRegex(row));
  }
}

TEST(SpecificationTable, TheListSaysWhatIsLackingAndNotLookedUp) {
  const std::string list = specification_list({accelerator(), processor()}, "fp64", TextStyle{});
  EXPECT_THAT(list, ContainsRegex("x100 .*  slckp *\n"));
  EXPECT_THAT(list, ContainsRegex("p4 .*  s *\n"));
  EXPECT_THAT(list, HasSubstr("k launch latency of kernels"));
  // x100: 3 peaks, a bandwidth, a link; p4: 3 sizes of parts, 2 caches, a peak, 3 bandwidths, a
  // latency, a link with two rates.
  EXPECT_THAT(list, HasSubstr("2 machines, 18 figures; 1 of them (5.6 %) unverified"));
}

}  // namespace

void specification_sentences(tests::Sentences& sentences) {
  sentences.add("a published machine", specification_details(accelerator(), TextStyle{}));
}

}  // namespace ridge::render
