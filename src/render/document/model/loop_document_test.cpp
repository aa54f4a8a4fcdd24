#include "render/document/model/loop_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/document/model/loop_models_for_tests.hpp"
#include "render/document/model/loop_tables.hpp"
#include "render/document/model/loop_words.hpp"
#include "render/document/model/sweep_svg.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::HasSubstr;
using testing::Not;

using Loops = LoopModelsForTests;

constexpr TextStyle kUnicode{.columns = 100, .unicode = true, .colour = false};
constexpr TextStyle kAscii{.columns = 80, .unicode = false, .colour = false};

LoopModels some() {
  return Loops::make({Loops::stencil(4000), Loops::gather("gather")});
}

TEST(LoopDocument, TextIsThatOfTheGoldenFiles) {
  expect_golden("loop_models_100_unicode.txt", loop_models_text(some(), kUnicode));
  expect_golden("loop_models_80_ascii.txt", loop_models_text(some(), kAscii));
}

TEST(LoopDocument, ASweepIsThatOfTheGoldenFiles) {
  const LoopModels models = Loops::make(Loops::sweep());
  expect_golden("loop_sweep_100_unicode.txt", loop_models_text(models, kUnicode));
  expect_golden("loop_sweep_80_ascii.txt", loop_models_text(models, kAscii));
  expect_golden("loop_sweep.svg", loop_sweep_svg(models));
}

TEST(LoopDocument, MarkdownIsThatOfTheGoldenFile) {
  expect_golden("loop_models.md", loop_models_markdown(some()));
}

TEST(LoopDocument, NoLineIsWiderThanTheTerminal) {
  LoopModels models = some();
  for (const LoopModel& model : Loops::sweep()) {
    models.models.push_back(model);
  }
  models.models.front().accesses.front().text = std::string(300, 'x');
  for (const int columns : {60, 80, 100, 200}) {
    for (const bool unicode : {true, false}) {
      const TextStyle style{.columns = columns, .unicode = unicode, .colour = false};
      for (const std::string& line : lines_of(loop_models_text(models, style))) {
        EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
      }
    }
  }
}

TEST(LoopDocument, AsciiIsAscii) {
  LoopModels models = Loops::make(Loops::sweep());
  models.models.push_back(Loops::gather("gr\u00f6\u00dfe"));
  for (const char c : loop_models_text(models, kAscii)) {
    EXPECT_LT(static_cast<unsigned char>(c), 0x80U);
  }
}

TEST(LoopDocument, HostileNamesStayText) {
  LoopModel hostile = Loops::gather(kHostile);
  hostile.file = hostile.loops.front().counter = hostile.accesses.front().text = kHostile;
  hostile.notes = {{kHostile, kHostile}};
  hostile.predictions.front().machine = kHostile;
  hostile.predictions.front().hierarchical->binds = kHostile;
  LoopModels models = Loops::make({hostile});
  models.source = models.machine = kHostile;
  for (const std::string& text : {loop_models_text(models, kUnicode), loop_models_markdown(models),
                                  loop_models_page(models), loop_sweep_svg(models)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b[31m")));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
  }
  EXPECT_THAT(loop_models_page(models), Not(HasSubstr("<img")));
  for (const std::string& line : lines_of(loop_models_markdown(models))) {
    EXPECT_TRUE(line.starts_with("    ") || line.find("<img") == std::string::npos) << line;
  }
  EXPECT_THAT(loop_sweep_svg(models), Not(HasSubstr("<img")));
}

TEST(LoopDocument, WithoutLoopsItSaysSo) {
  EXPECT_EQ(loop_models_text(Loops::make({}), kUnicode), "no loops\n");
  EXPECT_THAT(loop_sweep_svg(Loops::make({})), HasSubstr("No loop"));
}

TEST(LoopWords, NotationHasAPlaceForWhatIsNotKnown) {
  LoopPrediction prediction = Loops::stencil(4000).predictions.front();
  EXPECT_EQ(ecm_notation(prediction), "{ 6.0 || 8.0 | 10.0 | 6.0 | 13.0 } cy/CL");
  prediction.ecm->transfers[1] = {Level::L3, {}, "", "its bandwidth was not measured"};
  EXPECT_EQ(ecm_notation(prediction), "{ 6.0 || 8.0 | 10.0 | ? | 13.0 } cy/CL");
  EXPECT_THAT(ecm_legend(*prediction.ecm), HasSubstr("L2-L3: its bandwidth was not measured"));
}

TEST(LoopWords, TheVerdictNamesWhatBindsAndHowFarTheNextIs) {
  const LoopPrediction prediction = Loops::stencil(4000).predictions.front();
  // 24 byte at 40 GB/s for 4 flop; 5 lines of 2 cycles against 3 of 4.32.
  EXPECT_THAT(verdict_words(prediction), HasSubstr("DRAM"));
  EXPECT_THAT(verdict_words(prediction), HasSubstr("6.67 GFlop/s"));
  EXPECT_THAT(verdict_words(prediction), HasSubstr("1.30 times"));
  EXPECT_THAT(saturation_words(prediction), HasSubstr("4 cores of 8"));
}

TEST(LoopTables, OfALevelConditionsEndWithTheFirstThatHolds) {
  const LoopModel model = Loops::stencil(4000);
  const PageTable table = traffic_tables(model).front();
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0][3], "broken");
  EXPECT_EQ(table.rows[0][2], "N = 1365");
  EXPECT_EQ(table.rows[1][3], "true");
  EXPECT_EQ(table.rows[2][0], "L2");
  EXPECT_EQ(table.rows[2][3], "true");
  EXPECT_EQ(table.rows[3][0], "L3");
}

TEST(LoopTables, TheLevelThatDataComeFromIsMarked) {
  LoopModel model = Loops::stencil(4000);
  LoopPrediction& prediction = model.predictions.front();
  EXPECT_EQ(prediction_tables(model, prediction)[1].rows[3][1], "at this size");
  prediction.ecm->transfers[2].cycles = 0.0;
  EXPECT_EQ(prediction_tables(model, prediction)[1].rows[3][1], "");
  EXPECT_EQ(prediction_tables(model, prediction)[1].rows[2][1], "at this size");
  prediction.ecm->transfers[1].cycles.reset();
  prediction.ecm->levels.resize(2);
  EXPECT_EQ(prediction_tables(model, prediction)[1].rows[0][1], "") << "nobody knows";
}

TEST(LoopTables, MethodsStandBesideEachOther) {
  const PageTable table = traffic_tables(Loops::stencil(4000)).back();
  ASSERT_EQ(table.heading.size(), 6U);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0][0], "L1-L2");
  EXPECT_EQ(table.rows[2][0], "L3-DRAM");
  EXPECT_EQ(table.rows[0][5], "-1.0 %");  // 40 against 40.4
}

}  // namespace
}  // namespace ridge::render
