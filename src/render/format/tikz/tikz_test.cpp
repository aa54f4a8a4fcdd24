#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/format/tikz/tikz_picture.hpp"
#include "render/golden_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::render {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

Chart chart() {
  const Profile profile = fixture::profile();
  return chart_of(profile, fixture::prediction(profile));
}

Chart hostile_chart() {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.name = std::string("\\input{/etc/passwd} $ % # & ~ ^ _ { } ],[; ") + kHostile;
  }
  profile.machine.name = "100 % \\end{tikzpicture}";
  profile.program.argv = {"\\write18{touch evil}%"};
  Chart hostile = chart_of(profile, fixture::prediction(profile));
  hostile.levels.emplace_back("m_e^m]");  // no level of a machine has such a name
  return hostile;
}

/// The document's log when LaTeX fails, "" when it succeeds, "absent" without pgfplots.
std::string compiled(const std::string& picture) {
  if (std::system("kpsewhich pgfplots.sty >/dev/null 2>&1 && pdflatex --version >/dev/null 2>&1") !=
      0) {
    return "absent";
  }
  const tests::TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
  std::ofstream(folder / "x.tikz") << picture;
  std::ofstream(folder / "x.tex") << "\\documentclass{article}\\usepackage{pgfplots}"
                                     "\\pgfplotsset{compat=1.17}\\begin{document}"
                                     "\\input{x.tikz}\\end{document}\n";
  const std::string command = "cd '" + folder.string() +
                              "' && pdflatex -interaction=nonstopmode -halt-on-error x.tex "
                              ">said 2>&1 </dev/null";
  const bool ended_well = std::system(command.c_str()) == 0;
  std::ifstream file(folder / "said");
  std::string said{std::istreambuf_iterator<char>(file), {}};
  return ended_well ? "" : said;
}

/// Braces that TeX counts balance at every end of the text.
bool balanced(const std::string& text) {
  int depth = 0;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    comment = text[i] == '%' || (comment && text[i] != '\n');
    depth += comment ? 0 : text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth < 0) {
      return false;
    }
  }
  return depth == 0;
}

TEST(Tikz, Golden) {
  expect_golden("roofline.tikz", tikz_picture(chart(), true));
}

TEST(Tikz, TextHoldsNoCommand) {
  EXPECT_EQ(tex_text("50 % of a_b"), "50 \\% of a\\_b");
  EXPECT_EQ(tex_text("\\end{x}"), "\\textbackslash{}end\\{x\\}");
  EXPECT_EQ(tex_text("a,b"), "a{,}b");
  EXPECT_EQ(tex_text("x\ny"), "x y");
  EXPECT_EQ(tex_text("\xc3\xa4"), "?");
}

TEST(Tikz, BracesBalanceWhateverTheNames) {
  for (const Chart& each : {chart(), hostile_chart(), Chart{}}) {
    const std::string text = tikz_picture(each, false);
    EXPECT_TRUE(balanced(text));
    for (const char c : text) {
      ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
    }
  }
}

TEST(Tikz, LatexReadsIt) {
  for (const Chart& each : {chart(), hostile_chart(), chart_of(fixture::characterised())}) {
    const std::string said = compiled(tikz_picture(each, true));
    if (said == "absent") {
      GTEST_SKIP() << "no pgfplots here";
    }
    EXPECT_EQ(said, "");
  }
}

}  // namespace
}  // namespace ridge::render
