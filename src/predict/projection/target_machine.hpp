// From what is known of a machine to the value that predictions are made for.
#pragma once

#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// GPUs: add, mul and fma share one pipe (Yang 2020) and stores do not allocate lines (gpu-benches:
/// scale moves two streams, triad three). Of other machines neither is published: stores are
/// assumed to allocate, sharing is what the file says, else true where `microarchitecture` has one
/// pipe for all three, or unknown. `microarchitecture`: of its cores; null: unknown. Caches without
/// a figure of their own get its rates (cache_rates.hpp).
[[nodiscard]] TargetMachine target_from(Specification specification,
                                        const Microarchitecture* microarchitecture = nullptr);

/// `microarchitecture` may be null (unknown CPU). The key is "this".
[[nodiscard]] TargetMachine target_from(Machine machine,
                                        const Microarchitecture* microarchitecture);

/// Peaks and bandwidths from the ceilings of so many threads, in place of those that are there.
void take_ceilings(Specification& figures, const Machine& machine, unsigned threads);

/// The same part `count` times (sockets of a node, GPUs of a server): cores, peaks, bandwidths,
/// links and sizes of what is not a core's own. Nothing crosses between the parts, and a note says
/// so. Of a measured machine: nothing, its ceilings are of the whole; returns false.
[[nodiscard]] bool multiply_parts(TargetMachine& target, unsigned count);

}  // namespace ridge::predict
