#include "predict/projection/roofline_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/spectrum.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/projection/target_machine.hpp"

namespace ridge::predict {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const LineChoices kAllCeilings{
    .isas = {Isa::avx2}, .no_fma = true, .no_simd = true, .one_core = true};

/// Two units of each operation at every width, as Skylake-SP has them.
Microarchitecture skylake() {
  Microarchitecture core;
  core.name = "Skylake-SP";
  core.pipe_groups = {{Operation::add, Operation::mul, Operation::fma}};
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
    Microarchitecture::IsaLimits limits;
    limits.isa = isa;
    limits.fma_units = limits.add_units = limits.mul_units = 2.0;
    core.isas.push_back(limits);
  }
  return core;
}

/// 20 cores at 2.4 GHz (boost 3.7), 32 flop a cycle: 1536 GFlop/s, 128 GB/s.
Specification gold() {
  Specification machine;
  machine.key = "gold";
  machine.name = "Xeon Gold";
  machine.cores = Figure{20};
  machine.clock = Figure{2.4e9};
  machine.boost_clock = Figure{3.7e9};
  machine.fp64_flops_per_cycle_and_core = Figure{32};
  machine.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, {20 * 2.4e9 * 32}}};
  machine.bandwidths = {{"DRAM", Basis::theoretical, {}, {128e9}}};
  return machine;
}

const RooflineLine* find(const RooflineMachine& machine, RooflineKind kind,
                         bool bandwidth = false) {
  for (const RooflineLine& line : machine.lines) {
    if (line.kind == kind && line.level.has_value() == bandwidth) {
      return &line;
    }
  }
  return nullptr;
}

std::string notes_of(const RooflineMachine& machine) {
  std::string all;
  for (const Note& note : machine.notes) {
    all += note.code + ": " + note.text + "\n";
  }
  return all;
}

/// Two 512-bit pipes whose width is the core's choice: 32 flop a cycle, as A64FX.
TEST(RooflineLines, ACoreThatChoosesItsWidthHasLinesToo) {
  Microarchitecture core;
  core.name = "wide Arm";
  core.pipe_groups = {{Operation::add, Operation::mul, Operation::fma}};
  for (const Isa isa : {Isa::scalar, Isa::neon, Isa::sve}) {
    Microarchitecture::IsaLimits limits;
    limits.isa = isa;
    limits.vector_bits = isa == Isa::sve ? std::optional(512U) : std::nullopt;
    limits.fma_units = limits.add_units = limits.mul_units = 2.0;
    core.isas.push_back(limits);
  }
  LineChoices choices = kAllCeilings;
  choices.isas = {Isa::neon};
  const RooflineMachine made = roofline_lines(target_from(gold(), &core), choices);
  constexpr double kCycles = 20 * 2.4e9;
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_fma)->rate, kCycles * 2 * 8);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::isa)->rate, kCycles * 2 * 2 * 2);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_simd)->rate, kCycles * 2 * 1 * 2);
}

TEST(RooflineLines, CeilingsOfAKnownCoreAreUnitsTimesLanesTimesClock) {
  const Microarchitecture core = skylake();
  const RooflineMachine made = roofline_lines(target_from(gold(), &core), kAllCeilings);
  constexpr double kCycles = 20 * 2.4e9;
  ASSERT_NE(find(made, RooflineKind::roof), nullptr);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::roof)->rate, 1536e9);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_fma)->rate, kCycles * 2 * 8 * 1);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::isa)->rate, kCycles * 2 * 4 * 2);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_simd)->rate, kCycles * 2 * 1 * 2);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::one_core)->rate, 3.7e9 * 32);
  EXPECT_EQ(find(made, RooflineKind::no_simd)->origin, Origin::modelled);
  EXPECT_EQ(find(made, RooflineKind::isa)->words, "fp64 AVX2");
  EXPECT_EQ(find(made, RooflineKind::one_core, true), nullptr) << "nobody published it";
  EXPECT_THAT(notes_of(made), HasSubstr("one core draws from DRAM alone is not known"));
}

TEST(RooflineLines, OneCoreDrawsWhatSomebodyPublishedOfOneCore) {
  Specification machine = gold();
  machine.bandwidths.push_back({"DRAM", Basis::sustained, "load", {13.5e9}, 1U});
  const RooflineMachine made = roofline_lines(target_from(machine), {.one_core = true});
  ASSERT_NE(find(made, RooflineKind::one_core, true), nullptr);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::one_core, true)->rate, 13.5e9);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::roof, true)->rate, 128e9);
}

