#include "measure/instrumented/regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class MergeRegions : public ::testing::Test {
 protected:
  MergeRegions() : process_(arena_.process(1)) {}

  RegionTable merged() {
    decoded_ = *decode(arena_.bytes());
    return merge_regions(decoded_.processes.at(0));
  }

  ArenaBuilder arena_;
  std::uint64_t process_;
  DecodedArena decoded_;
};

TEST_F(MergeRegions, NamesFunctionsAndLoops) {
  DescriptorBuilder unit;
  const auto function = unit.region(RIDGE_REGION_FUNCTION, "_ZN4heat5sweepEPd", RIDGE_NO_PARENT, 3);
  unit.region(RIDGE_REGION_LOOP, "_ZN4heat5sweepEPd", function, 7);
  unit.region(RIDGE_REGION_LOOP, "_ZN4heat5sweepEPd.omp_outlined", RIDGE_NO_PARENT, 0);
  arena_.module(process_, unit);
  const auto table = merged();
  ASSERT_THAT(table.regions, SizeIs(3));
  EXPECT_EQ(table.regions[0].name, "heat::sweep");
  EXPECT_EQ(table.regions[0].file, "/src/unit.cpp");
  EXPECT_EQ(table.regions[1].name, "heat::sweep");
  EXPECT_EQ(table.regions[1].function, "heat::sweep");
  EXPECT_EQ(table.regions[1].parent, 0U);
  EXPECT_EQ(table.regions[1].kind, RegionKind::loop);
  EXPECT_EQ(table.regions[2].name, "heat::sweep loop");
  EXPECT_EQ(table.regions[2].line, std::nullopt);
  EXPECT_EQ(table.find(0), kNoRegion);
  EXPECT_EQ(table.find(2), 1U);
  EXPECT_EQ(table.find(1000), kNoRegion);
}

TEST_F(MergeRegions, TheSameInlineFunctionOfTwoUnitsIsOne) {
  const auto unit = [] {
    DescriptorBuilder built;
    const auto function = built.region(RIDGE_REGION_FUNCTION, "_Z1fv", RIDGE_NO_PARENT, 3);
    built.region(RIDGE_REGION_LOOP, "_Z1fv", function, 5);
    built.counter(1);
    built.term(RIDGE_ENTRIES, 1);
    return built;
  };
  arena_.module(process_, unit(), 1, 0);
  arena_.module(process_, unit(), 3, 1);
  const auto thread = arena_.thread(process_, 1);
  arena_.count(thread, 0, 10);
  arena_.count(thread, 1, 5);
  const auto table = merged();
  ASSERT_THAT(table.regions, SizeIs(2));
  EXPECT_EQ(table.regions[1].counts.entries, 15U);
  EXPECT_EQ(table.find(2), table.find(4));
}

TEST_F(MergeRegions, LoopsThatLookAlikeInOneUnitStayApart) {
  const auto unit = [] {
    DescriptorBuilder built;
    built.region(RIDGE_REGION_LOOP, "f", RIDGE_NO_PARENT, 0);
    built.region(RIDGE_REGION_LOOP, "f", RIDGE_NO_PARENT, 0);
    return built;
  };
  arena_.module(process_, unit(), 1);
  arena_.module(process_, unit(), 3);
  const auto table = merged();
  ASSERT_THAT(table.regions, SizeIs(2));
  EXPECT_THAT(table.of_raw, ElementsAre(kNoRegion, 0U, 1U, 0U, 1U));
}

TEST_F(MergeRegions, InlineContextsStayApart) {
  DescriptorBuilder unit;
  unit.region(RIDGE_REGION_LOOP, "f", RIDGE_NO_PARENT, 5);
  unit.region(RIDGE_REGION_LOOP, "f", RIDGE_NO_PARENT, 5);
  unit.regions[0].inlined_at = unit.text("main:12:3");
  unit.regions[1].inlined_at = unit.text("main:14:3");
  arena_.module(process_, unit);
  EXPECT_THAT(merged().regions, SizeIs(2));
}

