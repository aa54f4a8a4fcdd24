#include "measure/code/fortran_names.hpp"

#include <gtest/gtest.h>

#include "measure/code/names.hpp"

namespace ridge::measure {
namespace {

TEST(FortranName, OfGfortran) {
  EXPECT_EQ(fortran_name("__heat_MOD_step"), "heat::step");
  EXPECT_EQ(fortran_name("__heat_MOD_step.constprop.0"), "heat::step");
  EXPECT_EQ(fortran_name("MAIN__"), "main program");
}

TEST(FortranName, OfIntel) {
  EXPECT_EQ(fortran_name("heat_mp_step_"), "heat::step");
}

TEST(FortranName, OfFlang) {
  EXPECT_EQ(fortran_name("_QMheatPstep"), "heat::step");
  EXPECT_EQ(fortran_name("_QMheatPstep..omp_par"), "heat::step");
  EXPECT_EQ(fortran_name("_QMheatSdetailPstep_2"), "heat::detail::step_2");
  EXPECT_EQ(fortran_name("_QMheatFrunPstep"), "heat::run::step");
  EXPECT_EQ(fortran_name("_QFPinner"), "inner") << "of the main program";
  EXPECT_EQ(fortran_name("_QFrunPinner"), "run::inner");
  EXPECT_EQ(fortran_name("_QQmain"), "main program");
}

TEST(FortranName, OtherNamesAreNone) {
  for (const char* name :
       {"",         "dgemm_",    "main",   "___MOD_", "__MOD_",     "__heat_MOD_", "_mp_",
        "_mp__",    "a_mp_",     "x_mp_y", "_Q",      "_QM",        "_QF",         "_QP",
        "_QMheatE", "_QMheatEx", "_QX",    "_QMHeat", "_ZN2ns1fEi", "_Quux"}) {
    EXPECT_EQ(fortran_name(name), std::nullopt) << name;
  }
}

TEST(FortranName, StandsForTheLinkageName) {
  EXPECT_EQ(readable_name("_QMheatPstep"), "heat::step");
  EXPECT_EQ(readable_name("_ZN2ns1fEi"), "ns::f");
}

}  // namespace
}  // namespace ridge::measure
