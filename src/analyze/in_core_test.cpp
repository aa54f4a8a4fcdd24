#include "analyze/in_core.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/in_core/core_data.hpp"
#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_programs::file_bytes;
using testing_programs::nest;

constexpr const char* kMeasured = "sapphirerapids";

std::vector<InCoreLoop> loops(const std::string& object, const std::string& function = {},
                              const std::string& cpu = kMeasured) {
  auto found = in_core_loops(file_bytes(object), object, function, cpu);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<InCoreLoop>();
}

/// Of the only loop of a function in assembly.
InCoreModel model(const std::string& function, const std::string& cpu = kMeasured) {
  const auto found = loops("in_core_assembly.o", function, cpu);
  EXPECT_EQ(found.size(), 1U) << function;
  return found.empty() ? InCoreModel() : found.front().model;
}

TEST(InCore, LoopsOfBothCompilersAreFoundWithTheirWorkAndLines) {
  for (const char* object : {"in_core_clang.o", "in_core_gcc.o", "in_core.so"}) {
    const auto found = loops(object, "daxpy");
    ASSERT_FALSE(found.empty()) << object;
    const InCoreLoop& vector = found.front();
    EXPECT_EQ(vector.function, "daxpy");
    EXPECT_EQ(vector.source_function, "daxpy");
    EXPECT_EQ(vector.flops_per_pass * 8, vector.bytes_loaded_per_pass) << object;
    EXPECT_EQ(vector.flops_per_pass * 4, vector.bytes_stored_per_pass) << object;
    EXPECT_THAT(vector.file, HasSubstr("in_core.c"));
    EXPECT_THAT(vector.lines, Contains(6U));
    EXPECT_EQ(vector.model.microarchitecture, "Golden Cove");
    EXPECT_EQ(vector.model.compiler, object);
    EXPECT_GE(vector.model.cycles, vector.model.port_cycles);
    EXPECT_THAT(vector.model.unknown, IsEmpty());
  }
}

TEST(InCore, ChainsTakeTheLatenciesOfTheirInstructions) {
  EXPECT_DOUBLE_EQ(model("chain_of_products").chain_cycles, 16.0);
  EXPECT_DOUBLE_EQ(model("chain_of_products").cycles, 16.0);
  EXPECT_DOUBLE_EQ(model("chain_of_products").port_cycles, 2.0);  // 4 on two ports
  EXPECT_DOUBLE_EQ(model("chain_of_sums").cycles, 2.0);
}

TEST(InCore, IndependentOperationsFillTheirPorts) {
  for (const char* function : {"independent_products", "wide_products"}) {
    const InCoreModel found = model(function);
    EXPECT_DOUBLE_EQ(found.port_cycles, 6.0) << function;
    EXPECT_DOUBLE_EQ(found.chain_cycles, 4.0) << function;
    EXPECT_NEAR(found.cycles, 6.0, 0.2) << function;
    EXPECT_THAT(found.ports, Contains(PortUse{"p0", 6.0})) << function;
  }
  // 256 bit: ports 0 and 1; 512 bit: 0 and 5
  EXPECT_THAT(model("independent_products").ports, Contains(PortUse{"p1", 6.0}));
  EXPECT_THAT(model("wide_products").ports, Contains(PortUse{"p5", 6.0}));
}

TEST(InCore, TheDividerTakesOneAtATime) {
  EXPECT_DOUBLE_EQ(model("quotients").cycles, 16.0);
  EXPECT_THAT(model("quotients").ports, Contains(PortUse{"divider", 16.0}));
}

TEST(InCore, ChainsGoThroughMemory) {
  // from the stored value to the loaded one 5, the sum 3
  EXPECT_DOUBLE_EQ(model("accumulator_in_memory").chain_cycles, 8.0);
  EXPECT_DOUBLE_EQ(model("accumulator_in_memory").cycles, 8.0);
  EXPECT_DOUBLE_EQ(model("recurrence_in_memory").chain_cycles, 4.0);
  EXPECT_LT(model("other_addresses").cycles, 2.0);
}

TEST(InCore, TheFrontEndCountsWhatTakesNoPort) {
  const InCoreModel found = model("many_nops");
  EXPECT_DOUBLE_EQ(found.front_end_cycles, 2.0);  // six a cycle; dec and jnz are one
  EXPECT_DOUBLE_EQ(found.cycles, 2.0);
  EXPECT_DOUBLE_EQ(found.overlapping_cycles, 2.0);
  EXPECT_DOUBLE_EQ(found.transferring_cycles, 0.0);
}

TEST(InCore, LoadsThatTwoLinesHoldTakeLonger) {
  // three loads on two ports 1.5, two that cross 0.8 each
  EXPECT_NEAR(model("unaligned").transferring_cycles, 3.1, 0.05);
  EXPECT_THAT(model("unaligned").notes, Contains(Field(&Note::code, "loads-cross-lines")));
}

TEST(InCore, UnknownInstructionsAreNamedAndNotFree) {
  const InCoreModel found = model("unknown");
  EXPECT_THAT(found.unknown, ElementsAre("tdpbssd"));
  EXPECT_GE(found.cycles, 1.0);
  EXPECT_GT(found.port_cycles, 0.0);
}

TEST(InCore, BranchesInTheLoopAreSaid) {
  EXPECT_THAT(model("branches").notes, ElementsAre(Field(&Note::code, "branches-in-loop")));
  EXPECT_THAT(model("many_nops").notes, IsEmpty());
}

