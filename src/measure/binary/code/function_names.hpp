// What compilers append to the names of functions when they cut, copy or outline them.
#pragma once

#include <string_view>

namespace ridge::measure::binary {

struct FunctionPart {
  std::string_view function;  ///< linkage name of the function whose code it is
  bool outlined = false;      ///< body of an OpenMP construct in it: a function of its own
  bool entered = true;        ///< by calls; false: by jumps from the rest of the function (.cold)
};

/// "f" of "f.cold", "f.part.0", "f.constprop.0.isra.0"; "f", outlined, of "f._omp_fn.0" (GCC),
/// "f.omp_outlined" (LLVM), "f.extracted", "f.DIR.OMP.PARALLEL.2" (ICX), and
/// "L_f_12__par_loop0_2_0" (ICC). Refers to `symbol`.
[[nodiscard]] FunctionPart function_part(std::string_view symbol);

}  // namespace ridge::measure::binary
