#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/command.hpp"
#include "cli/output/output_format.hpp"
#include "cli/report/report_options.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kMachineFile = "../../tests/end_to_end/testdata/machine_small.json";

class Report : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return folder_ / name; }
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static Error refused(const std::vector<std::string>& arguments) {
    const auto code = run_report(arguments);
    if (code) {
      ADD_FAILURE() << "accepted";
      return {};
    }
    return code.error();
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(Report, NoOptionIsIgnoredInSilence) {
  for (const OutputFormat& format : output_formats()) {
    const std::string file = at("x" + std::string(format.ending));
    const std::vector<std::pair<std::vector<std::string>, bool>> options{
        {{"--only", "1"}, format.report.takes.only},
        {{"--title", "a title"}, format.report.takes.title},
        {{"--style", "paper"}, format.report.takes.style},
        {{"--style", "slide"}, format.report.takes.slide}};
    for (const auto& [words, taken] : options) {
      if (!taken) {
        const Error error = refused({kMachineFile, "-o", file, words[0], words[1]});
        EXPECT_EQ(error.code, ErrorCode::usage);
        EXPECT_THAT(error.message,
                    AllOf(HasSubstr(words[0]), HasSubstr(std::string(format.ending))));
        EXPECT_FALSE(fs::exists(file));
      }
    }
  }
  EXPECT_EQ(refused({kMachineFile, "--title", "a"}).code, ErrorCode::usage);
  EXPECT_EQ(refused({kMachineFile, "--style", "paper"}).code, ErrorCode::usage);
  ASSERT_TRUE(run_report({kMachineFile, "-o", at("y.svg"), "--title", "mine"}));
  EXPECT_THAT(text_of(at("y.svg")), HasSubstr("mine"));
}

TEST_F(Report, APageForALecture) {
  ASSERT_TRUE(run_report({kMachineFile, "-o", at("s.html"), "--style", "slide"}));
  EXPECT_THAT(text_of(at("s.html")), HasSubstr("<html data-style=\"slide\" "));
  ASSERT_TRUE(run_report({kMachineFile, "-o", at("p.html")}));
  EXPECT_THAT(text_of(at("p.html")), Not(HasSubstr("<html data-style")));
}

TEST_F(Report, ASlideIs16To9) {
  ASSERT_TRUE(run_report({kMachineFile, "-o", at("slide.svg"), "--style", "slide"}));
  EXPECT_THAT(text_of(at("slide.svg")), HasSubstr("width=\"1600\" height=\"900\""));
}

TEST_F(Report, TheEndingSaysTheFormat) {
  ASSERT_TRUE(run_report({kMachineFile, "-o", at("A.y.SVG")}));
  EXPECT_THAT(text_of(at("A.y.SVG")), HasSubstr("<svg"));
  const Error error = refused({kMachineFile, "-o", at("x.bmp")});
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.message, HasSubstr("x.bmp"));
  EXPECT_THAT(error.hint, HasSubstr(".svg"));
}

TEST_F(Report, OptionsThatContradictThemselves) {
  EXPECT_EQ(refused({kMachineFile, "--style", "poster"}).code, ErrorCode::usage);
  EXPECT_EQ(refused({kMachineFile, "--label", "a,b"}).code, ErrorCode::usage);
}

// What it says of a result: explain_test.cpp.
TEST_F(Report, ExplainIsTextAboutOneRegionOfOneResult) {
  const std::vector<std::vector<std::string>> refused_with{
      {kMachineFile, kMachineFile, "--explain", "1"},
      {kMachineFile, "--explain", "1", "-o", at("x.svg")},
      {kMachineFile, "--explain", "1", "--json"},
      {kMachineFile, "--explain", "1", "--only", "1"},
      {kMachineFile, "--explain", "1"}};  // a machine has no regions
  for (const auto& arguments : refused_with) {
    EXPECT_EQ(refused(arguments).code, ErrorCode::usage);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Report, WritesTheRoofsOfAMachineFile) {
  ASSERT_EQ(run_report({kMachineFile, "-o", at("roofs.svg")}).value(), 0);
  EXPECT_THAT(text_of(at("roofs.svg")), HasSubstr("<svg"));
}

TEST_F(Report, OverwritesOnlyWhenTold) {
  std::ofstream(at("roofs.svg")) << "mine";
  EXPECT_THAT(refused({kMachineFile, "-o", at("roofs.svg")}).hint, HasSubstr("--force"));
  EXPECT_EQ(text_of(at("roofs.svg")), "mine");
  ASSERT_EQ(run_report({kMachineFile, "-o", at("roofs.svg"), "--force"}).value(), 0);
  EXPECT_THAT(text_of(at("roofs.svg")), HasSubstr("<svg"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Report, WhatCannotBeWrittenIsSaid) {
  std::ofstream(at("file")) << "";
  EXPECT_EQ(refused({kMachineFile, "-o", at("file/roofs.svg")}).code, ErrorCode::write_failed);
  fs::create_directory(at("folder.svg"));
  EXPECT_EQ(refused({kMachineFile, "-o", at("folder.svg")}).code, ErrorCode::usage);
}

TEST_F(Report, NeedsAResultThatCanBeRead) {
  EXPECT_EQ(refused({}).code, ErrorCode::usage);
  EXPECT_EQ(refused({at("absent"), "-o", at("x.svg")}).code, ErrorCode::bad_input);
  EXPECT_EQ(refused({kMachineFile, kMachineFile, "-o", at("x.svg")}).code, ErrorCode::usage);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace ridge::cli
