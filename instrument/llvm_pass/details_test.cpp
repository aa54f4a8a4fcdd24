// What the plugin says about how work is done: patterns of accesses, chains, reasons of the
// vectoriser. Counts are those of the accesses themselves: closed forms.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abi/descriptor.h"
#include "instrument/llvm_pass/pass_fixture.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::pass_test {
namespace {

constexpr uint64_t kN = 1003;

/// Pattern, stride -> bytes, of the loads or stores in a function.
using Patterns = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;
Patterns patterns(const Counts& run, const std::string& function, bool write) {
  Patterns found;
  for (const Sum& sum : run.sums) {
    if (run.regions.at(sum.region).function == function && sum.quantity == RIDGE_BYTES_BY_PATTERN &&
        sum.operation == (write ? 1U : 0U)) {
      found[{sum.precision, sum.width_bits}] += sum.value;
    }
  }
  return found;
}

/// Operation, reduction -> operations.
using Chain = std::map<std::pair<uint32_t, bool>, uint64_t>;
Chain chain(const Counts& run, const std::string& function) {
  Chain found;
  for (const Sum& sum : run.sums) {
    if (run.regions.at(sum.region).function == function && sum.quantity == RIDGE_CHAIN_OPS) {
      found[{sum.operation, sum.width_bits != 0}] += sum.value;
    }
  }
  return found;
}

class Details : public testing::TestWithParam<std::string> {
 protected:
  Details() : program_("patterns.c", GetParam()) {}

  Counts run() const {
    EXPECT_EQ(program_.error(), "");
    Counts counts = program_.run();
    EXPECT_EQ(counts.output, program_.run_plain().output);
    return counts;
  }

  Program program_;
};

TEST_P(Details, PatternsOfLoads) {
  const Counts counts = run();
  const Patterns unit{{{RIDGE_PATTERN_UNIT, 0}, 8 * kN}};
  EXPECT_EQ(patterns(counts, "triad", false), (Patterns{{{RIDGE_PATTERN_UNIT, 0}, 16 * kN}}));
  EXPECT_EQ(patterns(counts, "column", false), (Patterns{{{RIDGE_PATTERN_CONSTANT, 0}, 8 * kN}}));
  EXPECT_EQ(patterns(counts, "all_fields", false), (Patterns{{{RIDGE_PATTERN_UNIT, 0}, 24 * kN}}));
  EXPECT_EQ(patterns(counts, "indirect", false),
            (Patterns{{{RIDGE_PATTERN_UNIT, 0}, 4 * kN}, {{RIDGE_PATTERN_INDIRECT, 0}, 8 * kN}}));
  EXPECT_EQ(patterns(counts, "same_place", false), unit);
  EXPECT_EQ(patterns(counts, "same_place", true),
            (Patterns{{{RIDGE_PATTERN_INVARIANT, 0}, 8 * kN}}));
}

TEST_P(Details, ConstantStrides) {
  const Counts counts = run();
  for (const auto& [function, stride] : {std::pair{"every_fifth", 40U}, {"one_field", 24U}}) {
    const Patterns found = patterns(counts, function, false);
    ASSERT_EQ(found.size(), 1U) << function;
    // Wide loads with gaps, of which shuffles take a part, load the gaps too.
    EXPECT_EQ(found.begin()->first, std::pair(unsigned{RIDGE_PATTERN_CONSTANT}, stride))
        << function;
    EXPECT_GE(found.begin()->second, 8 * kN) << function;
  }
}

TEST_P(Details, EveryByteInALoopHasOnePattern) {
  const Counts counts = run();
  for (const char* function : {"triad", "update", "column", "one_field", "indirect", "chase"}) {
    uint64_t known = 0;
    for (const bool write : {false, true}) {
      for (const auto& [key, bytes] : patterns(counts, function, write)) known += bytes;
    }
    const uint64_t all =
        counts.total(function, RIDGE_BYTES_LOADED) + counts.total(function, RIDGE_BYTES_STORED);
    EXPECT_LE(known, all) << function;
    EXPECT_GE(known + 64 * 8, all) << function;  // remainders that are no loop any more
  }
}

TEST_P(Details, OverwritingIsToldFromUpdating) {
  const Counts counts = run();
  EXPECT_EQ(counts.total("triad", RIDGE_BYTES_OVERWRITTEN), 8 * kN);
  EXPECT_EQ(counts.total("update", RIDGE_BYTES_OVERWRITTEN), 0U);
  EXPECT_EQ(counts.total("same_place", RIDGE_BYTES_OVERWRITTEN), 0U);
}

TEST_P(Details, ProductsAndSumsThatOneFmaCouldDo) {
  const Counts counts = run();
  const bool fuses = GetParam().find("native") != std::string::npos && has_cpu_feature("fma");
  EXPECT_EQ(counts.total("triad", RIDGE_FUSIBLE_FLOPS), fuses ? 0 : 2 * kN);
  EXPECT_EQ(counts.total("all_fields", RIDGE_FUSIBLE_FLOPS), 0U);
  EXPECT_EQ(counts.total("divisions", RIDGE_FUSIBLE_FLOPS), 0U);
}

TEST_P(Details, ALoopOverAddressesUpToAnEnd) {
  const Counts counts = run();
  EXPECT_EQ(counts.total("to_the_end", RIDGE_BYTES_LOADED), 8 * kN);
  EXPECT_EQ(counts.flops("to_the_end", RIDGE_ADD), kN);
}

TEST_P(Details, LocalsThatStandOnTheFrame) {
  const Counts counts = run();
  for (const bool write : {false, true}) {
    const auto bytes = [&](const std::string& function) {
      uint64_t sum = 0;
      for (const Sum& one : counts.sums) {
        const bool counts_it = counts.regions.at(one.region).function == function &&
                               one.quantity == RIDGE_BYTES_ON_FRAME &&
                               one.operation == (write ? 1U : 0U);
        sum += counts_it ? one.value : 0;
      }
      return sum;
    };
    EXPECT_EQ(bytes("on_frame"), 8 * (kN + 1));  // set to 0 once, read at the end once
    EXPECT_EQ(bytes("same_place"), 0U);          // somewhere else
    EXPECT_EQ(bytes("triad"), 0U);
  }
}

TEST_P(Details, Chains) {
  const Counts counts = run();
  EXPECT_EQ(chain(counts, "sum"), (Chain{{{RIDGE_ADD, true}, kN}}));
  EXPECT_EQ(chain(counts, "divisions"), (Chain{{{RIDGE_DIV, false}, kN}}));
  const Chain fused{{{RIDGE_FMA, false}, kN}};
  const Chain apart{{{RIDGE_MUL, false}, kN}, {{RIDGE_ADD, false}, kN}};
  EXPECT_THAT(chain(counts, "recurrence"), testing::AnyOf(fused, apart));
  EXPECT_EQ(chain(counts, "triad"), Chain{});
  EXPECT_EQ(chain(counts, "restarted"), Chain{});
  const Chain chased = chain(counts, "chase");
  EXPECT_EQ(chased.at({RIDGE_CHAIN_LOAD, false}), kN);
}

INSTANTIATE_TEST_SUITE_P(Levels, Details,
                         testing::Values("-O1", "-O2", "-O3", "-O3 -march=native"));

std::string remark_source() {
  return R"(
extern double f(double);
void aliased(double* x, int* index, int n) {
  for (int i = 0; i < n; i++)
    x[index[i]] = x[i] + 1.0;
}
void fine(double* restrict x, const double* restrict y, int n) {
  for (int i = 0; i < n; i++)
    x[i] = y[i] + 1.0;
}
double ordered(const double* x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
void calls(double* x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = f(x[i]);
}
)";
}

/// A folder with remark_source() as a.c.
class Remarks : public testing::Test {
 protected:
  Remarks() { temporary_.write("a.c", remark_source()); }

