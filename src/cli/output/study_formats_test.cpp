#include "cli/output/study_formats.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/command.hpp"
#include "cli/output/output_format.hpp"
#include "core/value/sparse_study_for_tests.hpp"
#include "serialize/sparse_study.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Studies : public ::testing::Test {
 protected:
  void SetUp() override {
    stored_ = at("study.json");
    std::ofstream(stored_) << serialize::write_sparse_study(sparse_study_for_tests());
  }

  std::string at(const std::string& name) const { return folder_ / name; }
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static Error refused(const Result<void>& result) {
    EXPECT_FALSE(result);
    return result ? Error{} : result.error();
  }
  Error report_refused(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), stored_);
    const auto code = run_report(arguments);
    EXPECT_FALSE(code);
    return code ? Error{} : code.error();
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  std::string stored_;
};

TEST_F(Studies, TheEndingSaysTheFormat) {
  for (const OutputFormat& format : output_formats()) {
    const std::string ending(format.ending);
    EXPECT_EQ(check_study_output({"spmv", at("x.y" + ending), {}, {}}).has_value(),
              format.study.make != nullptr);
  }
  EXPECT_TRUE(check_study_output({"spmv", at("X.SVG"), {}, {}}));
  const Error error = refused(check_study_output({"spmv", at("x.bmp"), {}, {}}));
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_THAT(error.message, HasSubstr("x.bmp"));
  EXPECT_THAT(error.hint, HasSubstr(".svg (a picture"));
  EXPECT_EQ(refused(check_study_output({"spmv", at("study"), {}, {}})).code, ErrorCode::usage);
}

TEST_F(Studies, NoOptionIsIgnoredInSilence) {
  for (const OutputFormat& format : output_formats()) {
    if (format.study.make == nullptr) {
      continue;
    }
    const std::string file = at("x" + std::string(format.ending));
    EXPECT_EQ(check_study_output({"spmv", file, "a title", {}}).has_value(),
              format.study.takes.title);
    EXPECT_EQ(check_study_output({"spmv", file, {}, "paper"}).has_value(),
              format.study.takes.style);
  }
  EXPECT_THAT(refused(check_study_output({"spmv", {}, "a title", {}})).message,
              HasSubstr("--title"));
  EXPECT_THAT(refused(check_study_output({"spmv", {}, {}, "paper"})).message, HasSubstr("--style"));
  EXPECT_THAT(refused(check_study_output({"spmv", at("x.svg"), {}, "poster"})).message,
              HasSubstr("poster"));
  EXPECT_TRUE(check_study_output({"spmv", {}, {}, {}}));
}

TEST_F(Studies, OverwritesOnlyWhenTold) {
  EXPECT_THAT(refused(check_study_output({"spmv", stored_, {}, {}})).hint, HasSubstr("--force"));
  EXPECT_TRUE(check_study_output({"spmv", stored_, {}, {}, false, true}));
  fs::create_directory(at("folder.svg"));
  EXPECT_THAT(refused(check_study_output({"spmv", at("folder.svg"), {}, {}, false, true})).message,
              HasSubstr("is a folder"));
}

TEST_F(Studies, AStoredOneIsReported) {
  for (const auto& [ending, part] :
       {std::pair{".svg", "</svg>"}, std::pair{".html", "</html>"}, std::pair{".md", "# SpMV"},
        std::pair{".csv", "grid.mtx,1,given"}, std::pair{".json", "ridge.spmv/1"}}) {
    const std::string file = at(std::string("r") + ending);
    ASSERT_TRUE(run_report({stored_, "-o", file})) << ending;
    EXPECT_THAT(text_of(file), HasSubstr(part)) << ending;
  }
  EXPECT_EQ(text_of(at("r.json")), text_of(stored_));
  ASSERT_TRUE(run_report({stored_, "-o", at("t.svg"), "--title", "mine", "--style", "paper"}));
  EXPECT_THAT(text_of(at("t.svg")), HasSubstr(">mine</text>"));
  EXPECT_THAT(text_of(at("t.svg")), HasSubstr("width=\"8.5cm\""));
}

TEST_F(Studies, AStudyStandsAlone) {
  EXPECT_THAT(report_refused({stored_}).message, HasSubstr("matrix"));
  EXPECT_THAT(report_refused({"--only", "1"}).message, HasSubstr("--only"));
  EXPECT_THAT(report_refused({"--label", "a"}).message, HasSubstr("--label"));
  EXPECT_THAT(report_refused({"-o", at("x.gp")}).message,
              AllOf(HasSubstr("x.gp"), HasSubstr("study")));
  EXPECT_THAT(report_refused({"-o", stored_}).message, HasSubstr("exists"));
  const auto compared = run_compare({stored_, stored_});
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code, ErrorCode::usage);
}

TEST_F(Studies, WhatCannotBeWrittenIsSaid) {
  const auto written = write_study({"spmv", stored_ + "/x.svg", {}, {}}, sparse_study_for_tests());
  EXPECT_EQ(refused(written).code, ErrorCode::write_failed);
  EXPECT_TRUE(write_study({"spmv", {}, {}, {}}, sparse_study_for_tests()));
}

}  // namespace
}  // namespace ridge::cli
