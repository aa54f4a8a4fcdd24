#include "measure/binary/engines/bolt.hpp"

#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/binary/engines/bolt_patch.hpp"
#include "measure/binary/engines/bolt_programs_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::CountedProgram;

/// What these tests need beside the project; empty: all is there.
std::string missing() {
  for (const char* tool : {"llvm-bolt-19", "gcc", "g++"}) {
    if (!platform::find_program(tool)) {
      return std::string(tool) + " is not installed";
    }
  }
  return tests::bolt_runtime().empty() ? "libridge_bolt_runtime.a is not built" : "";
}

class Bolt : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string what = missing(); !what.empty()) {
      GTEST_SKIP() << what;
    }
  }

  void build_c(std::string_view source, std::vector<std::string> options) {
    options.insert(options.begin(), {"gcc", "-Wl,--emit-relocs"});
    options.emplace_back("-pthread");
    ASSERT_TRUE(program_.build(source, options, ".c"));
  }
  void build_cpp(std::string_view source, std::vector<std::string> options) {
    options.insert(options.begin(), {"g++", "-Wl,--emit-relocs"});
    ASSERT_TRUE(program_.build(source, options));
  }

  CountedProgram program_;
};

class BoltLevels : public Bolt, public testing::WithParamInterface<const char*> {};

constexpr std::string_view kLoops = R"(
#include <stdlib.h>
#define KEEP __attribute__((noipa))
KEEP void triad(double *restrict a, const double *b, const double *c, long n) {
  for (long i = 0; i < n; ++i) a[i] = b[i] + 1.5 * c[i];
}
KEEP double recurrence(double x, int n) {
  for (int i = 0; i < n; ++i) x = x * 0.5 + 1.0;
  return x;
}
KEEP int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
KEEP double choose(int i) {
  switch (i % 6) {
    case 0: return i * 2.0;
    case 1: return i + 3.5;
    case 2: return recurrence(i, 2);
    case 3: return i / 7.0;
    case 4: return i - 1.25;
    default: return 0;
  }
}
static int calls;
int counted(const void *a, const void *b) { ++calls; return compare(a, b); }
int main() {
  enum { N = 1000 };
  double *a = calloc(N, 8), *b = calloc(N, 8), *c = calloc(N, 8);
  for (int k = 0; k < 7; ++k) triad(a, b, c, N);
  double s = 0;
  for (int k = 0; k < 9; ++k) s += recurrence(k, 100);
  for (int k = 0; k < 60; ++k) s += choose(k);
  int v[64];
  for (int i = 0; i < 64; ++i) v[i] = i * 37 % 64;
  qsort(v, 64, sizeof *v, counted);
  qsort(v, 64, sizeof *v, compare);
  return s > 1e9 ? 200 : calls % 199;
}
)";

TEST_P(BoltLevels, CountsLoopsCallbacksAndSwitches) {
  build_c(kLoops, {GetParam(), "-fno-tree-vectorize"});
  ASSERT_EQ(program_.run({}), "");
  ASSERT_EQ(program_.records.size(), 1U);
  EXPECT_TRUE(program_.records[0].complete);
  EXPECT_EQ(program_.records[0].arguments.size(), 1U);
  EXPECT_EQ(program_.entries("triad"), 7U);
  EXPECT_EQ(program_.flops("triad"), 7U * 1000U * 2U);
  EXPECT_EQ(program_.entries("recurrence"), 19U);
  EXPECT_EQ(program_.flops("recurrence"), (9U * 100U + 10U * 2U) * 2U);
  if (!program_.is_uncounted("choose")) {  // BOLT does not read each kind of jump table
    EXPECT_EQ(program_.entries("choose"), 60U);
    EXPECT_EQ(program_.flops("choose"), 40U);  // of six cases four compute
  }
  const std::uint64_t calls = program_.entries("counted");
  EXPECT_EQ(static_cast<int>(calls % 199), program_.status.code.value_or(-1));
  EXPECT_GT(program_.entries("compare"), calls);
}

constexpr std::string_view kLostFrames = R"(
#include <csetjmp>
#include <stdexcept>
#define KEEP extern "C" __attribute__((noipa))
static volatile double sink;
static jmp_buf there;
KEEP double thrower(int i) {
  double x = i * 1.5;
  if (i % 3 == 0) throw std::runtime_error("third");
  return x * x;
}
KEEP double passes(int i) { double y = thrower(i); return y + 2.0; }
KEEP double catches(int i) {
  try { return passes(i) * 3.0; } catch (const std::exception&) { return i + 0.25; }
}
KEEP void jumps(int i) { if (i % 5 == 0) longjmp(there, 1); }
KEEP double jumped_over(int i) { jumps(i); return i * 0.5; }
int main() {
  for (int i = 0; i < 300; ++i) sink = catches(i);
  for (volatile int i = 0; i < 100; i = i + 1) if (setjmp(there) == 0) sink = jumped_over(i);
}
)";

