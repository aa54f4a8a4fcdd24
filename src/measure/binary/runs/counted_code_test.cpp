#include "measure/binary/runs/counted_code.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine_code/function_ranges.hpp"
#include "measure/sentences_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::measure::binary {
namespace {

namespace fs = std::filesystem;

/// Libraries that compilers made, one with its debug information elsewhere.
const std::vector<std::string> kFiles{
    "binary/testdata/heat-gfortran.so", "binary/testdata/loops-clang.so",
    "binary/testdata/loops-gcc.so", "binary/testdata/loops-stripped.so",
    "binary/testdata/openmp-gcc.so"};

/// Of files of which every n-th function ran, and a few bytes outside of all functions.
ProgramCode code_that_ran(const std::vector<std::string>& paths, std::size_t every,
                          CodeFiles& files) {
  ProgramCode code;
  for (const std::string& path : paths) {
    const auto functions = machine_code::function_ranges(*files.image(path));
    std::vector<std::uint64_t> sampled{files.image(path)->executable_ranges().front().begin};
    for (std::size_t i = 0; i < functions->size(); i += every) {
      sampled.push_back((*functions)[i].begin + 1);
    }
    std::ranges::sort(sampled);
    CodeModule& module = code.modules.emplace_back();
    module.executed.path = path;
    module.regions = module_regions(files.file(path), {}, sampled);
    module.work.resize(module.regions.regions.size());
  }
  number_regions(code);
  return code;
}

void expect_same_regions(const ModuleRegions& a, const ModuleRegions& b) {
  ASSERT_EQ(a.regions.size(), b.regions.size());
  for (std::size_t i = 0; i < a.regions.size(); ++i) {
    EXPECT_EQ(a.regions[i].name, b.regions[i].name);
    EXPECT_EQ(a.regions[i].identity, b.regions[i].identity);
    EXPECT_EQ(a.regions[i].kind, b.regions[i].kind);
    EXPECT_EQ(a.regions[i].line, b.regions[i].line);
    EXPECT_EQ(a.regions[i].parent, b.regions[i].parent);
    EXPECT_EQ(a.regions[i].ranges, b.regions[i].ranges);
  }
}

TEST(CountedCode, GivesTheSameRegionsToAnotherStart) {
  for (const std::size_t every : {1U, 2U, 3U}) {
    CodeFiles files;
    const ProgramCode first = code_that_ran(kFiles, every, files);
    CodeFiles later;
    const auto second = planned_code(counted_code(first, files), kFiles.front(), later);
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->region_count, first.region_count);
    EXPECT_GT(second->region_count, 5U);
    ASSERT_EQ(second->modules.size(), first.modules.size());
    for (std::size_t i = 0; i < first.modules.size(); ++i) {
      SCOPED_TRACE(kFiles[i]);
      EXPECT_EQ(second->modules[i].executed.path, kFiles[i]);
      EXPECT_EQ(second->modules[i].work.size(), first.modules[i].regions.regions.size());
      expect_same_regions(first.modules[i].regions, second->modules[i].regions);
    }
    EXPECT_EQ(second->parents, first.parents);
    EXPECT_EQ(second->stands_for, first.stands_for);
  }
}

TEST(CountedCode, HasNoCodeWithoutAFile) {
  CodeFiles files;
  ProgramCode code = code_that_ran({kFiles[1]}, 1, files);
  code.modules.emplace_back().made = "function of a runtime";
  code.modules.emplace_back().executed.path = "/nowhere/at/all";
  const CountedCode counted = counted_code(code, files);
  ASSERT_EQ(counted.files.size(), 1U);
  EXPECT_EQ(counted.files[0].path, kFiles[1]);
  EXPECT_FALSE(counted.files[0].identity.empty());
  EXPECT_FALSE(counted.ridge_version.empty());
}

/// A copy of a library that may be changed.
class Copy {
 public:
  Copy() {
    std::ifstream stream(kFiles[1], std::ios::binary);
    bytes_ = {std::istreambuf_iterator<char>(stream), {}};
    write();
  }
  [[nodiscard]] std::string path() const { return (folder_.path() / "program").string(); }
  void without_build_id() {
    const std::string name("GNU\0", 4);
    for (auto at = bytes_.find(name); at != std::string::npos; at = bytes_.find(name, at + 1)) {
      bytes_[at] = 'X';
    }
    write();
  }
  void change_code() {
    CodeFiles files;
    const auto range = files.image(path())->executable_ranges().back();
    bytes_[*files.image(path())->file_offset(range.begin)] ^= 1;
    write();
  }
  void change_build_id() {
    bytes_[bytes_.find(std::string("GNU\0", 4)) + 4] ^= 1;
    write();
  }

