#include "launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::wrapper {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr const char* kFolder = "/opt/ridge/bin";

TEST(Launch, ACompilerIsKnownByItsName) {
  for (const char* name : {"cc", "gcc", "/usr/bin/gcc-12", "clang-19", "icx",
                           "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-gcc-12", "ridge-cc"}) {
    EXPECT_EQ(wrapper_in_place_of(name), "ridge-cc") << name;
  }
  for (const char* name : {"c++", "g++", "g++-12.2", "/opt/a b/clang++", "icpx", "ridge-c++"}) {
    EXPECT_EQ(wrapper_in_place_of(name), "ridge-c++") << name;
  }
  for (const char* name : {"gfortran-12", "flang-new", "flang-new-19", "ifx", "ridge-fc"}) {
    EXPECT_EQ(wrapper_in_place_of(name), "ridge-fc") << name;
  }
}

TEST(Launch, WhatIsNoCompilerForThisProcessorIsNotTaken) {
  for (const char* name : {"", "/", "-", "ar", "ld", "python3", "nvcc", "sccache",
                           "x86_64-w64-mingw32-gcc", "aarch64-linux-gnu-gcc", "-c", "a.c", "cc/"}) {
    EXPECT_EQ(wrapper_in_place_of(name), std::nullopt) << name;
    EXPECT_FALSE(launch({name, "-c", "a.c"}, kFolder)) << name;
  }
  EXPECT_FALSE(launch({}, kFolder));
  EXPECT_FALSE(launch({"ccache"}, kFolder));
}

TEST(Launch, TheWrapperTakesThePlaceOfTheCompiler) {
  const auto result = launch({"/usr/bin/g++-12", "-c", "cc", "-o", "a.o"}, kFolder);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->command, ElementsAre("/opt/ridge/bin/ridge-c++", "-c", "cc", "-o", "a.o"));
  EXPECT_THAT(result->environment, ElementsAre(Pair("RIDGE_LAUNCHED", "1")));
  EXPECT_FALSE(result->is_cached);
}

TEST(Launch, ACacheStaysInFront) {
  const auto result = launch({"/usr/bin/ccache", "gcc", "-c", "a.c"}, kFolder);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->command,
              ElementsAre("/usr/bin/ccache", "/opt/ridge/bin/ridge-cc", "-c", "a.c"));
  EXPECT_TRUE(result->is_cached);
}

TEST(Launch, ACompilerOfAnMpiIsToldWhatToStart) {
  const auto c = launch({"mpicc", "-c", "a.c"}, kFolder);
  ASSERT_TRUE(c);
  EXPECT_THAT(c->command, ElementsAre("mpicc", "-c", "a.c"));
  EXPECT_THAT(c->environment, Contains(Pair("OMPI_CC", "/opt/ridge/bin/ridge-cc")));
  EXPECT_THAT(c->environment, Contains(Pair("MPICH_CC", "/opt/ridge/bin/ridge-cc")));
  const auto fortran = launch({"mpif90", "a.f90"}, kFolder);
  ASSERT_TRUE(fortran);
  EXPECT_THAT(fortran->environment, Contains(Pair("OMPI_FC", "/opt/ridge/bin/ridge-fc")));
  const auto cxx = launch({"mpicxx", "a.cpp"}, kFolder);
  ASSERT_TRUE(cxx);
  EXPECT_THAT(cxx->environment, Contains(Pair("MPICH_CXX", "/opt/ridge/bin/ridge-c++")));
}

}  // namespace
}  // namespace ridge::wrapper
