// The plugin as a whole: what programs compiled with it count, against closed forms.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abi/descriptor.h"
#include "instrument/llvm_pass/pass_fixture.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::pass_test {
namespace {

constexpr uint64_t kN = 1003;
constexpr uint64_t kRows = 37;
constexpr uint64_t kColumns = 53;
constexpr uint64_t kCube = 19;
constexpr uint64_t kMatrix = 23;
constexpr uint64_t kNonZeros = kRows * 7;
constexpr uint64_t kPoints2d = (kRows - 2) * (kColumns - 2);
constexpr uint64_t kPoints3d = (kCube - 2) * (kCube - 2) * (kCube - 2);
constexpr uint64_t kButterflies = 256 / 2 * 8;

struct Expected {
  const char* function;
  uint64_t flops;
  uint64_t loaded;
  uint64_t stored;
};

const std::vector<Expected>& closed_forms() {
  static const std::vector<Expected> forms = {
      {"triad", 2 * kN, 16 * kN, 8 * kN},
      {"daxpy", 2 * kN, 16 * kN, 8 * kN},
      {"dot", 2 * kN, 16 * kN, 0},
      {"jacobi", 4 * kPoints2d, 32 * kPoints2d, 8 * kPoints2d},
      {"seven_point", 8 * kPoints3d, 56 * kPoints3d, 8 * kPoints3d},
      {"gemm", 2 * kMatrix * kMatrix * kMatrix, 16 * kMatrix * kMatrix * kMatrix,
       8 * kMatrix * kMatrix},
      {"spmv", 2 * kNonZeros, 20 * kNonZeros + 8 * kRows, 8 * kRows},
      {"fft", 10 * kButterflies, 48 * kButterflies, 32 * kButterflies},
      {"scale_float", 3 * kN, 4 * kN, 4 * kN},
      {"parallel_scale", kN, 8 * kN, 8 * kN},
  };
  return forms;
}

void expect_trace_equals_bytes(const Counts& run) {
  std::map<uint64_t, std::array<uint64_t, 2>> counted;
  for (const Sum& sum : run.sums) {
    if (sum.quantity == RIDGE_BYTES_LOADED) counted[sum.region][0] += sum.value;
    if (sum.quantity == RIDGE_BYTES_STORED) counted[sum.region][1] += sum.value;
  }
  for (const auto& [id, region] : run.regions) {
    EXPECT_EQ(counted[id][0], region.bytes_traced[0]) << region.name << ":" << region.line;
    EXPECT_EQ(counted[id][1], region.bytes_traced[1]) << region.name << ":" << region.line;
  }
}

class Kernels : public testing::TestWithParam<std::string> {};

TEST_P(Kernels, FlopsEqualClosedForms) {
  const std::string flags = GetParam();
  if (!runs_here(flags)) GTEST_SKIP() << "this CPU does not run " << flags;
  const Program program("kernels.c", flags);
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  EXPECT_EQ(run.output, program.run_plain().output);
  EXPECT_EQ(run.final_depth, 1u);
  EXPECT_THAT(run.errors, testing::IsEmpty());
  for (const Expected& expected : closed_forms()) {
    EXPECT_EQ(run.total(expected.function, RIDGE_FLOPS), expected.flops) << expected.function;
  }
  const uint64_t threads = flags.find("-fopenmp") == std::string::npos ? 0 : 2;
  EXPECT_EQ(run.total("parallel_sum", RIDGE_FLOPS), kN + threads);
}

TEST_P(Kernels, TraceHoldsEveryByteThatIsCounted) {
  const std::string flags = GetParam();
  if (!runs_here(flags)) GTEST_SKIP() << "this CPU does not run " << flags;
  const Program program("kernels.c", flags);
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run_traffic();
  EXPECT_EQ(run.output, program.run_plain().output);
  expect_trace_equals_bytes(run);
  EXPECT_GT(run.total("", RIDGE_BYTES_LOADED), 0u);
}

TEST_P(Kernels, EarlyTripCountsChangeNoWork) {
  const std::string flags = GetParam();
  if (!runs_here(flags)) GTEST_SKIP() << "this CPU does not run " << flags;
  // Without debug information the early part leaves nothing behind.
  const Program with_early("kernels.c", flags);
  const Program late_only("kernels.c", flags + " -g0 -DRIDGE_NO_LOCATIONS");
  ASSERT_EQ(with_early.error() + late_only.error(), "");
  const Counts both = with_early.run();
  const Counts late = late_only.run();
  for (const Expected& expected : closed_forms()) {
    for (uint32_t quantity :
         {RIDGE_FLOPS, RIDGE_OTHER_OPS, RIDGE_INT_OPS, RIDGE_BYTES_LOADED, RIDGE_BYTES_STORED}) {
      EXPECT_EQ(both.total(expected.function, quantity), late.total(expected.function, quantity))
          << expected.function << " " << quantity;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Kernels,
                         testing::Values("-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -march=x86-64-v3",
                                         "-O3 -march=native", "-O3 -march=native -fopenmp",
                                         "-O0 -fopenmp", "-O2 -g -fopenmp"));

TEST(Bytes, EqualClosedFormsAtO1) {
  const Program program("kernels.c", "-O1");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  for (const Expected& expected : closed_forms()) {
    EXPECT_EQ(run.total(expected.function, RIDGE_BYTES_LOADED), expected.loaded)
        << expected.function;
    EXPECT_EQ(run.total(expected.function, RIDGE_BYTES_STORED), expected.stored)
        << expected.function;
  }
}

TEST(Iterations, AreThoseOfTheSourceHoweverLoopsWereTransformed) {
  for (const char* flags : {"-O1", "-O2", "-O3 -march=native"}) {
    const Program program("kernels.c", flags);
    ASSERT_EQ(program.error(), "");
    const Counts run = program.run();
    EXPECT_EQ(run.total("triad", RIDGE_ITERATIONS), kN) << flags;
    EXPECT_EQ(run.total("dot", RIDGE_ITERATIONS), kN) << flags;
    EXPECT_EQ(run.total("dot", RIDGE_HEADER_EXECUTIONS), 0u) << flags;
    EXPECT_EQ(run.at_depth("triad", 1, RIDGE_ENTRIES), 1u) << flags;
    EXPECT_EQ(run.at_depth("gemm", 3, RIDGE_ITERATIONS), kMatrix * kMatrix * kMatrix) << flags;
    EXPECT_EQ(run.at_depth("gemm", 3, RIDGE_ENTRIES), kMatrix * kMatrix) << flags;
    EXPECT_EQ(run.at_depth("spmv", 2, RIDGE_ITERATIONS), kNonZeros) << flags;
    EXPECT_EQ(run.at_depth("jacobi", 2, RIDGE_ITERATIONS), kPoints2d) << flags;
    // Left early: the trip count is not known before the loop runs.
    EXPECT_EQ(run.at_depth("find_first", 1, RIDGE_ITERATIONS), 0u) << flags;
  }
}

TEST(Iterations, ShortestAndLongestAreToldInTrafficMode) {
  for (const char* flags : {"-O1", "-O2", "-O3 -march=native"}) {
    const Program program("kernels.c", flags);
    ASSERT_EQ(program.error(), "");
    EXPECT_TRUE(program.run().trips.empty()) << flags;
    const Counts run = program.run_traffic();
    const auto at = [&](const char* function, unsigned depth) {
      const auto trips = run.trips_at(function, depth).value_or(Trips{});
      return std::pair(trips.shortest, trips.longest);
    };
    EXPECT_EQ(at("triad", 1), std::pair(kN, kN)) << flags;
    EXPECT_EQ(at("gemm", 3), std::pair(kMatrix, kMatrix)) << flags;
    EXPECT_EQ(at("spmv", 2), std::pair(uint64_t{7}, uint64_t{7})) << flags;
    EXPECT_EQ(at("fft", 3), std::pair(uint64_t{1}, uint64_t{128})) << flags;
    EXPECT_FALSE(run.trips_at("find_first", 1)) << flags;
  }
}

TEST(Regions, OneForEachSourceLoopWithItsPlaceAndParent) {
  const Program program("kernels.c", "-O3 -march=native");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  std::map<std::string, unsigned> loops;
  for (const auto& [id, region] : run.regions) {
    if (region.kind != RIDGE_REGION_LOOP) continue;
    ++loops[region.function];
    EXPECT_GT(region.line, 0u);
    EXPECT_GE(region.parent, 0);
  }
  EXPECT_EQ(loops["triad"], 1u);
  EXPECT_EQ(loops["jacobi"], 2u);
  EXPECT_EQ(loops["gemm"], 3u);
  EXPECT_EQ(loops["fft"], 3u);
  EXPECT_EQ(run.at_depth("triad", 1, RIDGE_FLOPS), 2 * kN) << "vector body and remainder are one";
}

TEST(Regions, KnowTheirLoopWhenUnrollingMovedItsEnd) {
  if (!has_cpu_feature("avx2")) GTEST_SKIP() << "needs avx2";
  const Program program("unrolled.c", "-O3 -march=x86-64-v3 -mtune=znver4");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  for (const auto& [id, region] : run.regions) {
    if (region.kind == RIDGE_REGION_LOOP) {
      EXPECT_GT(region.line, 0u) << region.function;
    }
  }
  EXPECT_EQ(run.at_depth("sweep", 2, RIDGE_FLOPS), 5u * 248 * 248);
}

TEST(Target, OtherThanX86IsRefused) {
  const tests::TemporaryFolder folder;
  const std::string source = folder.write("a.c", "int main(void) { return 0; }\n");
  for (const char* target : {"aarch64-linux-gnu", "i386-linux-gnu", "x86_64-linux-gnux32"}) {
    const std::string log = folder.path("log");
    const std::string command = std::string(RIDGE_TEST_CLANG) + " --target=" + target +
                                " -fpass-plugin=" + RIDGE_TEST_PLUGIN + " -c " + source + " -o " +
                                folder.path("a.o").string() + " 2>" + log;
    EXPECT_NE(std::system(command.c_str()), 0) << target;
    std::ifstream file(log);
    const std::string said{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(said, testing::HasSubstr("Ridge counts code for x86-64 Linux only")) << target;
  }
}

TEST(Widths, AreThoseOfTheRegisters) {
  if (!has_cpu_feature("avx2")) GTEST_SKIP() << "needs avx2";
  const Program program("kernels.c", "-O3 -march=x86-64-v3");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  uint64_t wide = 0;
  for (const Sum& sum : run.sums) {
    if (sum.quantity != RIDGE_FLOPS) continue;
    EXPECT_LE(sum.width_bits, 256u);
    if (run.regions.at(sum.region).function == "triad" && sum.width_bits == 256) wide += sum.value;
  }
  EXPECT_GE(wide, 2 * (kN - 16));
}

TEST(FastMath, AddsNothingButTheTermsOfReductions) {
  const Program program("kernels.c", "-O3 -march=native -ffast-math");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  EXPECT_EQ(run.total("triad", RIDGE_FLOPS), 2 * kN);
  EXPECT_GE(run.total("dot", RIDGE_FLOPS), 2 * kN);
  EXPECT_LE(run.total("dot", RIDGE_FLOPS), 2 * kN + 64);
}

TEST(OpenMp, OutlinedBodiesCarryTheirFunctionAndWaitsARegion) {
  const Program program("kernels.c", "-O2 -fopenmp");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  bool waits = false;
  for (const auto& [id, region] : run.regions) {
    EXPECT_EQ(region.function.find(".omp"), std::string::npos);
    EXPECT_EQ(region.name.find(".omp"), std::string::npos);
    waits |= region.kind == RIDGE_REGION_OMP_WAIT && region.name == "__kmpc_fork_call";
  }
  EXPECT_TRUE(waits);
  EXPECT_EQ(run.total("parallel_scale", RIDGE_ITERATIONS), kN) << "over both threads";
}

/// Occurrences of instructions that start with one of `mnemonics` in a function of a disassembly.
unsigned count_instructions(const std::string& disassembly, const std::string& function,
                            const std::vector<std::string>& mnemonics) {
  size_t begin = disassembly.find("<" + function + ">:");
  const size_t end = disassembly.find("\n\n", begin);
  unsigned count = 0;
  for (; begin < end; begin = disassembly.find('\n', begin + 1)) {
    const size_t tab = disassembly.find('\t', begin + 1);
    if (tab >= end) break;
    for (const std::string& mnemonic : mnemonics) {
      count += disassembly.compare(tab + 1, mnemonic.size(), mnemonic) == 0;
    }
  }
  return count;
}

class Kinds : public testing::TestWithParam<std::string> {};

TEST_P(Kinds, AreWhatTheBackendEmits) {
  if (!runs_here(GetParam())) GTEST_SKIP() << "this CPU does not run " << GetParam();
  const Program program("kinds.c", GetParam());
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  const std::string disassembly = program.disassembly();
  for (int i = 0; i <= 14; ++i) {
    if (i == 12) continue;  // vectorised: operations are not instructions
    const std::string function = "f" + std::to_string(i);
    const auto emitted = [&](std::vector<std::string> mnemonics) {
      return count_instructions(disassembly, function, mnemonics);
    };
    EXPECT_EQ(run.flops(function, RIDGE_FMA),
              2 * emitted({"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"}))
        << function;
    EXPECT_EQ(run.flops(function, RIDGE_MUL), emitted({"vmuls", "muls"})) << function;
    EXPECT_EQ(run.flops(function, RIDGE_ADD), emitted({"vadds", "vsubs", "adds", "subs"}))
        << function;
    EXPECT_EQ(run.flops(function, RIDGE_DIV), emitted({"vdivs", "divs"})) << function;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Contraction, Kinds,
    testing::Values("-O2 -fno-slp-vectorize -march=x86-64-v3",
                    "-O2 -fno-slp-vectorize -march=x86-64-v3 -ffp-contract=off",
                    "-O2 -fno-slp-vectorize -march=x86-64-v3 -ffp-contract=fast",
                    "-O2 -fno-slp-vectorize -march=x86-64-v3 -ffast-math",
                    "-O0 -march=x86-64-v3 -ffp-contract=fast"));

class ControlFlow : public testing::TestWithParam<std::string> {};

TEST_P(ControlFlow, BehavesAsWithoutThePluginAndCountsExactly) {
  const Program program("control_flow.cpp", GetParam());
  ASSERT_EQ(program.error(), "");
  const Counts plain = program.run_plain();
  const Counts run = program.run();
  const Counts traffic = program.run_traffic();
  EXPECT_EQ(run.status, plain.status);
  EXPECT_EQ(run.output, plain.output);
  EXPECT_EQ(traffic.status, plain.status);
  EXPECT_EQ(traffic.output, plain.output);
  expect_trace_equals_bytes(traffic);
  EXPECT_EQ(run.total("", RIDGE_FLOPS), traffic.total("", RIDGE_FLOPS));
  EXPECT_EQ(run.final_depth, 2u) << "exit() from main: its frame is the only one";

  EXPECT_EQ(run.total("_Z3excPdi", RIDGE_FLOPS), 100u) << "caught in the loop";
  EXPECT_EQ(run.total("_Z11exc_throughPdi", RIDGE_FLOPS), 7u) << "leaves the loop by unwinding";
  EXPECT_EQ(run.total("_Z2sjv", RIDGE_FLOPS), 7u) << "setjmp returned five times more";
  EXPECT_EQ(run.total("_Z6jumperi", RIDGE_FLOPS), 20u) << "left by longjmp";
  EXPECT_EQ(run.total("_Z3fibi", RIDGE_FLOPS), 232u);
  EXPECT_EQ(run.total("_Z6interpPKhd", RIDGE_FLOPS), 20u) << "computed goto";
  EXPECT_EQ(run.named("_Z4libmPdi", "sin"), 20u);
  EXPECT_EQ(run.total("_Z4libmPdi", RIDGE_FLOPS), 20u * 6);
  EXPECT_GE(run.named("main", "inline assembly"), 1u);
  EXPECT_EQ(run.named("_Z3x87e", "x87 arithmetic"), 2u);
  EXPECT_EQ(run.named("main", "atomicrmw") +
                run.named("_ZNSt13__atomic_baseIiE9fetch_addEiSt12memory_order", "atomicrmw"),
            10u);
}

INSTANTIATE_TEST_SUITE_P(Levels, ControlFlow,
                         testing::Values("-O0", "-O1", "-O2", "-O3 -march=native",
                                         "-O3 -march=native -fPIC -g",
                                         "-O2 -fno-plt -fcf-protection"));

TEST(Masks, OnlyActiveLanesCount) {
  const std::string flags = "-O3 -march=x86-64-v4 -mprefer-vector-width=512 -fno-unroll-loops";
  if (!runs_here(flags)) GTEST_SKIP() << "this CPU does not run " << flags;
  const Program program("masked.c", flags);
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  EXPECT_EQ(run.output, program.run_plain().output);
  const Counts traffic = program.run_traffic();
  EXPECT_EQ(traffic.output, run.output);
  expect_trace_equals_bytes(traffic);
  struct Row {
    const char* function;
    uint64_t flops, loaded, stored;
  };
  constexpr uint64_t n = 1000, active = 334;
  for (const Row& row :
       std::initializer_list<Row>{{"if_in_loop", 0, 4 * n + 8 * active, 8 * active},
                                  {"gathered", n, 12 * n, 8 * n},
                                  {"mask_load", 0, 24, 0},
                                  {"mask_store", 0, 0, 24},
                                  {"compress", 0, 0, 24},
                                  {"expand", 0, 24, 0},
                                  {"avx_mask_load", 0, 16, 0},
                                  {"avx_gather", 0, 16, 0},
                                  {"gather512", 0, 24, 0},
                                  {"scatter512", 0, 0, 24},
                                  {"rounded", 24, 0, 0},
                                  {"masked_scalar", 1, 0, 0},
                                  {"known_mask", 1, 0, 0},
                                  {"selected", 8, 0, 0},
                                  {"not_selected", 8, 0, 0},
                                  {"dot", 5, 0, 0},
                                  {"horizontal", 4, 0, 0},
                                  {"streamed", 0, 0, 64}}) {
    EXPECT_EQ(run.total(row.function, RIDGE_FLOPS), row.flops) << row.function;
    EXPECT_EQ(run.total(row.function, RIDGE_BYTES_LOADED), row.loaded) << row.function;
    EXPECT_EQ(run.total(row.function, RIDGE_BYTES_STORED), row.stored) << row.function;
  }
  EXPECT_EQ(run.total("streamed", RIDGE_BYTES_NON_TEMPORAL), 64u);
  // Lanes 0, 2 and 4; and the others.
  EXPECT_EQ(run.total("selected", RIDGE_SELECTED_FLOPS), 3u);
  EXPECT_EQ(run.total("not_selected", RIDGE_SELECTED_FLOPS), 5u);
  EXPECT_EQ(run.total("rounded", RIDGE_SELECTED_FLOPS), 0u);
  EXPECT_EQ(run.total("", RIDGE_OPAQUE), 1u) << "only printf is not known";
}

TEST(Size, TenThousandLoopsSimplyWork) {
  constexpr int kInOneFunction = 2000;
  constexpr int kFunctions = 400;
  constexpr int kLoopsEach = 20;
  std::string text;
  const auto add_function = [&](const std::string& name, int loops) {
    text += "void " + name + "(double* a, int n) {\n";
    for (int i = 0; i < loops; ++i) text += "for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;\n";
    text += "}\n";
  };
  add_function("large", kInOneFunction);
  for (int i = 0; i < kFunctions; ++i) add_function("f" + std::to_string(i), kLoopsEach);
  text += "static double x[3];\nint main() { large(x, 3); f0(x, 2); f399(x, 1); return 0; }\n";
  const tests::TemporaryFolder folder;
  const Program program(folder.write("many.c", text), "-O0");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  EXPECT_EQ(run.total("", RIDGE_FLOPS), 2u * (3 * kInOneFunction + 3 * kLoopsEach));
  EXPECT_EQ(std::count_if(run.regions.begin(), run.regions.end(),
                          [](const auto& entry) { return entry.second.kind == RIDGE_REGION_LOOP; }),
            kInOneFunction + kFunctions * kLoopsEach);
}

class Register : public testing::TestWithParam<std::string> {};

TEST_P(Register, NamesTheLoopThatRuns) {
  // What is peeled or unrolled away runs, and is shown, as part of the enclosing loop.
  const Program program("register.cpp", GetParam() + " -fno-unroll-loops");
  ASSERT_EQ(program.error(), "");
  const Counts run = program.run();
  EXPECT_EQ(run.output, program.run_plain().output);
  EXPECT_EQ(run.final_depth, 1u);
  ASSERT_GT(run.probes.size(), 10000u);
  uint64_t wrong = 0;
  for (const Probe& probe : run.probes) {
    ASSERT_TRUE(run.regions.contains(probe.region)) << probe.region;
    const Region& call = run.regions.at(probe.region);
    // In the frames beyond the capacity of the stack, callers show the region of their callee.
    if (call.kind != RIDGE_REGION_CALL || call.name != "probe") {
      ++wrong;
      continue;
    }
    const Region& caller = run.regions.at(static_cast<uint64_t>(call.parent));
    EXPECT_EQ(caller.kind == RIDGE_REGION_LOOP ? caller.line : 0, probe.line) << caller.name;
  }
  EXPECT_EQ(wrong, 0u);
}

INSTANTIATE_TEST_SUITE_P(Levels, Register,
                         testing::Values("-O0", "-O1", "-O2", "-O3 -march=native"));

}  // namespace
}  // namespace ridge::pass_test
