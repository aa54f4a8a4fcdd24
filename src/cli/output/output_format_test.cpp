#include "cli/output/output_format.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/help_texts.hpp"
#include "cli/output/compare_formats.hpp"
#include "cli/output/projection_formats.hpp"
#include "cli/output/report_formats.hpp"
#include "cli/output/study_formats.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Endings of the formats that a kind of document is offered in.
template <class Document>
std::vector<std::string> endings_of(DocumentKind<Document> kind) {
  std::vector<std::string> endings;
  for (const OutputFormat& format : output_formats()) {
    if ((format.*kind).make != nullptr) {
      endings.emplace_back(format.ending);
    }
  }
  return endings;
}

/// A help text names the endings of its document, and none that it has not.
template <class Document>
void expect_named(DocumentKind<Document> kind, std::string_view help) {
  for (const OutputFormat& format : output_formats()) {
    const auto named = HasSubstr(std::string(format.ending) + " ");
    if ((format.*kind).make != nullptr) {
      EXPECT_THAT(std::string(help), named);
    } else {
      EXPECT_THAT(std::string(help), Not(named));
    }
  }
}

TEST(OutputFormats, EachKindHasItsOwn) {
  EXPECT_THAT(endings_of(&OutputFormat::report),
              ElementsAre(".svg", ".pdf", ".png", ".html", ".md", ".csv", ".gp", ".tikz", ".json"));
  EXPECT_THAT(endings_of(&OutputFormat::comparison),
              ElementsAre(".svg", ".html", ".md", ".csv", ".json"));
  EXPECT_THAT(endings_of(&OutputFormat::study),
              ElementsAre(".svg", ".pdf", ".png", ".html", ".md", ".csv", ".json"));
  EXPECT_THAT(endings_of(&OutputFormat::projection), ElementsAre(".svg", ".json"));
  EXPECT_THAT(endings_of(&OutputFormat::chart),
              ElementsAre(".svg", ".pdf", ".png", ".html", ".csv", ".json"));
  EXPECT_THAT(endings_of(&OutputFormat::prediction),
              ElementsAre(".svg", ".pdf", ".png", ".html", ".json"));
  EXPECT_THAT(endings_of(&OutputFormat::machine), ElementsAre(".svg", ".json"));
}

TEST(OutputFormats, AreThoseOfTheHelpTexts) {
  expect_named(&OutputFormat::report, embedded::report_help);
  expect_named(&OutputFormat::comparison, embedded::compare_help);
  expect_named(&OutputFormat::study, embedded::spmv_help);
  expect_named(&OutputFormat::chart, embedded::chart_help);
}

TEST(OutputFormats, AreFoundByTheEndingInAnyCase) {
  for (const OutputFormat& format : output_formats()) {
    EXPECT_EQ(format_of_ending("x.y" + std::string(format.ending)), &format) << format.ending;
    EXPECT_FALSE(format.what.empty()) << format.ending;
  }
  EXPECT_EQ(format_of_ending("A.SVG")->ending, ".svg");
  EXPECT_EQ(format_of_ending("svg"), nullptr);
  EXPECT_EQ(format_of_ending("x.svg.old"), nullptr);
}

TEST(OutputFormats, AnUnknownEndingIsAnsweredWithThoseOfTheKind) {
  const OutputRequest gnuplot{.command = "compare", .file = "x.gp"};
  const auto found = find_format(&OutputFormat::comparison, gnuplot);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::usage);
  EXPECT_EQ(found.error().message, "compare: the ending of x.gp says no format");
  EXPECT_THAT(found.error().hint, AllOf(HasSubstr(".svg (a picture with arrows from old to new), "),
                                        HasSubstr(".json (everything)."), Not(HasSubstr(".gp"))));
  EXPECT_THAT(
      find_format(&OutputFormat::report, {.command = "report", .file = "x"}).error().hint,
      HasSubstr(".svg (a picture with real text), .pdf (the same as a page of its size), "));
}

TEST(OutputFormats, WhereNoEndingIsAskedForItIsJson) {
  const OutputFormat& svg = *format_of_ending(".svg");
  const OutputFormat& json = *format_of_ending(".json");
  for (const char* name : {"roofs.svg", "ROOFS.SVG"}) {
    EXPECT_EQ(&writer_or_json(&OutputFormat::machine, name), &svg.machine) << name;
    EXPECT_EQ(&writer_or_json(&OutputFormat::projection, name), &svg.projection) << name;
  }
  for (const char* name : {"svg", "m.json", "m.csv", "/dev/stdout"}) {
    EXPECT_EQ(&writer_or_json(&OutputFormat::machine, name), &json.machine) << name;
    EXPECT_EQ(&writer_or_json(&OutputFormat::projection, name), &json.projection) << name;
  }
  EXPECT_NE(json.machine.make, nullptr);
  EXPECT_NE(json.projection.make, nullptr);
}

TEST(OutputFormats, AFileIsWrittenOnceAndNoFolderIsOne) {
  const tests::TemporaryFolder temporary;
  const std::string folder = temporary.path();
  OutputRequest request{.command = "compare", .file = folder + "/x.json"};
  EXPECT_TRUE(check_output(&OutputFormat::comparison, request));
  ASSERT_TRUE(write_output(&OutputFormat::comparison, request, CompareContent{}));
  EXPECT_THAT(check_output(&OutputFormat::comparison, request).error().hint, HasSubstr("--force"));
  request.force = true;
  EXPECT_TRUE(check_output(&OutputFormat::comparison, request));
  request.file = folder + "/absent/x.json";
  EXPECT_EQ(check_output(&OutputFormat::comparison, request).error().code, ErrorCode::write_failed);
  request.file = folder;
  EXPECT_THAT(check_output_file(request).error().message, HasSubstr("is a folder"));
  request.file.reset();
  EXPECT_TRUE(check_output(&OutputFormat::comparison, request));
  EXPECT_TRUE(write_output(&OutputFormat::comparison, request, CompareContent{}));
}

}  // namespace
}  // namespace ridge::cli