TEST_F(MergeRegions, LoopsOfOneLineCarryTheirColumn) {
  DescriptorBuilder unit;
  for (const unsigned column : {3U, 17U}) {
    const auto loop = unit.region(RIDGE_REGION_LOOP, "f", RIDGE_NO_PARENT, 5);
    unit.regions[loop].column = column;
  }
  unit.regions[unit.region(RIDGE_REGION_LOOP, "f", RIDGE_NO_PARENT, 6)].column = 3;
  arena_.module(process_, unit);
  const auto table = merged();
  EXPECT_EQ(table.regions[0].name, "f unit.cpp:5:3");
  EXPECT_EQ(table.regions[1].name, "f unit.cpp:5:17");
  EXPECT_EQ(table.regions[2].name, "f");
}

TEST_F(MergeRegions, CallsIntoOneLibraryAreOneRegionPerCaller) {
  DescriptorBuilder unit;
  const auto main = unit.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT);
  const auto loop = unit.region(RIDGE_REGION_LOOP, "main", main, 4);
  unit.region(RIDGE_REGION_CALL, "erf", loop);
  unit.region(RIDGE_REGION_CALL, "tgamma", loop);
  unit.region(RIDGE_REGION_CALL, "erf", main);
  unit.region(RIDGE_REGION_CALL, "unknown", loop);
  unit.region(RIDGE_REGION_CALL, "in_the_program", loop);
  unit.region(RIDGE_REGION_OMP_WAIT, "__kmpc_barrier", loop);
  arena_.module(process_, unit, 1, 0,
                {"/lib/libm.so.6", "/lib/libm.so.6", "/lib/libm.so.6", "", "/home/me/program"});
  const auto table = merged();
  ASSERT_THAT(table.regions, SizeIs(7));
  EXPECT_EQ(table.regions[2].name, "in libm.so.6");
  EXPECT_EQ(table.regions[2].kind, RegionKind::library);
  EXPECT_EQ(table.regions[2].parent, 1U);
  EXPECT_EQ(table.find(3), table.find(4));
  EXPECT_EQ(table.regions[3].parent, 0U);
  EXPECT_EQ(table.regions[4].name, "in unknown");
  EXPECT_EQ(table.regions[5].name, "in in_the_program");
  EXPECT_EQ(table.regions[6].wait, WaitKind::barrier);
  EXPECT_EQ(table.regions[6].function, "main");
}

TEST_F(MergeRegions, WaitsAreOnesByWhatTheyWaitForAndWhere) {
  DescriptorBuilder unit;
  const auto main = unit.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT);
  const auto wait = [&](const char* callee, std::uint32_t parent, std::uint32_t line) {
    const auto index = unit.region(RIDGE_REGION_OMP_WAIT, callee, parent, line);
    unit.regions[index].function = unit.text("_ZN4heat5sweepEPd");  // inlined into main
    return index;
  };
  wait("__kmpc_fork_call", main, 7);
  wait("__kmpc_fork_call", main, 9);
  const auto body = unit.region(RIDGE_REGION_FUNCTION, "_ZN4heat5sweepEPd", main, 7);
  wait("__kmpc_for_static_fini", body, 11);
  wait("__kmpc_barrier", body, 11);
  wait("__kmpc_critical", body, 12);
  wait("__kmpc_omp_taskwait", body, 13);
  wait("__kmpc_end_masked", body, 14);
  arena_.module(process_, unit);
  const auto table = merged();
  ASSERT_THAT(table.regions, SizeIs(8)) << "one barrier, whatever calls of the runtime make it";
  EXPECT_EQ(table.regions[1].name, "waits at the end of heat::sweep");
  EXPECT_EQ(table.regions[1].wait, WaitKind::join);
  EXPECT_EQ(table.regions[1].kind, RegionKind::library);
  EXPECT_EQ(table.regions[1].function, "heat::sweep");
  EXPECT_EQ(table.regions[1].file, "/src/unit.cpp");
  EXPECT_EQ(table.regions[1].line, 7U);
  EXPECT_EQ(table.regions[2].line, 9U);
  EXPECT_EQ(table.regions[4].name, "waits at a barrier in heat::sweep");
  EXPECT_EQ(table.find(5), table.find(6));
  EXPECT_EQ(table.regions[5].name, "waits for a lock in heat::sweep");
  EXPECT_EQ(table.regions[6].name, "waits for tasks in heat::sweep");
  EXPECT_EQ(table.regions[7].name, "waits in heat::sweep");
  EXPECT_EQ(table.regions[7].wait, WaitKind::other);
}

