#include "measure/instrumented/decode.hpp"

#include <chrono>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"
#include "measure/instrumented/code/counted_program_for_tests.hpp"
#include "measure/instrumented/regions.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::measure {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

/// A function with a loop: 2 flop (one fma, 64 bit) and 24 byte each time round.
DescriptorBuilder triad() {
  DescriptorBuilder unit;
  const auto function = unit.region(RIDGE_REGION_FUNCTION, "triad", RIDGE_NO_PARENT, 3);
  const auto loop = unit.region(RIDGE_REGION_LOOP, "triad", function, 5);
  unit.counter(function);
  unit.term(RIDGE_ENTRIES, 1);
  unit.counter(loop, true);
  unit.flops(RIDGE_FP64, RIDGE_FMA, 64, 2);
  unit.term(RIDGE_BYTES_LOADED, 16);
  unit.term(RIDGE_BYTES_STORED, 8);
  unit.term(RIDGE_ITERATIONS, 1);
  unit.counter(loop);
  unit.term(RIDGE_ENTRIES, 1);
  unit.term(RIDGE_CALLS, 4, "exp");
  unit.term(RIDGE_OPAQUE, 1, "dgemm_");
  return unit;
}

DecodedArena decoded(const ArenaBuilder& arena) {
  auto result = decode(arena.bytes());
  if (!result) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(*result);
}

TEST(Decode, CounterTimesAmountOverAllThreads) {
  ArenaBuilder arena;
  const auto process = arena.process(42, {"./a b", "", "c"});
  arena.module(process, triad(), 1, 7);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto thread = arena.thread(process, 42 + i, i);
    arena.count(thread, 7, 1);
    arena.count(thread, 8, 100);
    arena.count(thread, 9, 2);
  }
  const auto result = decoded(arena);
  ASSERT_THAT(result.processes, SizeIs(1));
  const RawProcess& found = result.processes[0];
  EXPECT_EQ(found.pid, 42U);
  EXPECT_THAT(found.arguments, ElementsAre("./a b", "", "c"));
  EXPECT_THAT(found.compilers, ElementsAre("clang 19.1.7, -O3"));
  EXPECT_THAT(found.threads, SizeIs(3));
  ASSERT_THAT(found.regions, SizeIs(3));
  EXPECT_EQ(found.regions[0].kind, 0U);
  EXPECT_EQ(found.regions[1].counts.entries, 3U);
  const RawRegion& loop = found.regions[2];
  EXPECT_EQ(loop.parent, 1U);
  EXPECT_EQ(loop.name, "triad");
  EXPECT_EQ(loop.line, 5U);
  EXPECT_TRUE(loop.deferred);
  EXPECT_THAT(loop.counts.work.terms,
              ElementsAre(WorkTerm{Precision::fp64, OperationKind::fma, 64, 600}));
  EXPECT_EQ(loop.counts.bytes_loaded, 4800U);
  EXPECT_EQ(loop.counts.bytes_stored, 2400U);
  EXPECT_EQ(loop.counts.iterations, 300U);
  EXPECT_EQ(loop.counts.header_executions, std::nullopt);
  EXPECT_THAT(loop.counts.calls, ElementsAre(Pair("exp", 24U)));
  EXPECT_THAT(loop.counts.opaque, ElementsAre(Pair("dgemm_", 6U)));
}

/// The first region of a program of which two threads counted 100 and 10 executions.
RawRegion region_of(const FileBytes& code, bool with_code, std::string_view build_id = {}) {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("program", text_of(counted_program(code, one_mul(), "build-id")));
  ArenaBuilder arena;
  const auto process = arena.process(1);
  const auto module = arena.module(process, one_mul());
  arena.file(module, file, build_id);
  arena.count(arena.thread(process, 1, 0), 0, 100);
  arena.count(arena.thread(process, 2, 1), 0, 10);
  CodeReader reader;
  auto result = decode(arena.bytes(), with_code ? &reader : nullptr);
  if (!result || result->notes != reader.notes()) {
    ADD_FAILURE() << "not decoded, or without the notes";
    return {};
  }
  return result->processes[0].regions[1];
}

