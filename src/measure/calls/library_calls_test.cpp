#include "measure/calls/library_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/calls/library_work.hpp"

namespace ridge::measure {
namespace {

using testing::SizeIs;

double flops(const char* name, std::uint64_t m, std::uint64_t n = 0, std::uint64_t k = 0,
             std::uint64_t more = 0) {
  return library_work(name, {m, n, k, more}).flops.value_or(-1.0);
}

TEST(LibraryWork, ProductsOfMatrices) {
  EXPECT_EQ(flops("dgemm", 4096, 4096, 256), 2.0 * 4096 * 4096 * 256);
  EXPECT_EQ(flops("zgemm", 10, 20, 30), 8.0 * 10 * 20 * 30);
  EXPECT_EQ(library_work("dgemm", {4096, 4096, 256, 0}).sizes, "4096 x 4096 x 256");
  EXPECT_EQ(library_work("sgemm", {2, 3, 4, 0}).bytes, 4.0 * (8 + 12 + 6));
  EXPECT_EQ(library_work("zgemm", {2, 3, 4, 0}).bytes, 16.0 * (8 + 12 + 6));
  EXPECT_EQ(flops("dsyrk", 10, 4), 4.0 * 10 * 11);
  EXPECT_EQ(flops("dsyr2k", 10, 4), 2.0 * 4 * 100 + 10);
}

TEST(LibraryWork, TheSideSaysWhichOrderCounts) {
  EXPECT_EQ(flops("dtrsm", 20, 30, 1), 30.0 * 20 * 20);
  EXPECT_EQ(flops("dtrsm", 20, 30, 2), 20.0 * 30 * 30);
  EXPECT_EQ(flops("dsymm", 20, 30, 2), 2.0 * 20 * 30 * 30);
  EXPECT_EQ(library_work("dtrsm", {20, 30, 2, 0}).sizes, "20 x 30, right");
}

TEST(LibraryWork, MatricesAndVectors) {
  EXPECT_EQ(flops("dgemv", 10, 20), 400.0);
  EXPECT_EQ(flops("cgerc", 10, 20), 1600.0);
  EXPECT_EQ(flops("dtrmv", 10), 100.0);
  EXPECT_EQ(flops("daxpy", 10), 20.0);
  EXPECT_EQ(flops("zaxpy", 10), 80.0);
  EXPECT_EQ(flops("dznrm2", 10), 40.0);
  EXPECT_EQ(flops("zdscal", 10), 20.0);
  EXPECT_EQ(flops("dcopy", 10), 0.0);
}

/// Leading terms, and both branches where a formula has two.
TEST(LibraryWork, Factorisations) {
  EXPECT_NEAR(flops("dgetrf", 1000, 1000) / 1e9, 2.0 / 3.0, 1e-3);
  EXPECT_NEAR(flops("dgetrf", 2, 2), 5.0, 1e-9)
      << "two reciprocals, two multiplications, one subtraction";
  EXPECT_EQ(flops("dgetrf", 30, 20), flops("dgetrf", 20, 30));
  EXPECT_NEAR(flops("dpotrf", 1000) / 1e9, 1.0 / 3.0, 1e-3);
  EXPECT_NEAR(flops("dpotrf", 1), 1.0, 1e-9) << "one square root";
  EXPECT_NEAR(flops("dgeqrf", 1000, 1000) / 1e9, 4.0 / 3.0, 5e-3);
  EXPECT_NEAR(flops("dgeqrf", 3000, 1000) / 1e9, 2.0 * 3.0 - 2.0 / 3.0, 1e-2);
  EXPECT_NEAR(flops("zpotrf", 1000) / flops("dpotrf", 1000), 4.0, 1e-2);
}

TEST(LibraryWork, Transforms) {
  EXPECT_DOUBLE_EQ(flops("fftw_execute", 1024, 0, 0, 1), 5.0 * 1024 * 10);
  EXPECT_DOUBLE_EQ(flops("fftw_execute", 32, 16, 0, 1 | RIDGE_CALL_REAL), 2.5 * 512 * 9);
  EXPECT_DOUBLE_EQ(flops("fftwf_execute", 128, 0, 0, 5), 5.0 * 5 * 128 * 7);
  EXPECT_EQ(library_work("fftw_execute", {32, 16, 0, 5 | RIDGE_CALL_REAL}).sizes,
            "32 x 16, 5 at once, real");
  EXPECT_EQ(library_work("fftw_execute", {}), LibraryWork{}) << "the plan is not known";
  EXPECT_EQ(library_work("fftw_plan", {8, 0, 0, 1}).flops, std::nullopt);
}

TEST(LibraryWork, OtherNamesHaveNone) {
  for (const char* name : {"", "d", "gemm", "xgemm", "dgesvd"}) {
    EXPECT_EQ(library_work(name, {1, 2, 3, 4}), LibraryWork{}) << name;
  }
}

TEST(LibraryCalls, AreSummedByFunctionSizesAndRegion) {
  RecordedCall call;
  call.name = "dgemm";
  call.sizes = {10, 10, 10, 0};
  call.calls = 3;
  call.seconds = 0.5;
  RecordedProcess process;
  process.layer = RIDGE_LAYER_LIBRARIES;
  process.calls = {call, call};
  process.calls[1].offset = 77;
  RecordedProcess mpi;
  mpi.calls = {call};
  Profile profile;
  profile.regions.emplace_back().id = 4;
  add_library_calls(profile, std::vector{process, mpi},
                    [](const RecordedProcess&, const RecordedCall&) { return std::optional(4U); });
  ASSERT_THAT(profile.library_calls, SizeIs(1));
  const LibraryCall& found = profile.library_calls[0];
  EXPECT_EQ(found.sizes, "10 x 10 x 10");
  EXPECT_EQ(found.region, 4U);
  EXPECT_EQ(found.calls, 6U);
  EXPECT_EQ(found.flops, 12000U);
  EXPECT_EQ(found.bytes, 6U * 300 * 8);
  EXPECT_EQ(found.seconds, Seconds(1.0));
}

TEST(LibraryCalls, NotesSayWhatIsMissing) {
  Profile profile;
  const RegionOfCall none = [](const RecordedProcess&, const RecordedCall&) {
    return std::optional<std::uint32_t>();
  };
  RecordedProcess process;
  process.layer = RIDGE_LAYER_LIBRARIES;
  process.lost = 1;
  add_library_calls(profile, std::vector{process}, none);
  ASSERT_THAT(profile.notes, SizeIs(2));
  EXPECT_EQ(profile.notes[0].code, "library-calls-lost");
  EXPECT_EQ(profile.notes[1].code, "no-library-calls");
}

TEST(LibraryCalls, MoreThanAnyCountIsNotKnown) {
  RecordedCall call;
  call.name = "dgemm";
  call.sizes = {~0ULL, ~0ULL, ~0ULL, 0};
  call.calls = ~0ULL;
  RecordedProcess process;
  process.layer = RIDGE_LAYER_LIBRARIES;
  process.calls = {call};
  Profile profile;
  const RegionOfCall none = [](const RecordedProcess&, const RecordedCall&) {
    return std::optional<std::uint32_t>();
  };
  add_library_calls(profile, std::vector{process}, none);
  EXPECT_EQ(profile.library_calls.at(0).flops, std::nullopt);
}

}  // namespace
}  // namespace ridge::measure
