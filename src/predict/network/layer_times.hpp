// The time that a machine's roofs allow each layer of a network.
#pragma once

#include <optional>

#include "core/result.hpp"
#include "core/value/network.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// Per layer max(work / peak, bytes / bandwidth of the main memory), summed. Products are held
/// against the matrix pipes of their precision, else the vector pipes; all else against the vector
/// pipes, of the next wider precision where their own is not known. Where add, mul and fma share a
/// pipe, vector work that is no fma is charged double; where stores allocate lines, outputs are
/// read before they are written. Every such choice is a note. Without a `basis`: sustained figures
/// of measured machines, theoretical ones of others; where one is not known, the other.
///
/// Errors: `bad_input` when no peak of the products' floating-point precision is known ("no fp16
/// peak known") or no bandwidth of a memory.
[[nodiscard]] Result<NetworkTimes> times_of(const Network& network, const TargetMachine& target,
                                            std::optional<Basis> basis = {});

}  // namespace ridge::predict
