// Rows of the catalogue by field; kernels.cpp puts them into one table.
#pragma once

#include <array>
#include <cstddef>

#include "predict/catalogue/kernels.hpp"

namespace ridge::predict {

inline constexpr std::size_t kDenseKernels = 10;
inline constexpr std::size_t kGridKernels = 6;
inline constexpr std::size_t kSparseKernels = 3;
inline constexpr std::size_t kNetworkKernels = 9;

extern const std::array<Kernel, kDenseKernels> dense_kernels;
extern const std::array<Kernel, kGridKernels> grid_kernels;
extern const std::array<Kernel, kSparseKernels> sparse_kernels;
extern const std::array<Kernel, kNetworkKernels> network_kernels;

}  // namespace ridge::predict
