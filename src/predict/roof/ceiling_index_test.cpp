#include "predict/roof/ceiling_index.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::add_bandwidth;
using testing::add_compute;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> ids_of(std::span<const CeilingIndex::Entry> entries) {
  std::vector<std::string> ids;
  for (const auto& [key, ceiling] : entries) {
    ids.push_back(ceiling->id);
  }
  return ids;
}

TEST(CeilingIndex, FindsThoseOfAKeyInTheOrderOfTheMachine) {
  Machine machine;
  add_bandwidth(machine, "L2", Pattern::load, Isa::avx512, 2, 1e9);
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 1, 1e9);
  add_bandwidth(machine, "L2", Pattern::store, Isa::sse, 1, 1e9);
  add_bandwidth(machine, "L2", Pattern::load, Isa::sse, 1, 1e9);
  add_compute(machine, "fp32", Isa::avx2, Operation::fma, 4, 1e9);
  const CeilingIndex index(machine);
  EXPECT_THAT(ids_of(index.bandwidth("L2", Pattern::load)),
              ElementsAre("bandwidth.L2.load.avx512.t2", "bandwidth.L2.load.sse.t1"));
  EXPECT_THAT(ids_of(index.compute("fp64", Operation::fma)),
              ElementsAre("compute.fp64.avx2.fma.t1"));
  EXPECT_THAT(ids_of(index.compute("fp32", Operation::fma)),
              ElementsAre("compute.fp32.avx2.fma.t4"));
  EXPECT_THAT(index.bandwidth("L3", Pattern::load), IsEmpty());
  EXPECT_THAT(index.compute("fp64", Operation::add), IsEmpty());
  EXPECT_THAT(index.compute("int8", Operation::fma), IsEmpty());
  EXPECT_THAT(index.threads(), ElementsAre(1U, 2U, 4U));
  EXPECT_EQ(&index.machine(), &machine);
}

/// What a search through the whole list finds, of every key of a machine.
TEST(CeilingIndex, LeavesOutNothingOfAMachine) {
  const Machine machine = testing::zen4();
  const CeilingIndex index(machine);
  for (const Ceiling& wanted : machine.ceilings) {
    std::vector<std::string> ids;
    for (const Ceiling& ceiling : machine.ceilings) {
      if (ceiling.kind == wanted.kind && ceiling.level == wanted.level &&
          ceiling.pattern == wanted.pattern && ceiling.precision == wanted.precision &&
          ceiling.operation == wanted.operation) {
        ids.push_back(ceiling.id);
      }
    }
    EXPECT_EQ(ids_of(wanted.kind == CeilingKind::compute
                         ? index.compute(*wanted.precision, *wanted.operation)
                         : index.bandwidth(*wanted.level, *wanted.pattern)),
              ids);
  }
}

TEST(CeilingIndex, LeavesOutWhatIsNoRateOfTheCpu) {
  Machine machine;
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 1, 0.0);
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 2, std::nan(""));
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 3,
              std::numeric_limits<double>::infinity());
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 4, 1e9);
  machine.ceilings.back().device = "GPU 0";
  const CeilingIndex index(machine);
  EXPECT_THAT(index.compute("fp64", Operation::fma), IsEmpty());
  EXPECT_THAT(index.threads(), IsEmpty());
}

}  // namespace
}  // namespace ridge::predict