 private:
  void write() const { std::ofstream(path(), std::ios::binary) << bytes_; }

  tests::TemporaryFolder folder_;
  std::string bytes_;
};

CountedCode counted_of(const std::string& path) {
  CodeFiles files;
  return counted_code(code_that_ran({path}, 1, files), files);
}

Result<ProgramCode> planned(const CountedCode& counted, const std::string& program) {
  CodeFiles files;
  return planned_code(counted, program, files);
}

void expect_to_be_counted_again(const Result<ProgramCode>& code, const std::string& path) {
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code, ErrorCode::bad_input);
  EXPECT_NE(code.error().message.find(path), std::string::npos) << code.error().message;
  EXPECT_NE(code.error().hint.find("--only-counts"), std::string::npos);
}

TEST(CountedCode, AnotherBuildIsRefused) {
  Copy copy;
  const CountedCode counted = counted_of(copy.path());
  EXPECT_TRUE(planned(counted, copy.path()));
  copy.change_build_id();
  expect_to_be_counted_again(planned(counted, copy.path()), copy.path());
}

TEST(CountedCode, WithoutABuildIdTheCodeItselfTells) {
  Copy copy;
  copy.without_build_id();
  CodeFiles files;
  ASSERT_FALSE(files.image(copy.path())->build_id());
  const CountedCode counted = counted_of(copy.path());
  EXPECT_TRUE(planned(counted, copy.path()));
  copy.change_code();
  expect_to_be_counted_again(planned(counted, copy.path()), copy.path());
}

TEST(CountedCode, AProgramThatWasNotCountedIsRefused) {
  const CountedCode counted = counted_of(kFiles[1]);
  expect_to_be_counted_again(planned(counted, "/bin/another"), "/bin/another");
}

TEST(CountedCode, ALibraryThatIsGoneIsLeftOut) {
  const std::string gone = [] { return Copy().path(); }();
  CountedCode counted = counted_of(kFiles[1]);
  counted.files.insert(counted.files.begin(), {gone, "an identity", {{16, 4}}});
  const auto code = planned(counted, kFiles[1]);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->modules.size(), 1U);
}

/// Nothing of the file is trusted: addresses that the program does not have give no region of it.
TEST(CountedCode, CodeThatTheFileDoesNotHaveIsNoFunction) {
  CountedCode counted = counted_of(kFiles[1]);
  counted.files[0].code = {{~std::uint64_t{0} - 64, 32}};
  CodeFiles files;
  auto code = planned_code(counted, kFiles[1], files);
  ASSERT_TRUE(code);
  EXPECT_TRUE(code->modules.at(0).regions.functions.empty());
  for (const PlannedModule& module : planned_modules(*code, files)) {
    EXPECT_TRUE(module.ranges.empty());
  }
}

TEST(CountedCode, WorkIsThatOfTheLaterRun) {
  CodeFiles files;
  ProgramCode code = code_that_ran({kFiles[1], kFiles[2]}, 1, files);
  std::vector<ModuleWork> work(code.region_count);
  for (std::size_t i = 0; i < work.size(); ++i) {
    work[i].instructions = i;
  }
  set_work(code, work);
  for (const CodeModule& module : code.modules) {
    for (std::size_t i = 0; i < module.work.size(); ++i) {
      EXPECT_EQ(module.work[i].instructions, module.first_region + i);
    }
  }
}

}  // namespace
}  // namespace ridge::measure::binary

namespace ridge::measure {

void counted_code_sentences(::ridge::tests::Sentences& sentences) {
  using namespace binary;
  CountedCode counted = counted_of(kFiles[1]);
  sentences.add("code that was counted: not of this program",
                planned(counted, "/bin/another").error());
  counted.files[0].identity = "another";
  sentences.add("code that was counted: another file now", planned(counted, kFiles[1]).error());
}

}  // namespace ridge::measure
