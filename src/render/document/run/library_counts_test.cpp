#include "render/document/run/library_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Region code(const char* name, std::optional<std::uint64_t> flops) {
  Region region;
  region.name = name;
  if (flops) {
    work_of(region).add(Precision::fp64, OperationKind::fma, 256, *flops);
  }
  return region;
}

LibraryCall call(const char* name, std::optional<std::uint64_t> flops) {
  return {name, "64 x 64", std::nullopt, 1, flops, std::nullopt, Seconds(1.0)};
}

/// 1003 flops counted in OpenBLAS, 1000 by the formulas of dgemm and dgetrf; no FFTW.
Profile solver() {
  Profile profile;
  Region program = code("solve", 2000);
  program.kind = RegionKind::program;
  profile.regions = {program,
                     code("dgemm_kernel_HASWELL in libopenblasp-r0.3.21.so", 900),
                     code("libopenblasp-r0.3.21.so+0x1b40", 100),
                     code("dgemm_kernel_SKYLAKEX in libopenblasp-r0.3.21.so", std::nullopt),
                     code("dgetrf_ in liblapack.so.3", 3),
                     code("exp in libm.so.6", 500),
                     code("solve", 497)};
  profile.library_calls = {call("dgemm", 600), call("dgetrf", 400)};
  return profile;
}

TEST(LibraryCounts, AreThoseOfTheLibrariesThatWereCalled) {
  const auto found = counted_libraries(solver());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].family, "BLAS and LAPACK");
  EXPECT_EQ(found[0].counted, 1003U);
  EXPECT_DOUBLE_EQ(found[0].modelled, 1000.0);
  EXPECT_THAT(found[0].files, ElementsAre("libopenblasp-r0.3.21.so", "liblapack.so.3"));
  EXPECT_THAT(words_of(found[0]), testing::HasSubstr("0.3 % more than"));
}

TEST(LibraryCounts, WithoutCallsOrWithoutCountsThereAreNone) {
  Profile profile = solver();
  profile.library_calls.clear();
  EXPECT_THAT(counted_libraries(profile), IsEmpty());
  profile = solver();
  profile.origins.flops = Origin::modelled;
  EXPECT_THAT(counted_libraries(profile), IsEmpty());
  profile = solver();
  profile.regions.resize(1);
  EXPECT_THAT(counted_libraries(profile), IsEmpty());
}

/// Calls are known of all of them.
TEST(LibraryCounts, OfAPartOfTheProcessesThereAreNone) {
  Profile profile = solver();
  profile.regions[1].partial = true;
  EXPECT_THAT(counted_libraries(profile), IsEmpty());
  profile = solver();
  profile.regions[3].notes = {{"work-of-some-ranks", ""}};
  EXPECT_THAT(counted_libraries(profile), IsEmpty());
  profile = solver();
  profile.regions.front().flops.reset();
  EXPECT_THAT(counted_libraries(profile), IsEmpty());
}

TEST(LibraryCounts, MarkersAreNotCountedOnceMore) {
  Profile profile = solver();
  profile.regions.push_back(code("in libblas.so.3", 7));
  profile.regions.back().overlaps = true;
  EXPECT_EQ(counted_libraries(profile).front().counted, 1003U);
}

TEST(LibraryCounts, CallsWithoutAFormulaAreNamedAndNothingIsCompared) {
  Profile profile = solver();
  profile.library_calls.push_back(call("cblas_dgemm_batch", std::nullopt));
  const auto found = counted_libraries(profile);
  EXPECT_THAT(found.front().without_formula, ElementsAre("cblas_dgemm_batch"));
  EXPECT_THAT(words_of(found.front()), testing::Not(testing::HasSubstr("%")));
}

TEST(LibraryCounts, TransformsStandApartAndPlansAreNoCalls) {
  Profile profile = solver();
  profile.regions.push_back(code("n1_64 in libfftw3.so.3.6.9", 450));
  profile.library_calls.push_back(call("fftw_plan", std::nullopt));
  EXPECT_THAT(counted_libraries(profile), SizeIs(1)) << "planned, never executed";
  profile.library_calls.push_back(call("fftw_execute", 500));
  const auto found = counted_libraries(profile);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].family, "FFTW");
  EXPECT_EQ(found[1].counted, 450U);
  EXPECT_TRUE(found[1].has_plans);
  EXPECT_THAT(found[1].without_formula, IsEmpty());
}

/// What MKL computes for transforms is not told apart from what it computes for matrices.
TEST(LibraryCounts, OfALibraryForBothTheyAreOne) {
  Profile profile = solver();
  profile.regions.push_back(code("in libmkl_avx2.so.2", 400));
  EXPECT_EQ(counted_libraries(profile).front().family, "BLAS and LAPACK");
  profile.library_calls.push_back(call("fftw_execute", 500));
  const auto found = counted_libraries(profile);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].family, "BLAS, LAPACK and FFTW");
  EXPECT_EQ(found[0].counted, 1403U);
  EXPECT_DOUBLE_EQ(found[0].modelled, 1500.0);
}

}  // namespace

void library_counts_sentences(tests::Sentences& sentences) {
  Profile profile = solver();
  profile.regions.push_back(code("n1_64 in libfftw3.so.3.6.9", 450));
  profile.library_calls.push_back(call("fftw_plan", std::nullopt));
  profile.library_calls.push_back(call("fftw_execute", 500));
  for (const CountedLibraries& libraries : counted_libraries(profile)) {
    sentences.add("counted beside modelled: " + libraries.family, words_of(libraries));
  }
  CountedLibraries same = counted_libraries(profile).front();
  same.modelled = 1003.2;
  sentences.add("counted beside modelled: the same", words_of(same));
  same.modelled = 0.0;
  sentences.add("counted beside modelled: calls without work", words_of(same));
  same.without_formula = {"dgemm_batch", "dgesv"};
  sentences.add("counted beside modelled: no formula", words_of(same));
}

}  // namespace ridge::render
