// The time that a machine's roofs allow each layer of a network.
#pragma once

#include "core/network.hpp"
#include "core/result.hpp"
#include "core/specification.hpp"

namespace ridge::predict {

/// Per layer max(work / peak, bytes / bandwidth of the main memory), summed. Products are held
/// against the matrix pipes of their precision, else the vector pipes; all else against the vector
/// pipes, of the next wider precision where their own is not known. Every fallback is a note.
/// Numbers of the `preferred` basis are used where they are known, else of the other.
///
/// Errors: `bad_input` when no peak of the products' floating-point precision is known ("no fp16
/// peak known") or no bandwidth of a memory.
[[nodiscard]] Result<NetworkTimes> times_of(const Network& network, const Specification& machine,
                                            Basis preferred = Basis::theoretical);

}  // namespace ridge::predict