TEST_P(BoltLevels, CountsWhatRunsUpToACallThatDoesNotComeBack) {
  build_cpp(kLostFrames, {GetParam()});
  ASSERT_EQ(program_.run({}), "");
  EXPECT_EQ(program_.entries("thrower"), 300U);
  EXPECT_EQ(program_.flops("thrower"), 300U + 200U);
  EXPECT_EQ(program_.entries("passes"), 300U);
  EXPECT_EQ(program_.flops("passes"), 200U);
  EXPECT_EQ(program_.entries("catches"), 300U);
  EXPECT_EQ(program_.flops("catches") + program_.flops("catches.cold"), 200U + 100U);
  EXPECT_EQ(program_.entries("jumps"), 100U);
  EXPECT_EQ(program_.entries("jumped_over"), 100U);
  EXPECT_EQ(program_.flops("jumped_over"), 80U);
}

INSTANTIATE_TEST_SUITE_P(Levels, BoltLevels, testing::Values("-O0", "-O1", "-O2", "-O3", "-Os"),
                         [](const auto& level) { return std::string(level.param).substr(1); });

constexpr std::string_view kEnds = R"(
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile double sink;
__attribute__((noipa)) void work(void) { sink = sink * 0.5 + 1.0; }
int main(int count, char **arguments) {
  for (int i = 0; i < 50; ++i) work();
  const char *end = arguments[1];
  if (!strcmp(end, "_exit")) _exit(3);
  if (!strcmp(end, "exit")) exit(3);
  if (!strcmp(end, "abort")) abort();
  if (!strcmp(end, "killed")) kill(getpid(), SIGKILL);
  if (!strcmp(end, "terminated")) raise(SIGTERM);
  if (!strcmp(end, "executes")) execl("/proc/self/exe", arguments[0], "_exit", (char *)0);
  if (!strcmp(end, "forks") && fork() == 0) { work(); _exit(0); }
  return count;
}
)";

TEST_F(Bolt, CountsHoweverTheProgramEnds) {
  build_c(kEnds, {"-O2"});
  for (const char* end : {"exit", "_exit", "abort", "killed", "terminated", "returns"}) {
    program_.records.clear();
    std::filesystem::remove_all(std::filesystem::path(program_.program()).parent_path() / "bolt");
    ASSERT_EQ(program_.run({end}), "") << end;
    ASSERT_EQ(program_.records.size(), 1U) << end;
    EXPECT_EQ(program_.entries("work"), 50U) << end;
    EXPECT_EQ(program_.flops("work"), 100U) << end;
    EXPECT_EQ(program_.entries("main"), 1U) << end;
    EXPECT_EQ(program_.records[0].arguments.back(), end);
  }
}

TEST_F(Bolt, ExecutionsOfTheProgramByItselfAreRecordsOfTheirOwn) {
  build_c(kEnds, {"-O2"});
  ASSERT_EQ(program_.run({"executes"}), "");
  ASSERT_EQ(program_.records.size(), 2U);
  EXPECT_EQ(program_.records[0].pid, program_.records[1].pid);
  EXPECT_EQ(program_.entries("work"), 100U);
}

constexpr std::string_view kForks = R"(
#include <sys/wait.h>
#include <unistd.h>
static volatile double sink;
__attribute__((noipa)) void work(void) { sink = sink * 0.5 + 1.0; }
int main() {
  work();
  for (int i = 0; i < 4; ++i)
    if (fork() == 0) {
      for (int k = 0; k < 100000; ++k) work();
      _exit(0);
    }
  while (wait(0) > 0) {}
  work();
}
)";

TEST_F(Bolt, ForksCountIntoTheRecordOfTheirParent) {
  build_c(kForks, {"-O2"});
  ASSERT_EQ(program_.run({}), "");
  ASSERT_EQ(program_.records.size(), 1U);
  EXPECT_EQ(program_.entries("work"), 400002U);
}

constexpr std::string_view kThreads = R"(
#include <pthread.h>
__attribute__((noipa)) double work(double x) { return x * 0.5 + 1.0; }
static void *many(void *result) {
  double x = 0;
  for (int i = 0; i < 200000; ++i) x = work(x);
  *(double *)result = x;
  return 0;
}
int main() {
  pthread_t threads[4];
  double results[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, many, &results[i]);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
}
)";