  /// Standard error of a compilation, its status checked.
  std::string compile(const std::string& flags, bool with_plugin) const {
    const std::string plugin =
        with_plugin ? std::string(" -fpass-plugin=") + RIDGE_TEST_PLUGIN : "";
    const std::string command = "cd " + folder_ + " && " + RIDGE_TEST_CLANG +
                                " -gline-tables-only -c a.c -o a.o " + flags + plugin + " 2>log";
    EXPECT_EQ(std::system(command.c_str()), 0) << read("log");
    return read("log");
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  const tests::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

TEST_F(Remarks, ReasonsAreInTheObjectFile) {
  EXPECT_EQ(compile("-O2", true), "");
  const std::string object = read("a.o");
  EXPECT_THAT(object, testing::HasSubstr("cannot prove it is safe to reorder floating-point"));
  EXPECT_THAT(object, testing::HasSubstr("call instruction cannot be vectorized"));
}

TEST_F(Remarks, TheUsersDiagnosticsStayTheSame) {
  for (const std::string flags :
       {"-O2", "-O2 -Rpass=inline", "-O2 -Rpass=loop-vectorize -Rpass-missed=loop-vectorize",
        "-O3 -Rpass-analysis=loop-vectorize '-Rpass-missed=(loop.*|licm|gvn|inline|slp.*)'",
        "-O2 -Rpass-analysis=slp"}) {
    EXPECT_EQ(compile(flags, true), compile(flags, false)) << flags;
  }
}

TEST_F(Remarks, TheRecordOfTheUserStaysTheSame) {
  const std::string flags =
      "-O2 -fsave-optimization-record=yaml -foptimization-record-passes=loop-vectorize "
      "-foptimization-record-file=record.yaml";
  compile(flags, false);
  const std::string plain = read("record.yaml");
  compile(flags, true);
  EXPECT_EQ(read("record.yaml"), plain);
  EXPECT_THAT(plain, testing::HasSubstr("loop-vectorize"));
  EXPECT_THAT(read("a.o"), testing::HasSubstr("call instruction cannot be vectorized"));
}

TEST_F(Remarks, ForcedLoopsWarnAsBefore) {
  std::ofstream(folder_ + "/a.c", std::ios::app) << R"(
void forced(double* x, int* index, int n) {
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; i++)
    x[index[i]] = x[i] + 1.0;
}
)";
  EXPECT_EQ(compile("-O2", true), compile("-O2", false));
  EXPECT_THAT(compile("-O2", true), testing::HasSubstr("loop not vectorized"));
}

}  // namespace
}  // namespace ridge::pass_test
