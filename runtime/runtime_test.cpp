// The runtime as `ridge run` sees it: emulated programs run in child processes with an arena that
// this test made, and afterwards the arena tells what they left.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "runtime/emulated_session.hpp"

namespace ridge::runtime_testing {
namespace {

void expect_plain_counts(Arena& arena, std::size_t process = 0) {
  ASSERT_GT(arena.processes().size(), process);
  const ridge_process_record& record = *arena.processes()[process];
  EXPECT_EQ(arena.counter(record, 0), 1000);
  EXPECT_EQ(arena.counter(record, 1), 7);
  EXPECT_EQ(record.runtime_abi_version, RIDGE_ABI_VERSION);
}

TEST(Runtime, CountsOfAProgramThatExits) {
  Arena arena;
  const Ended ended = run(arena, "count");
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  EXPECT_EQ(ended.errors, "");
  expect_plain_counts(arena);
  ASSERT_EQ(arena.processes().size(), 1u);
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(process.flags, std::uint32_t{RIDGE_PROCESS_ENDED});
  EXPECT_EQ(process.parent_pid, static_cast<std::uint32_t>(getpid()));
  EXPECT_EQ(process.region_count, 4u);
  EXPECT_EQ(process.counter_count, 2u);
  const std::string command = std::string(RIDGE_TEST_PROGRAM) + '\0' + "count" + '\0';
  const std::string stored(arena.at<char>(process.arguments), process.arguments_bytes);
  EXPECT_EQ(stored.substr(0, command.size()), command);
  ASSERT_EQ(arena.threads(process).size(), 1u);
  const ridge_thread& thread = *arena.threads(process)[0];
  EXPECT_EQ(thread.generation, 1u);
  EXPECT_EQ(thread.depth, 1u);
  EXPECT_EQ(thread.frames[0].stack_pointer, UINT64_MAX);
  EXPECT_EQ(arena.header().full, 0u);
}

TEST(Runtime, NamesTheLibraryOfACallee) {
  Arena arena;
  run(arena, "count");
  const ridge_module_record* module = arena.module(*arena.processes()[0], "emulated_program.c");
  ASSERT_NE(module, nullptr);
  ASSERT_GT(module->libraries_bytes, 1u);
  EXPECT_NE(std::string(arena.at<char>(module->libraries)).find("/lib"), std::string::npos);
}

TEST(Runtime, CountsSurviveEveryKindOfEnd) {
  const std::vector<std::pair<std::string, std::function<bool(const Ended&)>>> ends = {
      {"abort", [](const Ended& ended) { return ended.killed(SIGABRT); }},
      {"kill", [](const Ended& ended) { return ended.killed(SIGKILL); }},
      {"leave_early", [](const Ended& ended) { return ended.exited(3); }},
  };
  for (const auto& [scenario, as_expected] : ends) {
    SCOPED_TRACE(scenario);
    Arena arena;
    const Ended ended = run(arena, scenario);
    EXPECT_TRUE(as_expected(ended)) << ended.errors;
    expect_plain_counts(arena);
    EXPECT_EQ(arena.processes()[0]->flags, 0u);
  }
}

TEST(Runtime, ForkGivesTheChildItsOwnCounts) {
  Arena arena;
  EXPECT_TRUE(run(arena, "fork").exited(0));
  ASSERT_EQ(arena.processes().size(), 2u);
  const ridge_process_record& parent = *arena.processes()[0];
  const ridge_process_record& child = *arena.processes()[1];
  EXPECT_EQ(arena.counter(parent, 0), 17);
  EXPECT_EQ(arena.counter(parent, 1), 70);
  EXPECT_EQ(arena.counter(child, 0), 5);
  EXPECT_EQ(arena.counter(child, 1), 50);
  EXPECT_EQ(child.flags, std::uint32_t{RIDGE_PROCESS_FORKED | RIDGE_PROCESS_ENDED});
  EXPECT_EQ(child.parent_pid, parent.pid);
  EXPECT_EQ(child.arguments, parent.arguments);
  EXPECT_EQ(child.region_count, parent.region_count);
  ASSERT_EQ(arena.threads(child).size(), 1u);
  EXPECT_EQ(arena.threads(child)[0]->tid, child.pid);
}

TEST(Runtime, ForkInAThread) {
  Arena arena;
  EXPECT_TRUE(run(arena, "fork_in_thread").exited(0));
  ASSERT_EQ(arena.processes().size(), 2u);
  EXPECT_EQ(arena.counter(*arena.processes()[0], 0), 1);
  EXPECT_EQ(arena.counter(*arena.processes()[0], 1), 1);
  EXPECT_EQ(arena.counter(*arena.processes()[1], 0), 2);
  EXPECT_EQ(arena.counter(*arena.processes()[1], 1), 0);
}

TEST(Runtime, ExecIsAProcessOfItsOwn) {
  for (const std::string scenario : {"exec", "vfork"}) {
    SCOPED_TRACE(scenario);
    Arena arena;
    EXPECT_TRUE(run(arena, scenario).exited(0));
    ASSERT_GE(arena.processes().size(), 2u);  // the thread sanitizer makes vfork a fork
    EXPECT_EQ(arena.counter(*arena.processes()[0], 0), scenario == "exec" ? 3 : 2);
    expect_plain_counts(arena, arena.processes().size() - 1);
  }
}

TEST(Runtime, SixtyFourThreads) {
  Arena arena;
  const Ended ended = run(arena, "threads");
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(arena.counter(process, 0), 64000);
  EXPECT_EQ(process.thread_count, 65u);
  ASSERT_EQ(arena.threads(process).size(), 65u);
  for (std::uint32_t i = 0; i < 65; ++i) {
    const ridge_thread& thread = *arena.threads(process)[i];
    EXPECT_LT(thread.ordinal, 65u);
    EXPECT_EQ(thread.tid, thread.ordinal == 0 ? process.pid : 0);
  }
}

TEST(Runtime, BlocksOfEndedThreadsAreUsedAgain) {
  Arena arena;
  EXPECT_TRUE(run(arena, "reuse").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(arena.counter(process, 0), 200);
  EXPECT_EQ(process.thread_count, 201u);
  ASSERT_EQ(arena.threads(process).size(), 2u);
  EXPECT_EQ(arena.threads(process)[1]->generation, 200u);
}

TEST(Runtime, ThreadEndsAfterInstrumentedDestructors) {
  Arena arena;
  EXPECT_TRUE(run(arena, "late_destructors").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(arena.counter(process, 0), 5);
  EXPECT_EQ(arena.counter(process, 1), 15);
  EXPECT_LE(arena.threads(process).size(), RIDGE_TEST_STATIC_IS_STATIC ? 2u : 6u);
}

TEST(Runtime, LibrariesComeAndGo) {
  Arena arena;
  const Ended ended = run(arena, "dlopen");
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(arena.modules(process).size(), 2u);
  EXPECT_EQ(arena.counter(process, 2, "emulated_library.c"), 17);
  EXPECT_EQ(arena.counter(process, 0), 1);
}

TEST(Runtime, TheRegionStackStaysRight) {
  for (const std::string scenario : {"recursion", "longjmp", "alternate_stack", "thread_repair"}) {
    SCOPED_TRACE(scenario);
    Arena arena;
    const Ended ended = run(arena, scenario);
    EXPECT_TRUE(ended.exited(0)) << ended.errors;
    if (scenario == "recursion") {
      EXPECT_EQ(arena.counter(*arena.processes()[0], 0), 10000);
    }
  }
}

TEST(Runtime, OtherVersionsAndDamageAreLeftOut) {
  for (const std::string scenario : {"mismatch", "damaged_descriptor"}) {
    SCOPED_TRACE(scenario);
    Arena arena;
    EXPECT_TRUE(run(arena, scenario).exited(0));
    expect_plain_counts(arena);
    const ridge_process_record& process = *arena.processes()[0];
    EXPECT_EQ(process.flags, std::uint32_t{RIDGE_PROCESS_ENDED | RIDGE_PROCESS_VERSION_MISMATCH});
    EXPECT_EQ(process.mismatched_abi_version,
              std::uint32_t{RIDGE_ABI_VERSION} + (scenario == "mismatch" ? 41u : 0u));
    EXPECT_EQ(arena.modules(process).size(), 1u);
  }
}

TEST(Runtime, CountersThatDoNotFit) {
  Arena arena;
  EXPECT_TRUE(run(arena, "too_many_counters").exited(0));
  expect_plain_counts(arena);
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(process.flags, std::uint32_t{RIDGE_PROCESS_ENDED | RIDGE_PROCESS_COUNTERS_FULL});
  EXPECT_EQ(arena.modules(process).size(), 3u);
}

TEST(Runtime, LeavesNoTrace) {
  Arena arena;
  const Ended ended = run(arena, "hygiene");
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
}

TEST(Runtime, WithoutASessionProgramsRunAsEver) {
  for (const std::string scenario :
       {"count", "fork", "fork_in_thread", "threads", "reuse", "dlopen", "recursion", "longjmp",
        "mismatch", "too_many_counters", "hygiene", "traffic_bulk"}) {
    const Ended ended = run(RIDGE_TEST_PROGRAM, {scenario, RIDGE_TEST_LIBRARY}, "");
    EXPECT_TRUE(ended.exited(0)) << scenario << ": " << ended.errors;
    EXPECT_EQ(ended.errors, "") << scenario;
  }
}

void expect_one_line(const Ended& ended) {
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  EXPECT_EQ(ended.errors.rfind("ridge: this process is not measured", 0), 0u) << ended.errors;
  EXPECT_EQ(ended.errors.find('\n'), ended.errors.size() - 1);
}

TEST(Runtime, ASessionThatCannotBeUsedIsSaidInOneLine) {
  Arena arena;
  expect_one_line(run(RIDGE_TEST_PROGRAM, {"count"}, "/nowhere/fd/3"));
  expect_one_line(run(RIDGE_TEST_PROGRAM, {"count"}, "/dev/null"));
  arena.header().abi_version = RIDGE_ABI_VERSION + 1;
  expect_one_line(run(arena, "count"));
  arena.header().abi_version = RIDGE_ABI_VERSION;
  arena.header().size_bytes = kArenaBytes + 1;
  expect_one_line(run(arena, "count"));
  arena.header().size_bytes = kArenaBytes;
  arena.header().magic = 1;
  expect_one_line(run(arena, "count"));
}

TEST(Runtime, NoFileDescriptorLeft) {
  if (!RIDGE_TEST_STATIC_IS_STATIC) {
    GTEST_SKIP() << "sanitizers have no static form";
  }
  Arena arena;
  // The loader needs one to find libraries, so the limit falls in the program's first constructor
  // only for the statically linked program.
  const Ended ended = run(RIDGE_TEST_PROGRAM_STATIC, {"count"}, arena.session(), [] {
    const rlimit none{3, 3};
    setrlimit(RLIMIT_NOFILE, &none);
  });
  expect_one_line(ended);
  EXPECT_NE(ended.errors.find("Too many open files"), std::string::npos) << ended.errors;
  EXPECT_TRUE(arena.processes().empty());
}

TEST(Runtime, AFullArenaIsAFlagAndNoCrash) {
  for (const std::uint64_t bytes : {std::uint64_t{1} << 14, std::uint64_t{1} << 16,
                                    std::uint64_t{9} << 20, std::uint64_t{20} << 20}) {
    for (const std::uint32_t mode : {RIDGE_MODE_COUNT, RIDGE_MODE_TRAFFIC}) {
      for (const std::string scenario : {"count", "threads", "fork", "dlopen", "traffic_forked"}) {
        SCOPED_TRACE(scenario + " in " + std::to_string(bytes));
        Arena arena(bytes, mode);
        ask_for_traffic(arena);
        const Ended ended = run(arena, scenario);
        EXPECT_TRUE(ended.exited(0)) << ended.errors;
        const bool small = bytes < std::uint64_t{8} << 20;
        if (small || scenario == "threads") {
          EXPECT_EQ(arena.header().full, 1u);
        } else if (scenario == "count" && mode == RIDGE_MODE_COUNT) {
          EXPECT_EQ(arena.header().full, 0u);
        }
        EXPECT_LE(arena.header().used_bytes, bytes);
      }
    }
  }
}

// Population beyond the end of the file fails as it does when memory is full, and without it every
// write there would raise SIGBUS. The program cuts the file before its first thread attaches.
TEST(Runtime, NoMemoryBehindTheArena) {
  for (const std::uint64_t left : {std::uint64_t{1} << 14, std::uint64_t{1} << 18}) {
    Arena arena;
    const Ended ended = run(
        RIDGE_TEST_PROGRAM,
        {"all_kinds", RIDGE_TEST_LIBRARY, arena.session(), std::to_string(left)}, arena.session());
    EXPECT_TRUE(ended.exited(0)) << ended.errors << ended.status;
    EXPECT_EQ(arena.header().full, 1u);
    EXPECT_NE(arena.processes()[0]->flags & RIDGE_PROCESS_ARENA_FULL, 0u);
  }
}

TEST(Runtime, StaticallyLinkedProgram) {
  for (const std::string scenario : {"count", "fork", "threads", "recursion", "traffic"}) {
    SCOPED_TRACE(scenario);
    Arena arena(kArenaBytes, scenario == "traffic" ? RIDGE_MODE_TRAFFIC : RIDGE_MODE_COUNT);
    ask_for_traffic(arena);
    const Ended ended = run(RIDGE_TEST_PROGRAM_STATIC, {scenario}, arena.session());
    EXPECT_TRUE(ended.exited(0)) << ended.errors;
    ASSERT_FALSE(arena.processes().empty());
    EXPECT_NE(arena.processes()[0]->flags & RIDGE_PROCESS_ENDED, 0u);
    if (scenario == "count") {
      expect_plain_counts(arena);
    }
  }
}

TEST(Runtime, TrafficOfAStream) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  EXPECT_TRUE(run(arena, "traffic").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  ASSERT_NE(process.traffic, 0u);
  const ridge_region_traffic& traffic = arena.worker_traffic(process);
  const std::uint64_t bytes = 8 << 15;
  EXPECT_EQ(traffic.accesses, 3u << 15);
  EXPECT_EQ(process.trace_lost, 0u);
  EXPECT_EQ(traffic.crossed[1].read, 3 * bytes);
  EXPECT_EQ(traffic.least.read, 3 * bytes);
  EXPECT_EQ(traffic.least.written, bytes);
  EXPECT_GE(traffic.crossed[1].written, bytes - 65536);
  EXPECT_LE(traffic.crossed[1].written, bytes);
}

TEST(Runtime, AfterSigkillOneBatchIsLost) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  EXPECT_TRUE(run(arena, "traffic_killed").killed(SIGKILL));
  const std::uint64_t all = 3 << 15;
  const std::uint64_t seen = arena.worker_traffic(*arena.processes()[0]).accesses;
  EXPECT_GE(seen, all - RIDGE_TRACE_CAPACITY);
  EXPECT_LE(seen, all);
}

TEST(Runtime, TrafficBelongsToTheProcessThatMadeIt) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  EXPECT_TRUE(run(arena, "traffic_forked").exited(0));
  ASSERT_EQ(arena.processes().size(), 2u);
  EXPECT_EQ(arena.worker_traffic(*arena.processes()[0]).accesses, 3u * 150);
  EXPECT_EQ(arena.worker_traffic(*arena.processes()[1]).accesses, 3u * 200);
}

TEST(Runtime, TrafficOfThreadsIsCompleteAtTheirEnd) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  arena.header().caches.placement_count = 2;
  arena.header().caches.placement[0] = 3;
  arena.header().caches.placement[1] = 100;  // no such core: taken modulo
  EXPECT_TRUE(run(arena, "traffic_threads").exited(0));
  EXPECT_EQ(arena.worker_traffic(*arena.processes()[0]).accesses, 8u * 3 << 12);
}

TEST(Runtime, TrafficOfRangesAndLanes) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  EXPECT_TRUE(run(arena, "traffic_bulk").exited(0));
  const ridge_region_traffic& traffic = arena.worker_traffic(*arena.processes()[0]);
  EXPECT_EQ(traffic.accesses, 1u + 3 + 3);
  const std::uint64_t lines = (8u << 15) + (20u << 20) + 3 * 64;
  EXPECT_GE(traffic.least.read, lines);
  EXPECT_LE(traffic.least.read, lines + 4 * 64);
}

