#include "measure/instrumented/code/pseudo_probes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kPlaces = 0x5000;
constexpr std::uint64_t kOne = 0x1111;
constexpr std::uint64_t kTwo = 0x2222;

Result<std::vector<Probe>> read(std::vector<SectionBytes> sections) {
  const FileBytes file = elf_file(std::move(sections));
  return machine_code::ElfImage::read(file).and_then(
      [](const machine_code::ElfImage& image) { return read_probes(image); });
}

Result<std::vector<Probe>> read(
    const FileBytes& probes, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places) {
  return read({{RIDGE_PROBED_CODE_SECTION, kPlaces, probed_code(kPlaces, places)},
               {".pseudo_probe", 0, probes}});
}

std::vector<Probe> probes_of(const FileBytes& probes,
                             const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places = {
                                 {kOne, 0x1000}, {kTwo, 0x2000}}) {
  auto found = read(probes, places);
  if (!found) {
    ADD_FAILURE() << found.error().message;
    return {};
  }
  return std::move(*found);
}

/// Two functions, in the order of the file against that of their addresses.
ProbeBytes two_functions() {
  ProbeBytes bytes;
  bytes.function(kTwo, 3);
  bytes.sentinel();
  bytes.after(1, 0);
  bytes.after(2, 300);
  bytes.function(kOne, 3);
  bytes.sentinel();
  bytes.after(2, 0x40);
  bytes.after(1, -0x30);
  return bytes;
}

TEST(PseudoProbes, ASentinelTakesTheFirstInstructionAndOthersTheDistanceToTheOneBefore) {
  EXPECT_THAT(probes_of(two_functions().bytes),
              ElementsAre(Probe{0x1010, {kOne, 1}}, Probe{0x1040, {kOne, 2}},
                          Probe{0x2000, {kTwo, 1}}, Probe{0x2000 + 300, {kTwo, 2}}));
}

TEST(PseudoProbes, DistancesOfEverySizeAndSign) {
  for (const std::int64_t distance :
       {0L, 1L, 63L, 64L, -64L, -65L, 8191L, 8192L, -8192L, -8193L, 0x7FFFFFFFL, -0x80000000L}) {
    ProbeBytes bytes;
    bytes.function(kOne, 2);
    bytes.at_address(1, 0x4000000000);
    bytes.after(2, distance);
    const std::uint64_t second = 0x4000000000 + static_cast<std::uint64_t>(distance);
    const auto found = probes_of(bytes.bytes);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found, ::testing::UnorderedElementsAre(Probe{0x4000000000, {kOne, 1}},
                                                       Probe{second, {kOne, 2}}))
        << distance;
  }
}

TEST(PseudoProbes, ThoseOfOneAddressKeepTheOrderOfTheCode) {
  ProbeBytes bytes;
  bytes.function(kOne, 4);
  bytes.sentinel();
  bytes.after(3, 8);
  bytes.after(1, 0);
  bytes.after(2, 0);
  EXPECT_THAT(
      probes_of(bytes.bytes),
      ElementsAre(Probe{0x1008, {kOne, 3}}, Probe{0x1008, {kOne, 1}}, Probe{0x1008, {kOne, 2}}));
}

TEST(PseudoProbes, FunctionsOfOneIdTakeTheirPlacesInTheOrderOfTheFile) {
  ProbeBytes bytes;
  for (int copy = 0; copy < 2; ++copy) {
    bytes.function(kOne, 2);
    bytes.sentinel();
    bytes.after(1, 4);
  }
  EXPECT_THAT(probes_of(bytes.bytes, {{kOne, 0x3000}, {kTwo, 0x2000}, {kOne, 0x1000}}),
              ElementsAre(Probe{0x1004, {kOne, 1}}, Probe{0x3004, {kOne, 1}}));
  const auto too_few = read(bytes.bytes, {{kOne, 0x3000}});
  ASSERT_FALSE(too_few);
  EXPECT_EQ(too_few.error().code, ErrorCode::bad_input);
}

