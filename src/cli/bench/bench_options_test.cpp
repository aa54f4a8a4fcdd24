#include "cli/bench/bench_options.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

BenchOptions parsed(const std::vector<std::string>& arguments) {
  BenchOptions options;
  const auto outcome = parse_bench_options(arguments, options);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return options;
}

TEST(BenchOptions, EffortIsStandardUnlessAskedFor) {
  EXPECT_EQ(parsed({}).effort(), bench::Effort::standard);
  EXPECT_EQ(parsed({"--quick"}).effort(), bench::Effort::quick);
  EXPECT_EQ(parsed({"--full"}).effort(), bench::Effort::full);
}

TEST(BenchOptions, WaitsForOthersAsLongAsTheEffortIsWorthUnlessToldOtherwise) {
  EXPECT_EQ(parsed({"--quick"}).quiet_limit(), Seconds{10.0});
  EXPECT_EQ(parsed({"--full"}).quiet_limit(), Seconds{60.0});
  EXPECT_EQ(parsed({"--full", "--wait", "0"}).quiet_limit(), Seconds{0.0});
}

TEST(BenchOptions, WordsOfOnlyStandBetweenCommas) {
  EXPECT_EQ(parsed({"--only", "fp64,L1,fma+add"}).only,
            (std::vector<std::string>{"fp64", "L1", "fma+add"}));
  EXPECT_EQ(parsed({"--only=roof"}).only, std::vector<std::string>{"roof"});
}

TEST(BenchOptions, SamplesLieBesideTheOutput) {
  EXPECT_FALSE(parsed({}).samples_file());
  EXPECT_EQ(parsed({"--raw"}).samples_file(), fs::path("ridge.samples.jsonl"));
  EXPECT_EQ(parsed({"--raw", "-o", "a/m.json"}).samples_file(), fs::path("a/m.json.samples.jsonl"));
}

TEST(BenchOptions, ContradictionsAreRefused) {
  for (const auto& words : {std::vector<std::string>{"--quick", "--full"},
                            std::vector<std::string>{"--json", "--table"}}) {
    const auto fine = check_bench_options(parsed(words));
    ASSERT_FALSE(fine);
    EXPECT_EQ(fine.error().code, ErrorCode::usage);
  }
}

TEST(BenchOptions, FilesAreCheckedBeforeAnythingIsMeasured) {
  const tests::TemporaryFolder temporary;
  const fs::path missing = temporary.path("missing") / "m.json";
  const auto nowhere = check_bench_options(parsed({"-o", missing.string()}));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::write_failed);
  EXPECT_FALSE(fs::exists(missing.parent_path())) << "no folder is made";
  const fs::path folder = temporary.path("there");
  fs::create_directory(folder);
  const fs::path file = folder / "m.json";
  EXPECT_TRUE(check_bench_options(parsed({"-o", file.string()})));
  EXPECT_TRUE(fs::is_empty(folder)) << "nothing is left behind";
  std::ofstream(file) << "x";
  const auto exists = check_bench_options(parsed({"-o", file.string()}));
  ASSERT_FALSE(exists);
  EXPECT_EQ(exists.error().code, ErrorCode::usage);
  EXPECT_TRUE(check_bench_options(parsed({"--force", "-o", file.string()})));
  // Neither a folder nor something below a file can be written to, whoever asks.
  for (const fs::path& wrong : {folder, file / "m.json"}) {
    const auto refused = check_bench_options(parsed({"--force", "-o", wrong.string()}));
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::write_failed) << wrong;
    EXPECT_FALSE(refused.error().hint.empty());
  }
}

}  // namespace
}  // namespace ridge::cli