TEST_F(MergeRegions, CalleesThatAreInstrumentedAreNotOpaque) {
  DescriptorBuilder caller;
  const auto main = caller.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT);
  caller.region(RIDGE_REGION_CALL, "_Z4workv", main);
  caller.counter(main);
  caller.term(RIDGE_OPAQUE, 1, "_Z4workv");
  caller.term(RIDGE_OPAQUE, 1, "puts");
  DescriptorBuilder callee;
  callee.region(RIDGE_REGION_FUNCTION, "_Z4workv", RIDGE_NO_PARENT);
  arena_.module(process_, caller, 1, 0);
  arena_.module(process_, callee, 3, 1);
  arena_.count(arena_.thread(process_, 1), 0, 2);
  const auto table = merged();
  ASSERT_THAT(table.regions, SizeIs(2));
  EXPECT_THAT(table.regions[0].counts.opaque, ElementsAre(Pair("puts", 2U)));
  EXPECT_EQ(table.find(2), 0U) << "the call itself is part of the caller";
}

TEST_F(MergeRegions, CodeThatHasNoRegionIsNotOpaqueEither) {
  DescriptorBuilder caller;
  caller.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT);
  for (const char* callee : {"_ZN6DomainC1Ei", "is_error", "puts"}) {
    caller.region(RIDGE_REGION_CALL, callee, 0);
    caller.counter(0);
    caller.term(RIDGE_OPAQUE, 1, callee);
  }
  DescriptorBuilder callees;
  callees.region(RIDGE_REGION_FUNCTION, "_ZN6DomainC2Ei", RIDGE_NO_PARENT);
  callees.header.compiled_names = callees.text("_ZN6DomainC1Ei\nis_error\n");
  arena_.module(process_, caller, 1, 0);
  arena_.module(process_, callees, 5, 3);
  const auto thread = arena_.thread(process_, 1);
  for (std::uint32_t counter = 0; counter < 3; ++counter) arena_.count(thread, counter, 7);
  const auto table = merged();
  EXPECT_THAT(table.regions[0].counts.opaque, ElementsAre(Pair("puts", 7U)));
  EXPECT_EQ(table.find(2), 0U) << "the call itself is part of the caller";
  EXPECT_EQ(table.find(3), 0U);
  EXPECT_EQ(table.regions[table.find(4)].kind, RegionKind::library);
}

TEST_F(MergeRegions, IdentitiesDoNotDependOnTheOrderOfModules) {
  const auto unit = [](const char* name) {
    DescriptorBuilder built;
    built.region(RIDGE_REGION_FUNCTION, name, RIDGE_NO_PARENT);
    built.region(RIDGE_REGION_LOOP, name, 0, 3);
    return built;
  };
  ArenaBuilder other;
  const auto process = other.process(1);
  arena_.module(process_, unit("f"), 1);
  arena_.module(process_, unit("g"), 3);
  other.module(process, unit("g"), 1);
  other.module(process, unit("f"), 3);
  const auto a = merged();
  const auto decoded = *decode(other.bytes());
  const auto b = merge_regions(decoded.processes[0]);
  EXPECT_EQ(a.regions[1].identity, b.regions[3].identity);
  EXPECT_EQ(a.regions[2].identity, b.regions[0].identity);
  EXPECT_NE(a.regions[1].identity, a.regions[3].identity);
}

}  // namespace
}  // namespace ridge::measure
