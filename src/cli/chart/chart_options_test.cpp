#include "cli/chart/chart_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<ChartWords> words_of(const std::vector<std::string>& arguments) {
  return parse_chart_options(arguments).and_then(
      [](const std::optional<ChartOptions>& options) { return chart_words(*options); });
}

TEST(ChartOptions, KernelsMayStandWithCommasOrRepeated) {
  const auto options = parse_chart_options(
      {"--kernel", "gemm n=500,triad n=1e6", "--kernel", "scal n=9", "--machine", "a=1,b"});
  ASSERT_TRUE(options);
  EXPECT_THAT((*options)->kernels, ElementsAre("gemm n=500", "triad n=1e6", "scal n=9"));
  EXPECT_THAT((*options)->own_machines, ElementsAre("a=1,b"));
}

TEST(ChartOptions, WordsAreRead) {
  const auto words = words_of({"--ceilings", "no-fma,one-core", "--levels", "L2,DRAM", "--isa",
                               "avx2", "--axes", "log2", "--basis", "sustained"});
  ASSERT_TRUE(words);
  EXPECT_TRUE(words->no_fma && words->one_core && words->powers_of_two);
  EXPECT_FALSE(words->no_simd);
  EXPECT_THAT(words->levels, ElementsAre(Level::L2, Level::DRAM));
  EXPECT_THAT(words->isas, ElementsAre(Isa::avx2));
  EXPECT_EQ(words->basis, Basis::sustained);
  EXPECT_FALSE(words->memory_only);
  EXPECT_EQ(words_of({"--levels", "memory"})->memory_only, true);
  EXPECT_TRUE(words_of({"--ceilings", "all"})->no_simd);
}

TEST(ChartOptions, WordsThatThereAreNotAreRefused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--ceilings", "simd"},
                                                    {"--levels", "L9"},
                                                    {"--levels", "all,L2"},
                                                    {"--isa", "mmx"},
                                                    {"--isa", "amx"},
                                                    {"--axes", "linear"},
                                                    {"--precision", "fp65"},
                                                    {"--precision", "int8"},
                                                    {"--basis", "peak"},
                                                    {"--pipes", "tensor"}}) {
    const auto words = words_of(arguments);
    ASSERT_FALSE(words) << arguments[1];
    EXPECT_EQ(words.error().code, ErrorCode::usage);
    EXPECT_THAT(words.error().message, HasSubstr(arguments[0]));
    EXPECT_FALSE(words.error().hint.empty());
  }
  EXPECT_FALSE(parse_chart_options({"--only", "1"})) << "of no result";
}

}  // namespace
}  // namespace ridge::cli
