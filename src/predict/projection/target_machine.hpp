// From what is known of a machine to the value that predictions are made for.
#pragma once

#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// GPUs: add, mul and fma share one pipe (Yang 2020) and stores do not allocate lines (gpu-benches:
/// scale moves two streams, triad three). Of other machines neither is published: stores are
/// assumed to allocate, sharing is what the file says, or unknown.
[[nodiscard]] TargetMachine target_from(Specification specification);

/// `microarchitecture` may be null (unknown CPU). The key is "this".
[[nodiscard]] TargetMachine target_from(Machine machine,
                                        const Microarchitecture* microarchitecture);

}  // namespace ridge::predict