TEST_F(Bolt, ThreadsLoseNoCounts) {
  build_c(kThreads, {"-O2"});
  ASSERT_EQ(program_.run({}), "");
  EXPECT_EQ(program_.entries("work"), 800000U);
  EXPECT_EQ(program_.flops("work"), 1600000U);
}

TEST_F(Bolt, CountsVectorsOfAvx512) {
  if (__builtin_cpu_supports("avx512f") == 0 || __builtin_cpu_supports("avx512vl") == 0) {
    GTEST_SKIP() << "the CPU has no AVX-512";
  }
  build_c(kLoops, {"-O3", "-march=x86-64-v4", "-mprefer-vector-width=512"});
  ASSERT_EQ(program_.run({}), "");
  EXPECT_EQ(program_.entries("triad"), 7U);
  EXPECT_EQ(program_.flops("triad"), 7U * 1000U * 2U);
}

TEST_F(Bolt, LocalFunctionsOfTheSameNameAreToldApart) {
  const ridge::tests::TemporaryFolder folder;
  const auto other = folder.write("other.c", R"(
static volatile double sink;
__attribute__((noipa)) static void same(void) { sink = sink + 1.0; }
void others(void) { for (int i = 0; i < 30; ++i) same(); }
)");
  build_c(R"(
void others(void);
static volatile double sink;
__attribute__((noipa)) static void same(void) { sink = sink * 2.0 + 1.0; }
int main(void) { for (int i = 0; i < 20; ++i) same(); others(); }
)",
          {"-O1", other.string()});
  ASSERT_EQ(program_.run({}), "");
  EXPECT_FALSE(program_.is_uncounted("same"));
  std::vector<std::uint64_t> counts;
  const MappedFile file(program_.program());
  const auto image = machine_code::ElfImage::read(file.bytes());
  ASSERT_TRUE(image);
  const auto modules =
      executed_modules(program_.records, [&](const std::string&) { return file.bytes(); });
  ASSERT_EQ(modules.size(), 1U);
  for (const auto& symbol : image->function_symbols()) {
    if (symbol.name == "same") {
      counts.push_back(modules[0].executions_at(symbol.address));
    }
  }
  std::sort(counts.begin(), counts.end());
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{20, 30}));
}

TEST_F(Bolt, LocksStayWhereThereMayBeThreads) {
  const auto is_single = [&] {
    const MappedFile file(program_.program());
    const auto image = machine_code::ElfImage::read(file.bytes());
    return image && runs_in_one_thread(*image);
  };
  build_c(kLoops, {"-O2"});
  EXPECT_TRUE(is_single());
  for (const std::string_view source : {kThreads, kForks}) {
    build_c(source, {"-O2"});
    EXPECT_FALSE(is_single());
  }
}

TEST_F(Bolt, RefusesProgramsWithoutRelocations) {
  ASSERT_TRUE(program_.build("int main() {}", {"g++"}));
  const auto able = check_bolt(program_.program());
  ASSERT_FALSE(able);
  EXPECT_EQ(able.error().code, ErrorCode::unavailable);
  EXPECT_NE(able.error().hint.find("--emit-relocs"), std::string::npos);
  EXPECT_FALSE(program_.prepare());
}

TEST_F(Bolt, RefusesStaticPrograms) {
  build_c("int main(void) { return 0; }", {"-O1", "-static"});
  const auto able = check_bolt(program_.program());
  ASSERT_FALSE(able);
  EXPECT_EQ(able.error().code, ErrorCode::unavailable);
}

TEST_F(Bolt, RefusesWhatIsNoProgram) {
  const ridge::tests::TemporaryFolder folder;
  const auto able = check_bolt(folder.write("text", "#!/bin/sh\n"));
  ASSERT_FALSE(able);
  EXPECT_EQ(able.error().code, ErrorCode::bad_input);
}

TEST_F(Bolt, LibrariesBesideTheProgramAreFound) {
  ASSERT_TRUE(program_.build("int main() {}", {"g++", "-Wl,--emit-relocs,--enable-new-dtags",
                                               "-Wl,-rpath,$ORIGIN/libraries:/elsewhere"}));
  const auto prepared = program_.prepare();
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_EQ(prepared->environment.size(), 1U);
  EXPECT_EQ(prepared->environment[0].first, "LD_LIBRARY_PATH");
  const std::string beside =
      std::filesystem::path(program_.program()).parent_path().string() + "/libraries";
  EXPECT_TRUE(prepared->environment[0].second.starts_with(beside));
}

}  // namespace
}  // namespace ridge::measure::binary