TEST(RooflineLines, PipesOfAdditionsOfTheirOwnAreSaid) {
  Microarchitecture core = skylake();
  core.pipe_groups = {{Operation::mul, Operation::fma}, {Operation::add}};
  core.isas.back().add_units = 1.0;
  const RooflineMachine made = roofline_lines(target_from(gold(), &core), {.no_fma = true});
  EXPECT_EQ(find(made, RooflineKind::no_fma)->words, "fp64 adds alone");
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_fma)->rate, 20 * 2.4e9 * 1 * 8);
  EXPECT_THAT(notes_of(made), HasSubstr("separate-pipes"));
}

TEST(RooflineLines, NothingFollowsFromAPartWithOneUnitOfTwo) {
  const Microarchitecture core = skylake();
  Specification bronze = gold();
  bronze.fp64_flops_per_cycle_and_core = Figure{16};
  bronze.peaks[0].figure.value = 20 * 2.4e9 * 16;
  const RooflineMachine made = roofline_lines(target_from(bronze, &core), kAllCeilings);
  EXPECT_EQ(find(made, RooflineKind::no_simd), nullptr);
  EXPECT_EQ(find(made, RooflineKind::isa), nullptr);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_fma)->rate, 20 * 2.4e9 * 8)
      << "its one unit is shared by all operations too";
  EXPECT_THAT(notes_of(made), HasSubstr("does not follow from what is known of its cores"));
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::one_core)->rate, 3.7e9 * 16);
}

TEST(RooflineLines, WithoutFlopPerCycleThePeakMustBeAtAPublishedClock) {
  const Microarchitecture core = skylake();
  Specification machine = gold();
  machine.fp64_flops_per_cycle_and_core.reset();
  EXPECT_NE(
      find(roofline_lines(target_from(machine, &core), {.no_simd = true}), RooflineKind::no_simd),
      nullptr);
  machine.peaks[0].figure.value *= 0.7;  // at an AVX-512 clock that nobody published
  const RooflineMachine made = roofline_lines(target_from(machine, &core), kAllCeilings);
  EXPECT_EQ(find(made, RooflineKind::no_simd), nullptr);
  EXPECT_EQ(find(made, RooflineKind::one_core), nullptr) << "one core alone runs faster";
}

TEST(RooflineLines, AnUnknownCoreGivesTheRoofsAlone) {
  const RooflineMachine made = roofline_lines(target_from(gold()), kAllCeilings);
  EXPECT_EQ(find(made, RooflineKind::no_fma), nullptr);
  EXPECT_EQ(find(made, RooflineKind::no_simd), nullptr);
  EXPECT_THAT(notes_of(made), HasSubstr("no microarchitecture whose pipes are known"));
  Specification told = gold();
  told.fma_shares_pipe = true;
  EXPECT_DOUBLE_EQ(
      find(roofline_lines(target_from(told), {.no_fma = true}), RooflineKind::no_fma)->rate, 768e9);
}

TEST(RooflineLines, OfAGpuHalfWithoutFmaAndOneMultiprocessor) {
  const auto derived = derive_machine("sms=80 lanes=64 fp64_lanes=32 clock=1.53G HBM=900GB/s");
  ASSERT_TRUE(derived);
  const RooflineMachine made = roofline_lines(derived->target, kAllCeilings);
  const double peak = 80 * 32 * 1.53e9 * 2;
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::one_core)->rate, peak / 80);
  EXPECT_EQ(find(made, RooflineKind::one_core)->words, "fp64 one multiprocessor");
  EXPECT_EQ(find(made, RooflineKind::no_simd), nullptr);
  EXPECT_THAT(notes_of(made), HasSubstr("is one of CPUs"));
  const RooflineMachine published =
      roofline_lines(target_from(derived->target.figures), {.no_fma = true});
  EXPECT_DOUBLE_EQ(find(published, RooflineKind::no_fma)->rate, peak / 2);
}

TEST(RooflineLines, UnitsThatTheUserGaveHaveALineWithoutFma) {
  const auto derived = derive_machine("cores=64 clock=2.45G simd=512 fma=2 DRAM=200GB/s");
  ASSERT_TRUE(derived);
  const RooflineMachine made = roofline_lines(derived->target, {.no_fma = true});
  ASSERT_NE(find(made, RooflineKind::no_fma), nullptr);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_fma)->rate, 64 * 2.45e9 * 2 * 8);
  EXPECT_THAT(notes_of(made), HasSubstr("told-units"));
  // A peak that was given as a rate says nothing of units.
  const auto rate = derive_machine("fp64=200G DRAM=35GB/s");
  ASSERT_TRUE(rate);
  const RooflineMachine unknown = roofline_lines(rate->target, {.no_fma = true});
  EXPECT_EQ(find(unknown, RooflineKind::no_fma), nullptr);
  EXPECT_THAT(notes_of(unknown), HasSubstr("without FMA is not known"));
}

