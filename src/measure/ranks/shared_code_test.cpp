#include "measure/ranks/shared_code.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;

CountedCode code_of(std::vector<CountedFile> files) {
  return {"1.2.3", std::move(files)};
}

TEST(SharedCode, OfTheSameCodeNothingIsKeptTwice) {
  const CountedCode code =
      code_of({{"/bin/p", "1", {{16, 8}, {24, 8}}}, {"/lib/l", "2", {{0, 4}}}});
  EXPECT_TRUE(code_beyond(code, code).files.empty());
  EXPECT_EQ(joined_code(code, code_of({})), code);
}

TEST(SharedCode, ARankKeepsWhatItRanBesides) {
  const CountedCode shared = code_of({{"/bin/p", "1", {{16, 8}, {24, 8}}}});
  const CountedCode own = code_of({{"/bin/p", "1", {{16, 8}, {64, 8}}}, {"/lib/l", "2", {{0, 4}}}});
  const CountedCode beyond = code_beyond(own, shared);
  EXPECT_EQ(beyond, code_of({{"/bin/p", "1", {{64, 8}}}, {"/lib/l", "2", {{0, 4}}}}));
  EXPECT_EQ(joined_code(shared, beyond),
            code_of({{"/bin/p", "1", {{16, 8}, {24, 8}, {64, 8}}}, {"/lib/l", "2", {{0, 4}}}}));
}

TEST(SharedCode, AnotherBuildOfALibraryIsKeptWhole) {
  const CountedCode shared =
      code_of({{"/lib/l", "1", {{0, 4}, {8, 4}}}, {"/lib/m", "3", {{0, 4}}}});
  const CountedCode own = code_of({{"/lib/l", "2", {{0, 4}}}, {"/lib/m", "3", {{0, 4}}}});
  const CountedCode beyond = code_beyond(own, shared);
  EXPECT_EQ(beyond, code_of({{"/lib/l", "2", {{0, 4}}}}));
  EXPECT_EQ(joined_code(shared, beyond), own);
}

TEST(SharedCode, RangesThatOverlapBecomeOne) {
  const CountedCode shared = code_of({{"/bin/p", "1", {{16, 8}, {40, 8}}}});
  const CountedCode own = code_of({{"/bin/p", "1", {{16, 16}, {42, 2}}}});
  EXPECT_THAT(joined_code(shared, own).files.at(0).code,
              ElementsAre(CodeRange{16, 16}, CodeRange{40, 8}));
}

/// Whatever two ranks ran, what is kept gives all of it back.
TEST(SharedCode, NothingIsLost) {
  std::mt19937_64 random(2500);
  for (int round = 0; round < 200; ++round) {
    const auto some = [&] {
      CountedCode code = code_of({});
      for (const char* path : {"/a", "/b", "/c"}) {
        CountedFile file{path, random() % 4 == 0 ? "other" : "same", {}};
        for (std::uint64_t at = 0; at < 400; at += 8) {
          if (random() % 2 == 0) {
            file.code.push_back({at, 8});
          }
        }
        if (random() % 4 != 0) {
          code.files.push_back(std::move(file));
        }
      }
      return code;
    };
    const CountedCode shared = some();
    const CountedCode own = some();
    const CountedCode back = joined_code(shared, code_beyond(own, shared));
    EXPECT_TRUE(code_beyond(own, back).files.empty()) << round;
  }
}

}  // namespace
}  // namespace ridge::measure