TEST(Decode, FlopsOfTheMachineCodeStandBesideThoseOfTheIr) {
  const RawRegion region = region_of(kThreeFlops, true, "build-id");
  EXPECT_THAT(region.counts.work.terms,
              ElementsAre(WorkTerm{Precision::fp64, OperationKind::add, 64, 220},
                          WorkTerm{Precision::fp64, OperationKind::mul, 64, 110}));
  EXPECT_EQ(region.counts.ir_flops, 110U);
  EXPECT_EQ(region.counts.least_flops, 330U);
  EXPECT_EQ(region.counts.most_flops, 330U);
  EXPECT_EQ(region.by_thread.at(0).flops, 300U);
  EXPECT_EQ(region.by_thread.at(1).flops, 30U);
}

TEST(Decode, WhatTheMachineCodeLeavesOpenIsAnInterval) {
  const RawRegion region = region_of(kPerhapsOne, true);
  EXPECT_EQ(region.counts.work.total(), 0U);
  EXPECT_EQ(region.counts.ir_flops, 110U);
  EXPECT_EQ(region.counts.least_flops, 0U);
  EXPECT_EQ(region.counts.most_flops, 110U);
}

TEST(Decode, WithoutTheFileThatRanTheIrCounts) {
  for (const RawRegion& region :
       {region_of(kThreeFlops, false), region_of(kThreeFlops, true, "other-id")}) {
    EXPECT_THAT(region.counts.work.terms,
                ElementsAre(WorkTerm{Precision::fp64, OperationKind::mul, 64, 110}));
    EXPECT_EQ(region.counts.ir_flops, 110U);
    EXPECT_EQ(region.counts.least_flops, 110U);
    EXPECT_EQ(region.counts.most_flops, 110U);
    EXPECT_EQ(region.by_thread.at(0).flops, 100U);
  }
}

/// Notes of a program whose machine code has a sum in a loop that no counter reaches, and of which
/// a thread counted `executions`.
std::vector<Note> notes_of_uncounted_loop(std::uint64_t executions) {
  const tests::TemporaryFolder folder;
  ArenaBuilder arena;
  const auto process = arena.process(1);
  arena.file(arena.module(process, one_mul()),
             folder.write("program", text_of(counted_program(kLoop))), {});
  arena.count(arena.thread(process, 1, 0), 0, executions);
  CodeReader reader;
  const auto result = decode(arena.bytes(), &reader);
  return result ? result->notes : std::vector<Note>{{"failed", result.error().message}};
}

TEST(Decode, OperationsThatNoCounterReachesAreSpokenOfWhereTheyRan) {
  EXPECT_THAT(notes_of_uncounted_loop(0), IsEmpty());
  EXPECT_THAT(notes_of_uncounted_loop(3),
              ElementsAre(AllOf(Field(&Note::code, "uncounted-code"),
                                Field(&Note::text, HasSubstr("/program ")))));
}

TEST(Decode, APathOutsideOfTheArenaOrWithoutAnEndIsUnknown) {
  for (const auto& [file, bytes] :
       {std::pair<std::uint64_t, std::uint64_t>{~0ULL, 8}, {64, ~0ULL}, {8, 1}}) {
    ArenaBuilder arena;
    const auto process = arena.process(1);
    auto& record = arena.at<ridge_module_record>(arena.module(process, one_mul()));
    record.file = file;
    record.file_bytes = bytes;
    record.build_id_bytes = ~0U;
    arena.count(arena.thread(process, 1, 0), 0, 100);
    CodeReader reader;
    const auto result = decode(arena.bytes(), &reader);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->processes[0].regions[1].counts.work.total(), 100U);
  }
}

