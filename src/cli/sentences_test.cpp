// Besides what the test files give: refusals that need a command line and nothing else.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cli/common/command.hpp"
#include "cli/common/dispatch.hpp"
#include "cli/output/study_formats.hpp"
#include "cli/run/run_command.hpp"
#include "cli/run/run_options.hpp"
#include "cli/run/run_source.hpp"
#include "cli/sentences_for_tests.hpp"
#include "cli/spmv/spmv_options.hpp"
#include "measure/fake_sources_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kMachineFile = "../../tests/end_to_end/testdata/machine_small.json";
constexpr const char* kStudyFile = "../serialize/testdata/spmv-mesh.json";

std::string line_of(std::string_view command, const Words& words) {
  return fmt::format("ridge {} {}", command, fmt::join(words, " "));
}

void run_options_sentences(tests::Sentences& sentences) {
  for (const Words& words : std::vector<Words>{{"--explain", "1", "--json", "--", "p"},
                                               {"--cache", "L1=48K/13", "--", "p"},
                                               {"--cache", "L1=48K/12", "--no-traffic", "--", "p"},
                                               {"--also", "zen6", "--", "p"},
                                               {"--also", "zen4", "--traffic=auto", "--", "p"},
                                               {"--traffic=some", "--", "p"},
                                               {"--traffic=exact", "--no-traffic", "--", "p"},
                                               {"--budget", "soon", "--", "p"},
                                               {"--budget=60s", "--traffic=exact", "--", "p"},
                                               {"--source", "instrumented"},
                                               {"--explian", "1", "--", "p"},
                                               {"--explian", "1"},
                                               {}}) {
    sentences.add(line_of("run", words), parse_run_options(words));
  }
}

void run_source_sentences(tests::Sentences& sentences) {
  measure::reset_fake_sources();
  for (const Words& words :
       std::vector<Words>{{"--source", "smpling", "--", "p"},
                          {"--source", "xyz", "--", "p"},
                          {"--source", "sampling", "--also=zen4", "--", "p"}}) {
    sentences.add(line_of("run", words), run_run(words, measure::fake_sources()));
  }
  sentences.add("ridge run --source list", source_list(measure::fake_sources()));
}

void dispatch_sentences(tests::Sentences& sentences) {
  for (const Words& words :
       std::vector<Words>{{"rum"}, {"help", "repotr"}, {"frobnicate"}, {"--verison"}}) {
    sentences.add(fmt::format("ridge {}", fmt::join(words, " ")), dispatch(words, "the version"));
  }
}

void spmv_options_sentences(tests::Sentences& sentences) {
  for (const Words& words : std::vector<Words>{{},
                                               {"a", "b"},
                                               {"a", "--generate", "hpcg:3"},
                                               {"a", "--formats", "csc"},
                                               {"a", "--schedules", "guided"},
                                               {"a", "--threads", "0"},
                                               {"a", "--rhs", "1"},
                                               {"a", "--power", "99"},
                                               {"a", "--index-bits", "16"},
                                               {"a", "--traffic", "3MB"}}) {
    sentences.add(line_of("spmv", words), parse_spmv_options(words));
  }
}

void study_sentences(tests::Sentences& sentences) {
  sentences.add("ridge spmv --title", check_study_output({"spmv", {}, "a title", {}}));
  sentences.add("ridge spmv --style", check_study_output({"spmv", {}, {}, "paper"}));
  sentences.add("ridge spmv -o x.svg --style poster",
                check_study_output({"spmv", "x.svg", {}, "poster"}));
  sentences.add("ridge spmv -o x.csv --title",
                check_study_output({"spmv", "x.csv", "a title", {}}));
  sentences.add("ridge spmv -o x.bmp", check_study_output({"spmv", "x.bmp", {}, {}}));
  sentences.add("ridge spmv -o x", check_study_output({"spmv", "x", {}, {}}));
}

void report_sentences(tests::Sentences& sentences) {
  const tests::TemporaryFolder folder;
  sentences.call_folder(folder.path());
  const auto report = [&](const char* file, const Words& options) {
    Words words{file};
    words.insert(words.end(), options.begin(), options.end());
    const std::string result = std::filesystem::path(file).filename();
    sentences.add(fmt::format("ridge report {} {}", result, fmt::join(options, " ")),
                  run_report(words));
  };
  report(kMachineFile, {"--outptu", "y"});
  report(kMachineFile, {"--title", "a"});
  report(kMachineFile, {"--style", "paper"});
  report(kStudyFile, {kStudyFile});
  report(kStudyFile, {"--only", "1"});
  report(kStudyFile, {"--label", "a"});
  const auto write = [&](const char* file, const char* name, const Words& options) {
    Words words{file, "-o", folder.path(name)};
    words.insert(words.end(), options.begin(), options.end());
    const std::string result = std::filesystem::path(file).filename();
    sentences.add(fmt::format("ridge report {} -o {} {}", result, name, fmt::join(options, " ")),
                  run_report(words));
  };
  write(kMachineFile, "x.html", {"--only", "1"});
  write(kMachineFile, "x.csv", {"--title", "a title"});
  write(kMachineFile, "x.csv", {"--style", "paper"});
  write(kMachineFile, "x.bmp", {});
  write(kStudyFile, "x.gp", {});
}

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  dispatch_sentences(sentences);
  run_options_sentences(sentences);
  run_source_sentences(sentences);
  spmv_options_sentences(sentences);
  study_sentences(sentences);
  report_sentences(sentences);
  explain_sentences(sentences);
  run_progress_sentences(sentences);
  machine_keeping_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::cli
