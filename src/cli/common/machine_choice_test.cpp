#include "cli/common/machine_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Specification machine(const char* key, MachineKind kind, double fp64, double bandwidth) {
  Specification figures;
  figures.key = key;
  figures.kind = kind;
  figures.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, {fp64}}};
  figures.bandwidths = {{"DRAM", Basis::theoretical, {}, {bandwidth}}};
  return figures;
}

std::vector<Specification> known() {
  std::vector<Specification> machines{machine("small", MachineKind::cpu, 1e12, 1e11),
                                      machine("large", MachineKind::cpu, 5e12, 4e11),
                                      machine("board", MachineKind::gpu, 1e13, 2e12),
                                      machine("tensor", MachineKind::accelerator, 1e11, 1e12)};
  machines[0].cores = Figure{8};
  machines[1].cores = Figure{96};
  machines[1].year = 2022;
  machines[2].year = 2020;
  return machines;
}

std::vector<std::string> chosen(const std::vector<std::string>& words) {
  return expand_machine_sets(words, known()).value();
}

TEST(MachineChoice, SetsAreInTheOrderOfTheDataBase) {
  EXPECT_THAT(chosen({"all"}), ElementsAre("small", "large", "board", "tensor"));
  EXPECT_THAT(chosen({"cpu"}), ElementsAre("small", "large"));
  EXPECT_THAT(chosen({"gpu", "accelerator"}), ElementsAre("board", "tensor"));
}

TEST(MachineChoice, ConditionsHoldTogether) {
  EXPECT_THAT(chosen({"fp64>=1T"}), ElementsAre("small", "large", "board"));
  EXPECT_THAT(chosen({"cpu", "fp64>1T"}), ElementsAre("large"));
  EXPECT_THAT(chosen({"all", "fp64<=5e12", "bandwidth>=400GB/s"}), ElementsAre("large", "tensor"));
  EXPECT_THAT(chosen({"cores>=8"}), ElementsAre("small", "large"));  // unknown: not fulfilled
  EXPECT_THAT(chosen({"all", "year>=2022"}), ElementsAre("large"));
  EXPECT_THAT(chosen({"gpu", "year<2022"}), ElementsAre("board"));
}

TEST(MachineChoice, NamesStayAndAreNotRepeated) {
  EXPECT_THAT(chosen({"large", "this"}), ElementsAre("large", "this"));
  EXPECT_THAT(chosen({"large", "cpu"}), ElementsAre("large", "small"));
}

TEST(MachineChoice, BadConditionsAndEmptySets) {
  const auto error = [](const std::vector<std::string>& words) {
    return expand_machine_sets(words, known()).error();
  };
  EXPECT_EQ(error({"fp64>=lots"}).code, ErrorCode::usage);
  EXPECT_THAT(error({"colour>3"}).message, HasSubstr("`colour>3`"));
  EXPECT_EQ(error({">=3"}).code, ErrorCode::usage);
  EXPECT_EQ(error({"fp64>=1P"}).code, ErrorCode::bad_input);
  EXPECT_EQ(error({"year>=2090"}).code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace ridge::cli
