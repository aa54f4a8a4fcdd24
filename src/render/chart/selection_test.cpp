#include "render/chart/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"

namespace ridge::render {
namespace {

const ShownRegion* shown_named(const Selection& selection, const std::string& name) {
  for (const ShownRegion& shown : selection.shown) {
    if (shown.region->name == name) {
      return &shown;
    }
  }
  return nullptr;
}

TEST(Selection, RanksByTimeUntil95Percent) {
  const Profile profile = fixture::profile();
  const Prediction prediction = fixture::prediction(profile);
  const Selection selection = select_regions(profile, prediction, 100);
  double sum = 0.0;
  double shown = 0.0;
  for (const Region& region : profile.regions) {
    if (region.kind != RegionKind::program && region.time_seconds.self) {
      sum += region.time_seconds.self->value.value();
    }
  }
  double last = 1e9;
  for (std::size_t i = 0; i < selection.shown.size(); ++i) {
    EXPECT_EQ(selection.shown[i].rank, i + 1);
    const double seconds = selection.shown[i].region->time_seconds.self->value.value();
    EXPECT_LE(seconds, last);
    last = seconds;
    shown += seconds;
  }
  EXPECT_GE(shown / sum, 0.95);
  EXPECT_LT((shown - last) / sum, 0.95);  // one row fewer would not do
  EXPECT_EQ(selection.omitted, 2U);
  EXPECT_EQ(selection.timeless, 1U);
  EXPECT_NEAR(*selection.omitted_share, (sum - shown) / 12.4, 1e-12);
}

TEST(Selection, MarkersStandBehindTheRegionsThatTheyHold) {
  const Profile plain = fixture::profile();
  const Prediction of_plain = fixture::prediction(plain);
  const Selection without = select_regions(plain, of_plain, 100);
  Profile profile = plain;
  Region marker = *without.shown.front().region;
  marker.id = 4711;
  marker.kind = RegionKind::marker;
  marker.overlaps = true;
  marker.name = marker.function = "phase";
  profile.regions.push_back(std::move(marker));
  const Prediction prediction = fixture::prediction(profile);
  const Selection with = select_regions(profile, prediction, 100);
  ASSERT_EQ(with.shown.size(), without.shown.size() + 1);
  for (std::size_t i = 0; i < without.shown.size(); ++i) {
    EXPECT_EQ(with.shown[i].region->id, without.shown[i].region->id);
    EXPECT_EQ(with.shown[i].rank, without.shown[i].rank);
  }
  EXPECT_EQ(with.shown.back().region->name, "phase");
  EXPECT_EQ(with.omitted, without.omitted);
  EXPECT_EQ(with.omitted_share, without.omitted_share);
  const Selection few = select_regions(profile, prediction, 1);
  ASSERT_EQ(few.shown.size(), 2U);  // one row of each kind
  EXPECT_EQ(few.shown.back().region->name, "phase");
}

// docs/decisions/0213: the roof of the code where that is a bandwidth, else where the traffic takes
// longest at its roof. 19 GB at 457 GB/s take longer than 6 GB at 217 GB/s.
TEST(Selection, BindsWhereTheRoofIsElseWhereTrafficTakesLongest) {
  const Profile profile = fixture::profile();
  Prediction prediction = fixture::prediction(profile);
  const auto binding = [&](const char* name) {
    const Selection selection = select_regions(profile, prediction, 100);
    return selection.levels.at(shown_named(selection, name)->binding.value());
  };
  EXPECT_EQ(binding("jacobi_sweep"), Level::DRAM);
  EXPECT_EQ(binding("small_dense_block"), Level::L1);
  for (RegionPrediction& region : prediction.regions) {
    if (region.code) {
      region.code->ceiling = "bandwidth.L2.load.avx512.t2";
    }
  }
  EXPECT_EQ(binding("jacobi_sweep"), Level::L2);
  prediction.regions.clear();
  EXPECT_EQ(binding("jacobi_sweep"), Level::DRAM);
}

TEST(Selection, FiguresAreRatiosOfSums) {
  const Profile profile = fixture::profile();
  const Prediction prediction = fixture::prediction(profile);
  const Selection selection = select_regions(profile, prediction, 100);
  EXPECT_EQ(selection.levels, (std::vector<Level>{"L1", "L2", "L3", "DRAM"}));
  const ShownRegion* jacobi = shown_named(selection, "jacobi_sweep");
  ASSERT_NE(jacobi, nullptr);
  EXPECT_NEAR(*jacobi->share, 5.21 / 12.4, 1e-12);
  EXPECT_NEAR(*jacobi->flops_per_second, 42e9 / 5.21, 1.0);
  EXPECT_NEAR(*jacobi->levels[3].intensity, 42.0 / 146.0, 1e-12);
  EXPECT_NEAR(*jacobi->levels[3].bytes_per_second, 146e9 / 5.21, 1.0);
  const double fraction = *jacobi->prediction->code->fraction;
  EXPECT_NEAR(*jacobi->gain, 1.0 / (1.0 - *jacobi->share * (1.0 - fraction)), 1e-12);
}

TEST(Selection, UnboundedAndUnknownAreDifferent) {
  const Profile profile = fixture::profile();
  const Prediction prediction = fixture::prediction(profile);
  const Selection selection = select_regions(profile, prediction, 100);
  const ShownRegion* resident = shown_named(selection, "assemble_preconditioner");
  ASSERT_NE(resident, nullptr);
  EXPECT_TRUE(resident->levels[3].unbounded);
  EXPECT_FALSE(resident->levels[3].intensity);
  const ShownRegion* waiting = shown_named(selection, "omp wait");
  ASSERT_NE(waiting, nullptr);
  EXPECT_FALSE(waiting->levels[3].unbounded);
  EXPECT_FALSE(waiting->levels[3].bytes);
  EXPECT_FALSE(waiting->has_work);
}

// Of 8 in 64 lines none crossed: of the others some may have.
TEST(Selection, FiguresOfSampledLinesCarryTheirDoubt) {
  Profile profile = fixture::profile();
  const auto doubts = [&](const char* name) {
    const Prediction prediction = fixture::prediction(profile);
    const Selection selection = select_regions(profile, prediction, 100);
    std::vector<Level> levels;
    const ShownRegion* shown = shown_named(selection, name);
    for (std::size_t i = 0; shown != nullptr && i < selection.levels.size(); ++i) {
      if (shown->levels[i].doubtful) {
        levels.push_back(selection.levels[i]);
      }
    }
    return levels;
  };
  EXPECT_THAT(doubts("assemble_preconditioner"), ::testing::IsEmpty()) << "exact";
  for (Region& region : profile.regions) {
    region.traffic_mode = TrafficMode::sampled;
  }
  EXPECT_THAT(doubts("assemble_preconditioner"), ::testing::ElementsAre(Level::DRAM));
  EXPECT_THAT(doubts("jacobi_sweep"), ::testing::IsEmpty());
  for (Region& region : profile.regions) {
    region.notes.push_back({"sampled-edge", "..."});
  }
  EXPECT_THAT(doubts("jacobi_sweep"), ::testing::ElementsAre(Level::DRAM));
  for (Region& region : profile.regions) {
    region.notes.back() = {"sampled-uneven", "..."};
  }
  EXPECT_THAT(doubts("jacobi_sweep"), ::testing::ElementsAre(Level::L2, Level::L3, Level::DRAM));
}

TEST(Selection, AFlopInAGigabyteIsNoWork) {
  Profile profile = fixture::profile();
  Region& region = profile.regions.back();
  region.name = "nearly_a_copy";
  region.time_seconds.self = SampledTime{Seconds(1.0), Seconds(0.9), Seconds(1.1), 1000};
  region.flops = {};
  work_of(region).add(Precision::fp64, OperationKind::add, 64, 180);
  region.bytes_loaded = 1'000'000'000;
  const auto has_work = [&] {
    const Selection selection = select_regions(profile, {}, 100);
    return shown_named(selection, "nearly_a_copy")->has_work;
  };
  EXPECT_FALSE(has_work());
  profile.regions.back().bytes_loaded = 100'000;
  profile.regions.back().bytes_stored = 0;
  EXPECT_TRUE(has_work());
}

TEST(Selection, CountedBytesGiveL1WithoutSimulation) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.traffic.clear();
  }
  const Selection selection = select_regions(profile, {}, 100);
  const ShownRegion* jacobi = shown_named(selection, "jacobi_sweep");
  EXPECT_NEAR(*jacobi->levels[0].intensity, 42.0 / 404.0, 1e-9);
  EXPECT_FALSE(jacobi->levels[3].intensity);
  EXPECT_EQ(jacobi->prediction, nullptr);
  EXPECT_FALSE(jacobi->gain);
}