TEST(RooflineLines, LevelsPrecisionsAndPipesAreChosen) {
  Specification machine = gold();
  machine.bandwidths.insert(machine.bandwidths.begin(), {"L2", Basis::theoretical, {}, {3e12}});
  machine.peaks.push_back({"fp16", Pipes::matrix, Basis::theoretical, {}, {9e12}});
  const TargetMachine target = target_from(machine);
  EXPECT_THAT(roofline_lines(target, {}).lines, SizeIs(3));
  EXPECT_THAT(roofline_lines(target, {.memory_only = true}).lines, SizeIs(2));
  const RooflineMachine inner = roofline_lines(target, {.levels = {Level::L2}});
  ASSERT_THAT(inner.lines, SizeIs(2));
  EXPECT_EQ(inner.lines[0].level, Level::L2);
  EXPECT_THAT(notes_of(roofline_lines(target, {.levels = {Level::L1}})),
              HasSubstr("gold: no bandwidth of L1 is known"));
  const RooflineMachine half =
      roofline_lines(target, {.precisions = {"fp16"}, .matrix_pipes = true});
  EXPECT_EQ(half.lines.back().words, "fp16 matrix");
  EXPECT_THAT(notes_of(roofline_lines(target, {.precisions = {"bf16"}})),
              HasSubstr("gold: no bf16 peak is known"));
}

Ceiling compute(Isa isa, Operation operation, unsigned threads, double rate) {
  Ceiling ceiling = ceiling_of({ComputeKey{"fp64", isa, operation, threads}});
  ceiling.value = Estimate<FlopsPerSecond>{
      FlopsPerSecond(rate), FlopsPerSecond(rate), FlopsPerSecond(rate), FlopsPerSecond(rate), 1,
      Origin::simulated};
  return ceiling;
}

TEST(RooflineLines, OfAMeasuredMachineAreMeasured) {
  Machine machine;
  machine.name = "here";
  machine.topology = Topology{1, 1, 2, 2};
  machine.memories = {{Level::DRAM, std::nullopt}};
  machine.ceilings = {compute(Isa::avx512, Operation::fma, 2, 140e9),
                      compute(Isa::avx512, Operation::add, 2, 71e9),
                      compute(Isa::avx512, Operation::mul_add, 2, 75e9),
                      compute(Isa::avx2, Operation::fma, 2, 72e9),
                      compute(Isa::scalar, Operation::fma, 2, 18e9),
                      compute(Isa::avx512, Operation::fma, 1, 71e9)};
  const RooflineMachine made = roofline_lines(target_from(machine, nullptr), kAllCeilings);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::roof)->rate, 140e9);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_fma)->rate, 75e9) << "of add, mul and their mix";
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::isa)->rate, 72e9);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::no_simd)->rate, 18e9);
  EXPECT_DOUBLE_EQ(find(made, RooflineKind::one_core)->rate, 71e9);
  EXPECT_EQ(find(made, RooflineKind::one_core)->origin, Origin::simulated) << "the ceiling's own";
  EXPECT_EQ(find(made, RooflineKind::roof)->basis, Basis::sustained);
}

TEST(Spectrum, IsThatOfTheCataloguesFormulas) {
  const std::vector<SpectrumBand> bands = intensity_spectrum();
  ASSERT_THAT(bands, SizeIs(5));
  const auto band = [&](const char* name) {
    for (const SpectrumBand& each : bands) {
      if (each.name == name) {
        return each;
      }
    }
    return SpectrumBand{};
  };
  // 2 n^3 flop; A, B read, C written and read by write-allocate, 8 byte each.
  EXPECT_DOUBLE_EQ(band("GEMM").low, 2.0 * 64 / (8 * 4));
  EXPECT_DOUBLE_EQ(band("GEMM").high, 2.0 * 4096 / (8 * 3));
  // 5 n log2 n flop; complex points of 16 byte read, written, write-allocated.
  EXPECT_DOUBLE_EQ(band("FFT").low, 5.0 * 10 / 48);
  EXPECT_DOUBLE_EQ(band("FFT").high, 5.0 * 30 / 32);
  // 7 flop for each point: 6 additions, a multiplication.
  EXPECT_NEAR(band("stencil").low, 7.0 / 24, 1e-9);
  EXPECT_NEAR(band("stencil").high, 7.0 / 16, 1e-9);
  // Hager: B_c = 6 + 4 alpha + 10 / N_nzr byte/flop for sums into y, alpha = 1 / N_nzr.
  EXPECT_NEAR(band("SpMV").low, 1.0 / (6.0 + 14.0 / 3.0), 1e-6);
  EXPECT_NEAR(band("SpMV").high, 1.0 / (6.0 + 14.0 / 100.0), 1e-6);
  EXPECT_DOUBLE_EQ(band("N-body").low, 20.0 * 1000 / 80);
  EXPECT_TRUE(std::is_sorted(bands.begin(), bands.end(),
                             [](const auto& a, const auto& b) { return a.low < b.low; }));
}

}  // namespace
}  // namespace ridge::predict
