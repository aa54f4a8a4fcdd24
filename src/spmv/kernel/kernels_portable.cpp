#include "spmv/kernel/kernel_loops.hpp"
#include "spmv/kernel/kernel_tables.hpp"

namespace ridge::spmv {

template <class Value, class Vector, class Index>
const Kernels<Value, Vector, Index>& kernels_portable() {
  return kTable<Value, Vector, Index>;
}

template const Kernels<double, double, std::int32_t>& kernels_portable();
template const Kernels<double, double, std::int64_t>& kernels_portable();
template const Kernels<float, float, std::int32_t>& kernels_portable();
template const Kernels<float, float, std::int64_t>& kernels_portable();
template const Kernels<float, double, std::int32_t>& kernels_portable();
template const Kernels<float, double, std::int64_t>& kernels_portable();

}  // namespace ridge::spmv
