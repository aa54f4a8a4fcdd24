// What counters mean: values times the amounts of their terms (abi/descriptor.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/value/region.hpp"
#include "measure/instrumented/code/machine_counts.hpp"
#include "measure/instrumented/descriptor.hpp"
#include "measure/instrumented/work_details.hpp"

namespace ridge::measure {

/// What the counters of one region add up to, over all threads.
struct Counts {
  Work work;                      ///< of the machine code where it is known, else of the IR
  std::uint64_t ir_flops = 0;     ///< those of the IR
  std::uint64_t least_flops = 0;  ///< `work` lies between these; they are equal where it is exact
  std::uint64_t most_flops = 0;
  std::uint64_t intops = 0;
  std::uint64_t bytes_loaded = 0;
  std::uint64_t bytes_stored = 0;
  std::uint64_t bytes_non_temporal = 0;  ///< part of bytes_stored
  std::optional<Traffic> spilled;        ///< known where the machine code is
  std::uint64_t entries = 0;
  std::optional<std::uint64_t> iterations;         ///< of the source loop
  std::optional<std::uint64_t> header_executions;  ///< of the optimised loop
  std::map<std::string, std::uint64_t> calls;      ///< by linkage name
  std::map<std::string, std::uint64_t> opaque;     ///< by linkage name
  WorkDetails details;

  Counts& operator+=(const Counts& other);
  /// No work, no bytes, no calls, never entered.
  [[nodiscard]] bool empty() const;
};

/// Of the counters of one region, what one thread counted.
struct CountsOfThread {
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;  ///< loaded and stored
  std::uint64_t iterations = 0;
  std::uint64_t header_executions = 0;
  std::uint64_t entries = 0;

  CountsOfThread& operator+=(const CountsOfThread& other);
};
/// Adds the terms of a counter with this value; `machine`: flops of the machine code, which stand
/// in place of its own.
void add_counter(Counts& counts, const Descriptor& descriptor, std::uint32_t counter,
                 std::uint64_t value, const MachineCounts& machine);
void add_counter(CountsOfThread& counts, const Descriptor& descriptor, std::uint32_t counter,
                 std::uint64_t value, const MachineCounts& machine);

}  // namespace ridge::measure
