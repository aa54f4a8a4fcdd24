// From what the machine code of an execution class does to what each of its counters adds.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "measure/code/operation_counts.hpp"
#include "measure/instrumented/code/machine_counts.hpp"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {

/// Adds to `counts` what the counters of one class, given by their indices, add with each count
/// when one execution of the class does `work`. Nothing happens where none of them counts
/// executions. Bytes of the frame beyond those of the IR are spilled registers; they go to the
/// counter that loads and stores most. Where copies of the code and ways through it differ, it is
/// the least.
void add_class_work(const Descriptor& descriptor, const std::vector<std::uint32_t>& counters,
                    const WorkRange& work, std::map<std::uint32_t, CounterWork>& counts);

}  // namespace ridge::measure
