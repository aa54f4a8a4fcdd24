#include "core/value/doubtful_traffic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DoubtfulTraffic : public ::testing::Test {
 protected:
  DoubtfulTraffic() {
    machine_.caches = {{.level = Level::L1}, {.level = Level::L2}};
    machine_.memories = {{.level = Level::DRAM, .size_bytes = {}}};
    work_of(region_).add(Precision::fp64, OperationKind::add, 64, 100);
    region_.traffic = {{"L1", {0, 0}}, {"L2", {64, 0}}, {"DRAM", {64, 64}}};
    region_.traffic_mode = TrafficMode::sampled;
  }
  [[nodiscard]] std::vector<Level> levels() const {
    Profile profile;
    profile.machine = machine_;
    return levels_of_doubtful_traffic(region_, profile);
  }

  Machine machine_;
  Region region_;
};

TEST_F(DoubtfulTraffic, IsWhatANoteSaysOfSampledLines) {
  EXPECT_THAT(levels(), IsEmpty());
  region_.notes = {{"sampled-edge", "..."}};
  EXPECT_THAT(levels(), ElementsAre(Level::DRAM));
  for (const char* code : {"sampled-uneven", "sampled-unproven"}) {
    region_.notes = {{code, "..."}};
    EXPECT_THAT(levels(), ElementsAre(Level::DRAM, Level::L2)) << "L1 is counted";
  }
  region_.traffic_mode = TrafficMode::exact;
  EXPECT_THAT(levels(), IsEmpty());
}

// Of 8 in 64 lines none crossed: of the others some may have.
TEST_F(DoubtfulTraffic, IsNoneAtAllBesideWork) {
  region_.traffic["DRAM"] = {0, 0};
  EXPECT_THAT(levels(), ElementsAre(Level::DRAM));
  region_.flops = {};
  EXPECT_THAT(levels(), IsEmpty());
}

TEST_F(DoubtfulTraffic, IsKnown) {
  region_.notes = {{"sampled-uneven", "..."}};
  region_.traffic.erase("DRAM");
  EXPECT_FALSE(is_traffic_doubtful(region_, machine_, "DRAM"));
}

TEST_F(DoubtfulTraffic, OfTheProgramIsThatOfItsParts) {
  Region program = region_;
  program.kind = RegionKind::program;
  program.traffic = {{"L2", {6401, 0}}, {"DRAM", {12800, 0}}};
  region_.notes = {{"sampled-uneven", "..."}};
  Profile profile;
  profile.machine = machine_;
  profile.regions = {program, region_};
  EXPECT_THAT(levels_of_doubtful_traffic(program, profile), ElementsAre(Level::DRAM));
  profile.regions[1].notes.clear();
  EXPECT_THAT(levels_of_doubtful_traffic(program, profile), IsEmpty());
}

}  // namespace
}  // namespace ridge
