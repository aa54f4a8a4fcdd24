// From what the machine code of an execution class does to what each of its counters adds.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/instrumented/code/machine_counts.hpp"
#include "measure/instrumented/code/operation_counts.hpp"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {

/// Adds to `counts` what the counters of one class, given by their indices, add with each count
/// when one execution of the class does `work`. Nothing happens where none of them counts
/// executions.
void add_class_work(const Descriptor& descriptor, const std::vector<std::uint32_t>& counters,
                    const WorkRange& work, MachineCounts& counts);

}  // namespace ridge::measure
