#include "measure/binary/code/function_names.hpp"

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

TEST(FunctionPart, OfWhatCompilersCutOffAndCopy) {
  EXPECT_EQ(function_part("f").function, "f");
  EXPECT_TRUE(function_part("f").entered);
  for (const char* symbol : {"f.part.0", "f.constprop.0.isra.0", "f.lto_priv.3", "f.cold"}) {
    EXPECT_EQ(function_part(symbol).function, "f") << symbol;
    EXPECT_FALSE(function_part(symbol).outlined) << symbol;
  }
  EXPECT_TRUE(function_part("f.part.0").entered);
  EXPECT_FALSE(function_part("f.cold").entered);
  EXPECT_FALSE(function_part("f.part.0.cold").entered);
}

TEST(FunctionPart, OfBodiesThatOpenMpOutlines) {
  for (const char* symbol : {"f._omp_fn.0", "f.omp_outlined", "f.omp_outlined_debug__",
                             "f.omp_outlined.3", "f.extracted", "f.DIR.OMP.PARALLEL.2.split",
                             "L_f_12__par_loop0_2_0", "L_f_7__par_region0_2_4"}) {
    EXPECT_EQ(function_part(symbol).function, "f") << symbol;
    EXPECT_TRUE(function_part(symbol).outlined) << symbol;
  }
  EXPECT_EQ(function_part("L_solve_all_120__par_loop0_2_0").function, "solve_all");
}

TEST(FunctionPart, LeavesOtherNamesAlone) {
  for (const char* symbol : {"", "L_", "L_f__par_loop0", "L__par_", "_Z1fv", ".hidden"}) {
    EXPECT_EQ(function_part(symbol).function, symbol);
    EXPECT_FALSE(function_part(symbol).outlined) << symbol;
  }
}

}  // namespace
}  // namespace ridge::measure::binary