TEST(Decode, ProcessesModulesAndThreadsComeOldestFirst) {
  ArenaBuilder arena;
  const auto first = arena.process(1);
  const auto second = arena.process(2);
  arena.module(first, triad(), 1, 0);
  arena.module(first, triad(), 3, 3);
  arena.thread(second, 20, 0);
  arena.thread(second, 21, 1);
  const auto result = decoded(arena);
  ASSERT_THAT(result.processes, SizeIs(2));
  EXPECT_EQ(result.processes[0].pid, 1U);
  EXPECT_EQ(result.processes[0].regions[4].module, 1U);
  EXPECT_EQ(result.processes[1].threads[1].tid, 21U);
}

TEST(Decode, StacksLeaveTheSentinelOut) {
  ArenaBuilder arena;
  const auto process = arena.process(1);
  arena.module(process, triad());
  const auto thread = arena.thread(process, 1);
  arena.stack(thread, {1, 2, std::numeric_limits<std::uint32_t>::max()});
  EXPECT_THAT(decoded(arena).processes[0].threads[0].stack, ElementsAre(1U, 2U, 0U));
  arena.at<ridge_thread>(thread).depth = 1U << 30U;
  EXPECT_THAT(decoded(arena).processes[0].threads[0].stack, SizeIs(RIDGE_FRAME_CAPACITY - 1));
}

