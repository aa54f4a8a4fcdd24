#include "spmv/kernel/kernels.hpp"

#include "spmv/kernel/kernel_tables.hpp"

namespace ridge::spmv {

Isa widest_isa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    return Isa::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return Isa::avx2;
  }
#endif
  return Isa::portable;
}

template <class Value, class Vector, class Index>
const Kernels<Value, Vector, Index>& kernels(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return kernels_avx512<Value, Vector, Index>();
    case Isa::avx2:
      return kernels_avx2<Value, Vector, Index>();
    case Isa::portable:
      break;
  }
  return kernels_portable<Value, Vector, Index>();
}

template const Kernels<double, double, std::int32_t>& kernels(Isa);
template const Kernels<double, double, std::int64_t>& kernels(Isa);
template const Kernels<float, float, std::int32_t>& kernels(Isa);
template const Kernels<float, float, std::int64_t>& kernels(Isa);
template const Kernels<float, double, std::int32_t>& kernels(Isa);
template const Kernels<float, double, std::int64_t>& kernels(Isa);

}  // namespace ridge::spmv
