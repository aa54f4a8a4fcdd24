// Some of the stacks of a run, however long it is: each with the same chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "platform/stack_sample.hpp"

namespace ridge::measure::binary {

class StackReservoir {
 public:
  explicit StackReservoir(std::size_t most = kMost) : most_(most) {}

  void add(std::vector<platform::StackSample> stacks);
  [[nodiscard]] std::vector<platform::StackSample> finish() { return std::move(kept_); }

  static constexpr std::size_t kMost = 1024;  ///< 40 MiB

 private:
  std::size_t most_;
  std::uint64_t seen_ = 0;
  std::mt19937_64 random_;  // NOLINT(cert-msc51-cpp): the same stacks each time
  std::vector<platform::StackSample> kept_;
};

}  // namespace ridge::measure::binary