TEST(Decode, SumsSaturateInsteadOfWrapping) {
  ArenaBuilder arena;
  const auto process = arena.process(1);
  arena.module(process, triad());
  arena.count(arena.thread(process, 1), 1, std::numeric_limits<std::uint64_t>::max() / 2);
  EXPECT_EQ(decoded(arena).processes[0].regions[2].counts.bytes_loaded,
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Decode, LinksInACircleEnd) {
  ArenaBuilder arena;
  const auto first = arena.process(1);
  const auto second = arena.process(2);
  const auto module = arena.module(second, triad());
  const auto thread = arena.thread(second, 2);
  arena.record(first).next = second;
  arena.at<ridge_module_record>(module).next = module;
  arena.at<ridge_thread>(thread).next = thread;
  const auto result = decoded(arena);
  EXPECT_THAT(result.processes, SizeIs(2));
  EXPECT_THAT(result.processes[1].threads, SizeIs(1));
}

TEST(Decode, WhatIsNoArenaIsRefused) {
  EXPECT_EQ(decode({}).error().code, ErrorCode::bad_input);
  ArenaBuilder arena;
  arena.header().abi_version = 4711;
  const auto version = decode(arena.bytes());
  ASSERT_FALSE(version);
  EXPECT_THAT(version.error().message, ::testing::HasSubstr("4711"));
  arena.header().magic = 0;
  EXPECT_FALSE(decode(arena.bytes()));
}

class DamagedDescriptor : public ::testing::TestWithParam<void (*)(DescriptorBuilder&)> {};

TEST_P(DamagedDescriptor, IsLeftOutAndCounted) {
  auto unit = triad();
  GetParam()(unit);
  ArenaBuilder arena;
  const auto process = arena.process(1);
  arena.module(process, triad(), 1, 0);
  arena.module(process, unit, 3, 3);
  const auto result = decoded(arena);
  EXPECT_EQ(result.processes[0].damaged_modules, 1U);
  EXPECT_THAT(result.processes[0].regions, SizeIs(3));
}

INSTANTIATE_TEST_SUITE_P(
    Decode, DamagedDescriptor,
    ::testing::Values([](DescriptorBuilder& unit) { unit.header.magic = 1; },
                      [](DescriptorBuilder& unit) { unit.header.abi_version = 77; },
                      [](DescriptorBuilder& unit) { unit.regions[1].parent = 1; },
                      [](DescriptorBuilder& unit) { unit.regions[1].kind = 99; },
                      [](DescriptorBuilder& unit) { unit.counters[0].region = 2; },
                      [](DescriptorBuilder& unit) { unit.counters[0].first_term = 1000; },
                      [](DescriptorBuilder& unit) { unit.counters[0].term_count = 0xffffffff; }));

TEST(Decode, ModulesThatDoNotFitAreLeftOut) {
  for (const auto& [regions, counters] :
       {std::pair{0U, 0U}, std::pair{RIDGE_REGION_CAPACITY - 1U, 0U},
        std::pair{1U, RIDGE_COUNTER_CAPACITY - 1U}, std::pair{0xffffffffU, 0xffffffffU}}) {
    ArenaBuilder arena;
    const auto process = arena.process(1);
    arena.module(process, triad(), regions, counters);
    EXPECT_EQ(decoded(arena).processes[0].damaged_modules, 1U);
  }
}

/// Flips bits where structures are: the counters between them are not interesting.
TEST(Decode, AnyBytesAreReadWithoutHarm) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto first = arena.process(1);
  arena.module(first, triad(), 1, 0, {"/lib/libm.so.6"});
  const auto second = arena.process(2);
  arena.module(second, triad(), 1, 0);
  arena.module(second, triad(), 3, 3);
  const auto small_end = arena.storage().size();
  const auto thread = arena.thread(second, 1);
  arena.stack(thread, {1, 2, 3});
  const std::vector<std::byte> intact = arena.storage();
  const auto thread_header_end = thread + offsetof(ridge_thread, frames) + 64;
  std::mt19937 random(11);
  std::vector<std::byte> damaged = intact;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::size_t read = 0;
  for (int round = 0; round < 3000 && std::chrono::steady_clock::now() < end; ++round) {
    std::vector<std::size_t> touched;
    for (unsigned i = 0; i < 1 + random() % 8; ++i) {
      const bool in_thread = random() % 4 == 0;
      const std::size_t at = in_thread ? thread + random() % (thread_header_end - thread)
                                       : sizeof(std::uint64_t) + random() % (small_end - 8);
      damaged[at] = static_cast<std::byte>(random() % 3 == 0 ? 0xff : random());
      touched.push_back(at);
    }
    const std::size_t size = random() % 8 == 0 ? random() % intact.size() : intact.size();
    if (const auto result = decode(ArenaBytes(damaged).first(size))) {
      for (const RawProcess& process : result->processes) {
        read += merge_regions(process).regions.size();
      }
    }
    for (const std::size_t at : touched) {
      damaged[at] = intact[at];
    }
  }
  EXPECT_GT(read, 0U);
}

TEST(Counts, AddUp) {
  Counts a;
  EXPECT_TRUE(a.empty());
  a.iterations = 3;
  a.calls["exp"] = 1;
  Counts b = a;
  b.opaque["x"] = 5;
  b.work.add(Precision::fp32, OperationKind::add, 32, 7);
  a += b;
  EXPECT_EQ(a.iterations, 6U);
  EXPECT_EQ(a.header_executions, std::nullopt);
  EXPECT_EQ(a.calls["exp"], 2U);
  EXPECT_EQ(a.opaque["x"], 5U);
  EXPECT_EQ(a.work.total(), 7U);
  EXPECT_FALSE(a.empty());
}

TEST(BytesOf, AllRegionsOfAllProcesses) {
  DecodedArena arena;
  arena.processes.resize(2);
  arena.processes[0].regions.resize(2);
  arena.processes[0].regions[1].counts.bytes_loaded = 100;
  arena.processes[1].regions.resize(1);
  arena.processes[1].regions[0].counts.bytes_stored = 11;
  EXPECT_EQ(bytes_of(arena), 111U);
  arena.processes[1].regions[0].counts.bytes_loaded = UINT64_MAX;
  EXPECT_EQ(bytes_of(arena), UINT64_MAX);
}

}  // namespace
}  // namespace ridge::measure