TEST(InCore, CyclesAreThoseOfTheLongestLimit) {
  for (const InCoreLoop& each : loops("in_core_assembly.o")) {
    const InCoreModel& found = each.model;
    EXPECT_GE(found.cycles, found.chain_cycles) << each.function;
    EXPECT_GE(found.cycles, found.front_end_cycles) << each.function;
    EXPECT_DOUBLE_EQ(found.cycles, std::max(found.overlapping_cycles, found.transferring_cycles))
        << each.function;
    EXPECT_LE(found.cycles,
              2.0 * std::max({found.chain_cycles, found.front_end_cycles, found.port_cycles}))
        << each.function;
  }
}

TEST(InCore, CoresWithoutMeasurementsAreSaidToBe) {
  for (const char* cpu : {"znver4", "znver5"}) {
    EXPECT_THAT(model("many_nops", cpu).notes, ElementsAre(Field(&Note::code, "core-untested")));
  }
  EXPECT_THAT(model("many_nops", "skylake-avx512").notes,
              ElementsAre(Field(&Note::code, "core-not-corrected")));
  // 512 bit: Zen 4 has half the width
  EXPECT_DOUBLE_EQ(model("wide_products", "znver4").port_cycles, 12.0);
  EXPECT_DOUBLE_EQ(model("wide_products", "znver5").port_cycles, 6.0);
  EXPECT_DOUBLE_EQ(model("chain_of_products", "znver5").cycles, 12.0);
}

TEST(InCore, StrippedFilesHaveLoopsWithoutNames) {
  for (const char* object : {"in_core_stripped", "in_core_nameless.o"}) {
    const auto found = loops(object);
    ASSERT_FALSE(found.empty()) << object;
    const auto most = std::ranges::max_element(found, {}, &InCoreLoop::flops_per_pass);
    EXPECT_GE(most->flops_per_pass, 8U) << object;
    EXPECT_EQ(most->function, "") << object;
    EXPECT_THAT(most->lines, IsEmpty()) << object;
  }
  const auto none = in_core_loops(file_bytes("in_core_stripped"), "a.out", "daxpy", kMeasured);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, HasSubstr("-g"));
}

TEST(InCore, FunctionsWithoutLoopsHaveNone) {
  EXPECT_THAT(loops("in_core_gcc.o", "no_loop"), IsEmpty());
  const auto none = in_core_loops(file_bytes("in_core_gcc.o"), "a.o", "dxapy", kMeasured);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  EXPECT_THAT(none.error().message, HasSubstr("a.o has no function dxapy"));
  EXPECT_THAT(none.error().hint, HasSubstr("daxpy, no_loop, sum"));
}

TEST(InCore, ProcessorsThatLlvmDoesNotKnowAreRefused) {
  const auto none = in_core_loops(file_bytes("in_core_gcc.o"), "a.o", "", "zx81");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  EXPECT_THAT(none.error().message, HasSubstr("zx81"));
}

TEST(InCore, HostileBytesAreRefusedOrReadButNeverTrusted) {
  for (const char* text : {"",
                           "\x7F"
                           "ELF",
                           "not an object at all", "!<arch>\n"}) {
    const auto none = in_core_loops(text, "a.o", "", kMeasured);
    ASSERT_FALSE(none) << text;
    EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  }
  // Without debug information: LLVM's reader of broken tables of lines may end the process.
  for (const char* object : {"in_core_assembly.o", "in_core_stripped"}) {
    const std::string whole = file_bytes(object);
    unsigned random = 1;
    for (int i = 0; i < 60; ++i) {
      random = random * 1664525U + 1013904223U;
      const auto cut = in_core_loops(whole.substr(0, random % whole.size()), "a.o", "", kMeasured);
      EXPECT_TRUE(cut || !cut.error().message.empty());
      std::string broken = whole;
      for (int k = 0; k < 8; ++k) {
        random = random * 1664525U + 1013904223U;
        broken[random % broken.size()] = static_cast<char>(random >> 24);
      }
      const auto read = in_core_loops(broken, "a.o", "", kMeasured);
      EXPECT_TRUE(read || !read.error().message.empty());
    }
  }
}

TEST(InCore, TheVectorBodyIsTheLoopOfTheNest) {
  const LoopNest daxpy = nest("in_core.c", "daxpy");
  for (const char* object : {"in_core_clang.o", "in_core_gcc.o"}) {
    const auto found = in_core_of(daxpy, loops(object));
    ASSERT_TRUE(found) << object;
    EXPECT_GE(found->iterations_per_pass, 4.0) << object;  // of 256 bit at least
  }
  LoopNest elsewhere = daxpy;
  elsewhere.levels.back().line = 1000;
  elsewhere.accesses.clear();
  EXPECT_EQ(in_core_of(elsewhere, loops("in_core_gcc.o")), std::nullopt);
}

TEST(CoreData, FilesOfCoresAreRead) {
  EXPECT_GE(known_cores().size(), 3U);
  ASSERT_NE(core_of("sapphirerapids"), nullptr);
  EXPECT_TRUE(core_of("sapphirerapids")->measured);
  EXPECT_FALSE(core_of("znver5")->measured);
  EXPECT_EQ(core_of("zx81"), nullptr);
  for (const CoreData& core : known_cores()) {
    EXPECT_THAT(core.rules, Not(IsEmpty())) << core.name;
    EXPECT_GT(core.rename_width, 0U) << core.name;
  }
}

TEST(CoreData, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_THAT(parse_core_data("{", "c.json").error().message, HasSubstr("c.json"));
  const auto none = parse_core_data(R"({"name": 1})", "c.json");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("name"));
}

}  // namespace
}  // namespace ridge::analyze
