// The loops of kernels.hpp. Internal to kernels_*.cpp, each of which compiles them for one
// instruction set (kernel_lanes.hpp).
#pragma once

#include "spmv/kernel/kernel_binned.hpp"
#include "spmv/kernel/kernel_pattern.hpp"
#include "spmv/kernel/kernel_rows.hpp"
#include "spmv/kernel/kernel_sell.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

template <int streams, class Vector>
Vector read_streams(const Vector* from, Place count) {
  constexpr int kEach = 8 / streams;
  const Place length = count / streams / (kEach * kLanes) * (kEach * kLanes);
  Lanes<Vector> sums[8] = {};
  for (Place i = 0; i < length; i += Place{kEach} * kLanes) {
    for (int s = 0; s < streams; ++s) {
      for (int k = 0; k < kEach; ++k) {
        sums[s * kEach + k] += load(from + s * length + i + k * kLanes);
      }
    }
  }
  for (int k = 1; k < 8; ++k) {
    sums[0] += sums[k];
  }
  Vector rest = 0;
  for (Place i = streams * length; i < count; ++i) {
    rest += from[i];
  }
  return sum<Vector>(sums[0]) + rest;
}

template <class Vector>
Vector read(const Vector* from, Place count, int streams) {
  return streams == 1   ? read_streams<1>(from, count)
         : streams == 2 ? read_streams<2>(from, count)
                        : read_streams<4>(from, count);
}

template <class Value, class Vector, class Index>
constexpr Kernels<Value, Vector, Index> kTable = {
    csr<Value, Vector, Index>,          sell<Value, Vector, Index>,
    pattern<Value, Vector, Index>,      bcsr<Value, Vector, Index>,
    gather_block<Value, Vector, Index>, multiply_strips<Value, Vector, Index>,
    sum_bins<Value, Vector, Index>,     symmetric<Value, Vector, Index>,
    csr_many<Value, Vector, Index>,     read<Vector>,
};

}  // namespace
}  // namespace ridge::spmv
