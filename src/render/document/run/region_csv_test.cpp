#include "render/document/run/region_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using ::testing::ElementsAre;

/// An independent reader of RFC 4180: rows of cells. Fails on a lone quote.
std::vector<std::vector<std::string>> parse(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += '"';
      ++i;
    } else if (c == '"') {
      EXPECT_TRUE(quoted || rows.back().back().empty()) << "a quote inside of a plain cell";
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_THAT(rows.back(), ElementsAre(""));
  rows.pop_back();
  return rows;
}

struct Made {
  Profile profile = fixture::profile();
  Prediction prediction = fixture::prediction(profile);
  std::string text(std::vector<std::uint32_t> only = {}) const {
    const LabelledResult result{"before", &profile, &prediction, std::move(only)};
    return region_csv(std::span(&result, 1));
  }
};

std::string cell(const std::vector<std::vector<std::string>>& rows, std::size_t row,
                 const std::string& column) {
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    if (rows[0][i] == column) {
      return rows.at(row).at(i);
    }
  }
  ADD_FAILURE() << "no column " << column;
  return {};
}

TEST(Csv, Golden) {
  expect_golden("regions.csv", Made().text());
}

TEST(Csv, EveryRegionOfTheProfileHasItsRow) {
  const Made made;
  const auto rows = parse(made.text());
  std::size_t regions = 0;
  for (const Region& region : made.profile.regions) {
    regions += region.kind != RegionKind::program ? 1 : 0;
  }
  ASSERT_EQ(rows.size(), regions + 1);
  for (const auto& row : rows) {
    EXPECT_EQ(row.size(), rows[0].size());
  }
}

TEST(Csv, NumbersAreThoseOfTheProfile) {
  const Made made;
  const auto rows = parse(made.text());
  const std::uint32_t id = static_cast<std::uint32_t>(std::stoul(cell(rows, 1, "region")));
  const Region& hottest = made.profile.regions.at(id);
  EXPECT_EQ(cell(rows, 1, "rank"), "1");
  EXPECT_EQ(cell(rows, 1, "work [flop]"), std::to_string(known_work(hottest).total()));
  EXPECT_EQ(std::stod(cell(rows, 1, "time self [s]")), hottest.time_seconds.self->value.value());
  EXPECT_EQ(cell(rows, 1, "DRAM read [byte]"), std::to_string(hottest.traffic.at("DRAM").read));
  EXPECT_EQ(std::stod(cell(rows, 1, "DRAM intensity [flop/byte]")),
            intensity(hottest, "DRAM")->value());
  EXPECT_LT(std::stod(cell(rows, 1, "performance low [flop/s]")),
            std::stod(cell(rows, 1, "performance high [flop/s]")));
}

TEST(Csv, UnknownIsEmptyNotZero) {
  Made made;
  for (Region& region : made.profile.regions) {
    region.traffic.clear();
    region.time_seconds.self.reset();
  }
  const auto rows = parse(made.text());
  EXPECT_EQ(cell(rows, 1, "DRAM read [byte]"), "");
  EXPECT_EQ(cell(rows, 1, "time self [s]"), "");
  EXPECT_EQ(cell(rows, 1, "rank"), "");
}

TEST(Csv, LevelsWhoseTrafficIsInDoubt) {
  Made made;
  EXPECT_EQ(cell(parse(made.text()), 1, "doubtful traffic"), "");
  for (Region& region : made.profile.regions) {
    region.traffic_mode = TrafficMode::sampled;
    region.notes.push_back({"sampled-unproven", "..."});
  }
  EXPECT_EQ(cell(parse(made.text()), 1, "doubtful traffic"), "L2 L3 DRAM");
}

TEST(Csv, OnlyTheRegionsThatWereNamed) {
  const Made made;
  const auto all = parse(made.text());
  const auto id = static_cast<std::uint32_t>(std::stoul(cell(all, 3, "region")));
  const auto rows = parse(made.text({id}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1], all[3]);  // its rank too
}

TEST(Csv, HostileNamesStayInTheirCells) {
  Made made;
  const std::size_t columns = parse(made.text())[0].size();
  for (Region& region : made.profile.regions) {
    region.name = std::string("=1+1,\"\r\n") + kHostile;
    region.file = "-\"\n,";
  }
  made.profile.machine.memories.push_back({Level::CXL, std::nullopt});
  const auto rows = parse(made.text());
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), columns + 4);  // the new level
    for (const std::string& text : row) {
      ASSERT_TRUE(text.empty() || std::string("=@+-").find(text[0]) == std::string::npos) << text;
      for (const char c : text) {
        ASSERT_GE(static_cast<unsigned char>(c), 0x20) << text;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::render