TEST(Selection, TheGainIsThatOfThePrediction) {
  const Profile profile = fixture::profile();
  Prediction prediction = fixture::prediction(profile);
  for (RegionPrediction& entry : prediction.regions) {
    entry.gain = 1.5;
  }
  const Selection selection = select_regions(profile, prediction, 100);
  EXPECT_DOUBLE_EQ(*shown_named(selection, "jacobi_sweep")->gain, 1.5);
}

TEST(Selection, WithoutAnyTimeOrdersByWork) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.time_seconds = {};
  }
  const Selection selection = select_regions(profile, {}, 100);
  EXPECT_FALSE(selection.by_time);
  ASSERT_FALSE(selection.shown.empty());
  EXPECT_EQ(selection.shown.front().region->name, "assemble_preconditioner");
  EXPECT_FALSE(selection.shown.front().share.has_value() &&
               selection.shown.front().flops_per_second.has_value());
  EXPECT_EQ(selection.shown.size() + selection.timeless, profile.regions.size() - 1);
}

TEST(Selection, EmptyProfile) {
  const Profile empty;
  const Selection selection = select_regions(empty, {}, 100);
  EXPECT_TRUE(selection.shown.empty());
  EXPECT_EQ(selection.omitted, 0U);
  EXPECT_FALSE(program_seconds({}));
}

TEST(Selection, KeepsToTheMostRows) {
  const Profile profile = fixture::many_loops(1000);
  const Selection selection = select_regions(profile, {}, 40);
  EXPECT_EQ(selection.shown.size(), 40U);
  EXPECT_EQ(selection.omitted, 960U);
  EXPECT_NEAR(*selection.omitted_share, 0.96, 1e-9);
}

TEST(AllLevels, IncludesEveryMemory) {
  Profile profile = fixture::profile();
  profile.machine.memories.push_back({"CXL", std::nullopt});
  profile.regions.at(1).traffic["NVRAM"] = {1, 1};
  EXPECT_EQ(levels_of(profile), (std::vector<Level>{"L1", "L2", "L3", "DRAM", "CXL", "NVRAM"}));
}

}  // namespace
}  // namespace ridge::render