TEST(PseudoProbes, DiscriminatorsAndInlinedFunctionsAreReadOver) {
  ProbeBytes bytes;
  bytes.function(kOne, 2, 1);
  bytes.sentinel();
  bytes.after_with_discriminator(1, 8, 1000);
  bytes.inlined_at(1);
  bytes.function(kTwo, 1);
  bytes.after(7, 8);
  bytes.function(kOne, 1);
  bytes.at_address(9, 0x1020);
  EXPECT_THAT(
      probes_of(bytes.bytes),
      ElementsAre(Probe{0x1008, {kOne, 1}}, Probe{0x1010, {kTwo, 7}}, Probe{0x1020, {kOne, 9}}));
}

TEST(PseudoProbes, AProgramWithoutTheSectionsHasNone) {
  const FileBytes probes = two_functions().bytes;
  const FileBytes places = probed_code(kPlaces, {{kOne, 0x1000}, {kTwo, 0x2000}});
  EXPECT_THAT(read({}).value(), IsEmpty());
  EXPECT_THAT(read({{".pseudo_probe", 0, probes}}).value(), IsEmpty());
  EXPECT_THAT(read({{RIDGE_PROBED_CODE_SECTION, kPlaces, places}}).value(), IsEmpty());
  EXPECT_THAT(probes_of({}), IsEmpty());
}

TEST(PseudoProbes, WhatNothingPlacesIsRefused) {
  const auto found = read(two_functions().bytes, {{kOne, 0x1000}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::bad_input);
  EXPECT_THAT(found.error().message, ::testing::HasSubstr(".pseudo_probe"));
  // A record of a place that breaks off places nothing.
  FileBytes places = probed_code(kPlaces, {{kTwo, 0x2000}, {kOne, 0x1000}});
  places.pop_back();
  EXPECT_FALSE(read(
      {{RIDGE_PROBED_CODE_SECTION, kPlaces, places}, {".pseudo_probe", 0, two_functions().bytes}}));
}

TEST(PseudoProbes, BrokenOffAnywhereButBetweenFunctionsItIsRefused) {
  const FileBytes whole = two_functions().bytes;
  ProbeBytes first;
  first.function(kTwo, 3);
  first.sentinel();
  first.after(1, 0);
  first.after(2, 300);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto found = read(FileBytes(whole.begin(), whole.begin() + static_cast<long>(length)),
                            {{kOne, 0x1000}, {kTwo, 0x2000}});
    const bool between = length == 0 || length == first.bytes.size();
    ASSERT_EQ(found.has_value(), between) << length;
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::bad_input);
    }
  }
}

TEST(PseudoProbes, HostileCountsAndNumbersAreRefused) {
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  for (const auto& [probes, inlined] :
       {std::pair{kHuge, std::uint64_t{0}}, {std::uint64_t{0}, kHuge}, {std::uint64_t{2}, kHuge}}) {
    ProbeBytes bytes;
    bytes.function(kOne, probes, inlined);
    bytes.sentinel();
    bytes.after(1, 0);
    EXPECT_FALSE(read(bytes.bytes, {{kOne, 0x1000}})) << probes << " " << inlined;
  }
  ProbeBytes endless;  // a number of more than 64 bits
  append(endless.bytes, kOne);
  endless.bytes.insert(endless.bytes.end(), 100, 0xFF);
  EXPECT_FALSE(read(endless.bytes, {{kOne, 0x1000}}));
  ProbeBytes too_large;  // its low half is the number of another probe
  too_large.function(kOne, 2);
  too_large.sentinel();
  too_large.after((std::uint64_t{1} << 32U) + 1, 0);
  EXPECT_FALSE(read(too_large.bytes, {{kOne, 0x1000}}));
}

TEST(PseudoProbes, FunctionsInlinedIntoOneAnotherWithoutEndAreRefused) {
  const auto nested = [](unsigned depth) {
    ProbeBytes bytes;
    bytes.function(kOne, 0, 1);
    for (unsigned i = 1; i <= depth; ++i) {
      bytes.inlined_at(1);
      bytes.function(kOne, 0, i < depth ? 1 : 0);
    }
    return read(bytes.bytes, {}).has_value();
  };
  EXPECT_TRUE(nested(20));
  EXPECT_FALSE(nested(100000));
}

}  // namespace
}  // namespace ridge::measure