TEST(Runtime, SampledLinesAreAnEighth) {
  for (const auto& [scenario, bytes, sets] :
       {std::tuple<std::string, std::uint64_t, std::uint64_t>{"traffic", 3 * 8 << 15, 16},
        {"traffic", 3 * 8 << 15, 64},
        {"traffic_bulk", (8 << 15) + (20 << 20), 16},
        {"traffic_bulk", (8 << 15) + (20 << 20), 64}}) {
    SCOPED_TRACE(scenario + ", sets of the first level: " + std::to_string(sets));
    Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_sampling(arena, RIDGE_TRAFFIC_SAMPLED);
    arena.header().caches.levels[0].size_bytes = sets * 4 * 64;  // 64 and more: packed
    EXPECT_TRUE(run(arena, scenario).exited(0));
    const ridge_process_record& process = *arena.processes()[0];
    EXPECT_EQ(process.sampling_begun, 1u);
    ASSERT_NE(process.sampled_traffic, 0u);
    const ridge_region_traffic& exact = arena.worker_traffic(process);
    EXPECT_EQ(exact.least.read, 0u);
    const std::uint32_t base = arena.module(process, "emulated_program.c")->region_base;
    const auto& sampled = arena.at<ridge_region_traffic>(process.sampled_traffic)[base + 1];
    EXPECT_GE(sampled.least.read, bytes / 8 - 4 * 64);
    EXPECT_LE(sampled.least.read, bytes / 8 + 8 * 64) << "the lanes, and lines cut at both ends";
    EXPECT_EQ(sampled.crossed[0].read, sampled.least.read) << "each line comes once";
  }
}

