#include "cli/common/prediction_target.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/known_machines.hpp"
#include "serialize/machine.hpp"
#include "serialize/specification.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Machine measured() {
  Machine machine;
  machine.ridge_version = "0.1.0";
  machine.name = "here";
  machine.date = "2026-01-02T03:04:05Z";
  machine.cpu = CpuIdentity{"AuthenticAMD", "AMD EPYC", 25, 17, 1};
  machine.topology = Topology{1, 1, 2, 2};
  machine.caches = {{.level = Level::L1, .size_bytes = 32768, .ways = 8}};
  machine.memories = {{.level = Level::DRAM, .size_bytes = {}}};
  Ceiling ceiling = ceiling_of({BandwidthKey{"DRAM", Pattern::load, Isa::avx512, 2}});
  ceiling.value = Estimate<BytesPerSecond>{BytesPerSecond(3e10), BytesPerSecond(4e10),
                                           BytesPerSecond(2e10), BytesPerSecond(4e10), 20};
  machine.ceilings = {ceiling};
  return machine;
}

class PredictionTarget : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Result<std::vector<TargetMachine>> find(const std::vector<std::string>& names) {
    return find_targets(names, [&] {
      ++asked_;
      return Result<Machine>(measured());
    });
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  int asked_ = 0;
};

TEST_F(PredictionTarget, APublishedMachineKeepsItsFigures) {
  const auto targets = find({"h100-80-sxm5", "zen4-9654"});
  ASSERT_TRUE(targets);
  ASSERT_EQ(targets->size(), 2U);
  const TargetMachine& gpu = targets->at(0);
  EXPECT_EQ(highest_peak(gpu.figures, "fp64", Pipes::vector, Basis::theoretical)->figure.value,
            33.5e12);
  EXPECT_EQ(gpu.fma_shares_pipe, true);
  EXPECT_EQ(gpu.write_allocate, WriteAllocate::never);
  EXPECT_FALSE(targets->at(1).fma_shares_pipe);
  EXPECT_EQ(targets->at(1).write_allocate, WriteAllocate::always);
  EXPECT_EQ(asked_, 0);
}

std::string own_node(const std::string& fields) {
  return R"({"schema": "ridge.specification/1", "name": "our node", )" + fields +
         R"("peaks": [{"precision": "fp64", "value": 3.2e12, "unit": "flop/s"}],
            "bandwidths": [{"level": "DRAM", "value": 3.0e11, "unit": "byte/s"}]})";
}

// The name in its figures, whoever publishes the machine; without one the table of caches.
TEST_F(PredictionTarget, CoresAreThoseThatTheFiguresName) {
  const auto named =
      find({write("named.json", own_node(R"("microarchitecture": "Skylake-X / Cascade Lake",)"))});
  ASSERT_TRUE(named) << named.error().message;
  ASSERT_TRUE(named->at(0).microarchitecture);
  EXPECT_EQ(named->at(0).microarchitecture->name, "Skylake-X / Cascade Lake");
  EXPECT_EQ(named->at(0).fma_shares_pipe, true);
  const auto stated = find({write(
      "stated.json",
      own_node(R"("microarchitecture": "Skylake-X / Cascade Lake", "fma_shares_pipe": false,)"))});
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->at(0).fma_shares_pipe, false) << "what the file says counts";
  const auto unnamed = find({write("plain.json", own_node(""))});
  ASSERT_TRUE(unnamed);
  EXPECT_FALSE(unnamed->at(0).microarchitecture);
  EXPECT_FALSE(unnamed->at(0).fma_shares_pipe.has_value());
  EXPECT_EQ(find({"zen4-9654"})->at(0).microarchitecture->name, "Zen 4");
}

TEST_F(PredictionTarget, AnUnknownCoreIsRefusedWithTheNearestName) {
  const auto found =
      find({write("slip.json", own_node(R"("microarchitecture": "Skylake-X / Cascade Lak",)"))});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::bad_input);
  EXPECT_THAT(found.error().message, HasSubstr("Cascade Lak"));
  EXPECT_THAT(found.error().hint, HasSubstr("Skylake-X / Cascade Lake"));
}

TEST_F(PredictionTarget, EveryCoreThatTheDataBaseNamesIsKnown) {
  for (const Specification& machine : serialize::known_specifications()) {
    const auto target = published_target(machine);
    EXPECT_TRUE(target) << machine.key << ": " << target.error().message;
  }
}

TEST_F(PredictionTarget, ThisIsTheMeasuredMachine) {
  const auto targets = find({"this"});
  ASSERT_TRUE(targets);
  const Specification& figures = targets->at(0).figures;
  EXPECT_EQ(figures.key, "this");
  EXPECT_EQ(main_memory(figures), Level::DRAM);
  const auto* bandwidth = highest_bandwidth(figures, "DRAM", Basis::sustained);
  ASSERT_NE(bandwidth, nullptr);
  EXPECT_EQ(bandwidth->figure.value, 4e10);
  EXPECT_EQ(bandwidth->figure.origin, Origin::measured);
  EXPECT_EQ(targets->at(0).measured, measured());
  EXPECT_TRUE(targets->at(0).microarchitecture);  // Zen 4 by its family and model
  EXPECT_EQ(targets->at(0).fma_shares_pipe, false);
}

TEST_F(PredictionTarget, FilesOfBothKindsAreTold) {
  const std::string own = write("node.json", R"({"schema": "ridge.specification/1",
    "name": "our node", "peaks": [{"precision": "fp64", "value": 3.2e12, "unit": "flop/s"}],
    "bandwidths": [{"level": "DRAM", "value": 3.0e11, "unit": "byte/s"}]})");
  const std::string machine = write("there.json", serialize::write_machine(measured()));
  const auto targets = find({own, machine});
  ASSERT_TRUE(targets) << targets.error().message;
  EXPECT_EQ(targets->at(0).figures.key, "node");
  EXPECT_FALSE(targets->at(0).measured);
  EXPECT_EQ(targets->at(1).figures.key, "there");
  EXPECT_EQ(targets->at(1).measured, measured());
  EXPECT_EQ(asked_, 0);
}

TEST_F(PredictionTarget, WhatIsNoMachineIsRefusedByName) {
  const std::string other = write("p.json", R"({"schema": "ridge.profile/1"})");
  const std::string broken = write("b.json", "{");
  for (const std::string& name :
       {std::string("h100-81-sxm5"), other, broken, folder_.string(),
        (folder_ / "missing.json").string(), std::string("/"), std::string()}) {
    const auto targets = find({name});
    ASSERT_FALSE(targets) << name;
    EXPECT_EQ(targets.error().code, ErrorCode::bad_input) << name;
    EXPECT_THAT(targets.error().message, HasSubstr(name));
    EXPECT_FALSE(targets.error().hint.empty());
  }
  EXPECT_THAT(find({"h100-81-sxm5"}).error().hint, HasSubstr("h100-80-sxm5"));
  EXPECT_EQ(find({"a40", "a40"}).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace ridge::cli
