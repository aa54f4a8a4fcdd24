#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/format/gnuplot/gnuplot_script.hpp"
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
    region.name = std::string("'; system(\"touch evil\") # \\") + kHostile;
  }
  profile.machine.name = "`touch evil`";
  profile.program.argv = {"'.system(\"touch evil\").' @macro {/Symbol a}"};
  Chart hostile = chart_of(profile, fixture::prediction(profile));
  hostile.levels.emplace_back("it's $(touch evil)");  // no level of a machine has such a name
  return hostile;
}

/// What gnuplot says when it draws the script in an empty folder; "absent" without gnuplot. The
/// picture must be there afterwards and nothing else.
std::string drawn(const std::string& script) {
  if (std::system("gnuplot --version >/dev/null 2>&1") != 0) {
    return "absent";
  }
  const tests::TemporaryFolder temporary;
  const fs::path& folder = temporary.path();
  std::ofstream(folder / "x.gp") << script;
  const std::string command = "cd '" + folder.string() + "' && gnuplot x.gp >said 2>&1";
  const bool ended_well = std::system(command.c_str()) == 0;
  std::ifstream file(folder / "said");
  std::string said{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(ended_well) << said;
  EXPECT_GT(fs::file_size(folder / "roofline.svg"), 2000U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 3);
  return said;
}

TEST(Gnuplot, Golden) {
  expect_golden("roofline.gp", gnuplot_script(chart(), false));
}

TEST(Gnuplot, TextIsALiteral) {
  EXPECT_EQ(gnuplot_text("it's"), "'it''s'");
  EXPECT_EQ(gnuplot_text("a\nb\\"), "'a b\\'");
}

TEST(Gnuplot, DrawsWithoutComplaint) {
  for (const bool paper : {false, true}) {
    for (const Chart& each :
         {chart(), hostile_chart(), chart_of(fixture::characterised()), Chart{}}) {
      const std::string said = drawn(gnuplot_script(each, paper));
      if (said == "absent") {
        GTEST_SKIP() << "no gnuplot here";
      }
      EXPECT_EQ(said, "");
    }
  }
}

}  // namespace
}  // namespace ridge::render