TEST(Runtime, AutoBeginsExact) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_sampling(arena, RIDGE_TRAFFIC_AUTO);
  EXPECT_TRUE(run(arena, "traffic").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(process.sampling_begun, 0u);
  EXPECT_EQ(arena.worker_traffic(process).least.read, 3u * 8 << 15);
}

TEST(Runtime, AChildSamplesByItself) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_sampling(arena, RIDGE_TRAFFIC_SAMPLED);
  EXPECT_TRUE(run(arena, "traffic_forked").exited(0));
  ASSERT_EQ(arena.processes().size(), 2u);
  for (const ridge_process_record* process : arena.processes()) {
    EXPECT_EQ(process->sampling_begun, 1u);
    EXPECT_NE(process->sampled_traffic, 0u);
    EXPECT_NE(process->pilot, 0u);
  }
  EXPECT_NE(arena.processes()[0]->pilot, arena.processes()[1]->pilot);
}

TEST(Runtime, TrafficThatCannotBeSimulatedIsSaid) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  const Ended ended = run(arena, "count");
  EXPECT_TRUE(ended.exited(0));
  EXPECT_EQ(ended.errors.rfind("ridge: no traffic for this process", 0), 0u) << ended.errors;
  expect_plain_counts(arena);
  EXPECT_EQ(arena.processes()[0]->traffic, 0u);
}

TEST(Runtime, NeedsNothingButTheCLibrary) {
  const std::string command = std::string("readelf -d ") + RIDGE_TEST_RUNTIME;
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    text += buffer.data();
  }
  pclose(pipe);
  EXPECT_NE(text.find("libc.so.6"), std::string::npos) << text;
  EXPECT_EQ(text.find("libstdc++"), std::string::npos) << text;
  EXPECT_NE(text.find("NODELETE"), std::string::npos) << text;
}

}  // namespace
}  // namespace ridge::runtime_testing
