// Short forms for the tests of the catalogue and of the resource model.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "predict/catalogue/kernels.hpp"
#include "predict/projection/target_machine.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict::testing {

using Sizes = std::vector<std::pair<std::string, double>>;

inline SizedKernel sized(std::string_view kernel, const Sizes& sizes,
                         std::string_view precision = "fp64") {
  std::vector<Assignment> given;
  for (const auto& [name, value] : sizes) {
    given.push_back({name, fmt::format("{:.17g}", value)});
  }
  return size_kernel(*find_kernel(kernel), given, precision).value();
}

inline double flops(const SizedKernel& kernel) {
  return static_cast<double>(kernel.demand.work.flops());
}
inline double bytes(const SizedKernel& kernel, bool write_allocate = false) {
  return static_cast<double>(kernel.demand.least.total(write_allocate));
}
inline double intensity(const SizedKernel& kernel, bool write_allocate = false) {
  return flops(kernel) / bytes(kernel, write_allocate);
}

/// Peaks and one memory; add, mul and fma side by side and no write-allocate unless said.
inline TargetMachine target_with(double peak, double bandwidth,
                                 const std::string& precision = "fp64",
                                 Level memory = Level::DRAM) {
  Specification figures;
  figures.key = "case";
  figures.name = "a machine of the tests";
  figures.peaks = {{precision, Pipes::vector, Basis::theoretical, {}, {peak}}};
  figures.bandwidths = {{memory, Basis::theoretical, {}, {bandwidth}}};
  TargetMachine target = target_from(std::move(figures));
  target.fma_shares_pipe = false;
  target.write_allocate = WriteAllocate::never;
  return target;
}

inline Demand demand_of(double flop, double byte) {
  Demand demand;
  demand.name = "case";
  demand.precision = "fp64";
  demand.work.fma = static_cast<std::uint64_t>(std::llround(flop));
  demand.least.read = static_cast<std::uint64_t>(std::llround(byte));
  return demand;
}

}  // namespace ridge::predict::testing
