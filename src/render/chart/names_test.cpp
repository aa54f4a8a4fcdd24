#include "render/chart/names.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

TEST(CeilingWords, FollowTheContract) {
  EXPECT_EQ(ceiling_words(to_string(ComputeKey{"fp64", Isa::avx512, Operation::fma_add, 2})),
            "AVX-512 FMA+ADD");
  EXPECT_EQ(ceiling_words(to_string(ComputeKey{"fp32", Isa::scalar, Operation::add, 1})),
            "Scalar ADD fp32");
  EXPECT_EQ(ceiling_words(to_string(BandwidthKey{"DRAM", Pattern::copy, Isa::avx2, 1})),
            "DRAM bandwidth (copy)");
  EXPECT_EQ(brief_ceiling_words(to_string(BandwidthKey{"L2", Pattern::load, Isa::avx2, 1})),
            "L2 load");
  EXPECT_EQ(brief_ceiling_words("compute.fp64.avx2.fma.t1"), "AVX2 FMA");
}

TEST(CeilingWords, UnknownIdsStayAsTheyAre) {
  EXPECT_EQ(ceiling_words("interconnect"), "interconnect");
  EXPECT_EQ(ceiling_words("compute.fp64"), "compute.fp64");
  EXPECT_EQ(ceiling_words(""), "");
  EXPECT_EQ(ceiling_words("bandwidth.\x1b.x"), "\uFFFD bandwidth (x)");
}

TEST(CeilingWords, OfACeilingEqualThoseOfItsId) {
  Ceiling ceiling;
  ceiling.kind = CeilingKind::compute;
  ceiling.precision = "fp32";
  ceiling.isa = Isa::avx2;
  ceiling.operation = Operation::mul;
  ceiling.id = to_string(ComputeKey{"fp32", Isa::avx2, Operation::mul, 1});
  EXPECT_EQ(ceiling_words(ceiling), ceiling_words(ceiling.id));
}

Region region_at(const std::string& name, const std::string& file, unsigned line) {
  Region region;
  region.name = name;
  region.file = file;
  region.line = line;
  return region;
}

TEST(FittedName, LosesScopesThenItsEnd) {
  EXPECT_EQ(fitted_name("physics::detail::bude<a::b>", 30), "physics::detail::bude<a::b>");
  EXPECT_EQ(fitted_name("physics::detail::bude<a::b>", 18), "\u2026bude<a::b>");
  EXPECT_EQ(fitted_name("physics::detail::bude<a::b>", 22), "\u2026detail::bude<a::b>");
  EXPECT_EQ(fitted_name("physics::detail::bude<a::b>", 8), "bude<a:\u2026");
  EXPECT_EQ(fitted_name("physics::bude", 8, false), "...bude");
  EXPECT_EQ(fitted_name("Eigen::internal::redux_implementation::run", 20),
            "\u2026redux_implementati\u2026");
}

TEST(Where, SaysForWhomThreadsWait) {
  Region wait;
  wait.kind = RegionKind::library;
  wait.name = "omp wait";
  wait.function = "EvalEOSForElems";
  EXPECT_EQ(where(wait, 40), "waits at the end of EvalEOSForElems");
  EXPECT_EQ(where(wait, 20), "wait EvalEOSForElems");
  wait.function = "physics::detail::f<1, 2>";
  EXPECT_EQ(where(wait, wait.function, 40, true), "physics::detail::f<1, 2>");
  EXPECT_EQ(where(wait, "waits in physics::detail::f<1, 2>", 20, true), "wait \u2026f<1, 2>");
  wait.wait = WaitKind::join;
  wait.name = "waits at the end of EvalEOSForElems";
  wait.file = "lulesh.cc";
  wait.line = 2022;
  EXPECT_EQ(where(wait, 60), "waits at the end of EvalEOSForElems lulesh.cc:2022");
  EXPECT_EQ(where(wait, 25), "wait EvalEOSForElems:2022");
}

TEST(Where, LosesFolderThenFileThenTheEndOfTheName) {
  const Region region = region_at("jacobi_sweep_inner", "examples/heat2d/heat2d.cpp", 48);
  EXPECT_EQ(where(region, 60), "jacobi_sweep_inner examples/heat2d/heat2d.cpp:48");
  EXPECT_EQ(where(region, 33), "jacobi_sweep_inner heat2d.cpp:48");
  EXPECT_EQ(where(region, 28), "jacobi_sweep_inner:48");
  EXPECT_EQ(where(region, 12), "jacobi_s\u2026:48");
  for (std::size_t width = 1; width < 60; ++width) {
    EXPECT_LE(display_width(where(region, width)), std::max<std::size_t>(width, 3)) << width;
    EXPECT_LE(display_width(where(region, width, false)), std::max<std::size_t>(width, 3));
  }
}

TEST(Where, SaysThePlaceOnce) {
  Region region = region_at("main heat.cpp:5", "src/heat.cpp", 5);
  EXPECT_EQ(plain_name(region), "main");
  EXPECT_EQ(where(region, 60), "main src/heat.cpp:5");
  region.name = "main heat.cpp:5:17";
  region.column = 17;
  EXPECT_EQ(plain_name(region), "main");
  EXPECT_EQ(where(region, 60), "main src/heat.cpp:5:17");
  region.name = "main heat.cpp:51";  // another line
  EXPECT_EQ(plain_name(region), "main heat.cpp:51");
  region.name = "main heat.cpp:5 again";
  EXPECT_EQ(plain_name(region), "main heat.cpp:5 again");
  region.file.reset();
  EXPECT_EQ(plain_name(region), "main heat.cpp:5 again");
}

TEST(Where, WithoutFileOrName) {
  Region region;
  region.name = "in libm.so.6";
  EXPECT_EQ(where(region, 40), "in libm.so.6");
  region.name = "";
  region.function = "main";
  EXPECT_EQ(where(region, 40), "main");
}

TEST(CommandLine, QuotesWhatNeedsIt) {
  EXPECT_EQ(command_line({"./a", "b c", "", "it's"}), "./a 'b c' '' 'it'\\''s'");
  EXPECT_EQ(command_line({}), "");
}

TEST(ProgramName, IsTheFileName) {
  Profile profile;
  EXPECT_EQ(program_name(profile), "program");
  profile.program.argv = {"/usr/bin/solver", "x"};
  EXPECT_EQ(program_name(profile), "solver");
  profile.program.argv = {"dir/"};
  EXPECT_EQ(program_name(profile), "program");
}

}  // namespace
}  // namespace ridge::render
