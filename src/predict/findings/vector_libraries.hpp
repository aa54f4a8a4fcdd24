// Which mathematical functions the compiler can compute several at a time.
#pragma once

#include <string_view>

namespace ridge::predict {

/// What clang 19 makes of a loop over y[i] = f(x[i]) for x86-64 with -fno-math-errno.
enum class VectorForm {
  none,
  glibc,  ///< -fveclib=libmvec: a part of glibc
  intel,  ///< -fveclib=SVML: a library of Intel's compiler
};

/// Of a function of libm, or its float form ("expf"). An end-to-end test compiles all of them.
[[nodiscard]] VectorForm vector_form(std::string_view function);

/// What to do about calls of it: the flags, or that there are none.
[[nodiscard]] std::string_view vector_advice(std::string_view function);

}  // namespace ridge::predict
