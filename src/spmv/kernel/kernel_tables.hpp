// Where kernels.cpp finds what each of kernels_*.cpp compiled.
#pragma once

#include "spmv/kernel/kernels.hpp"

namespace ridge::spmv {

template <class Value, class Vector, class Index>
const Kernels<Value, Vector, Index>& kernels_portable();
template <class Value, class Vector, class Index>
const Kernels<Value, Vector, Index>& kernels_avx2();
template <class Value, class Vector, class Index>
const Kernels<Value, Vector, Index>& kernels_avx512();

}  // namespace ridge::spmv
