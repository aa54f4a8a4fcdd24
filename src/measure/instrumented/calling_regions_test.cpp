#include "measure/instrumented/calling_regions.hpp"

#include <gtest/gtest.h>

#include "measure/instrumented/regions.hpp"

namespace ridge::measure {
namespace {

RawRegion raw(std::uint32_t kind, std::optional<std::uint32_t> parent = std::nullopt) {
  RawRegion made;
  made.kind = kind;
  made.parent = parent;
  return made;
}

/// A function, a loop in it, a call in that: ids 1 to 3.
struct OneProcess {
  DecodedArena arena;
  RegionsOfRaw of_raw{{kNoRegion, 10, 11, 12}};

  OneProcess() {
    RawProcess& process = arena.processes.emplace_back();
    process.pid = 42;
    process.regions = {raw(0), raw(RIDGE_REGION_FUNCTION), raw(RIDGE_REGION_LOOP, 1),
                       raw(RIDGE_REGION_CALL, 2)};
  }

  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t pid, std::uint32_t region) const {
    RecordedProcess process;
    process.pid = pid;
    RecordedCall call;
    call.region = region;
    return calling_regions(arena, of_raw)(process, call);
  }
};

TEST(CallingRegions, TheCallerOfALibraryAndNotItsCall) {
  EXPECT_EQ(OneProcess().find(42, 3), 11U);
  EXPECT_EQ(OneProcess().find(42, 2), 11U);
}

TEST(CallingRegions, WhatIsNotInTheProfileIsPartOfWhatEnclosesIt) {
  OneProcess run;
  run.of_raw[0][2] = kNoRegion;
  EXPECT_EQ(run.find(42, 3), 10U);
  run.of_raw[0][1] = kNoRegion;
  EXPECT_EQ(run.find(42, 3), std::nullopt);
}

TEST(CallingRegions, OfSeveralProcessesWithANumberTheNewest) {
  OneProcess run;
  run.arena.processes.push_back(run.arena.processes[0]);
  run.of_raw.push_back({kNoRegion, 20, 21, 22});
  EXPECT_EQ(run.find(42, 3), 21U);
}

TEST(CallingRegions, WhatTheProgramWroteMayBeAnything) {
  OneProcess run;
  EXPECT_EQ(run.find(42, 0), std::nullopt) << "in no region";
  EXPECT_EQ(run.find(42, 4), std::nullopt);
  EXPECT_EQ(run.find(7, 3), std::nullopt) << "another process";
  run.arena.processes[0].regions[2].parent = 3;
  run.of_raw[0][2] = kNoRegion;
  EXPECT_EQ(run.find(42, 3), std::nullopt) << "a chain that bites itself";
}

}  // namespace
}  // namespace ridge::measure
