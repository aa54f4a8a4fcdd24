// The time that a machine's roofs allow each layer of a network.
#pragma once

#include <optional>

#include "core/result.hpp"
#include "core/value/network.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// From the call of an empty kernel to its end on a V100, each waited for: 7.15 us, what CSCS's
/// regression test of kernel latency expects (eth-cscs/cscs-reframe-tests, partition
/// ault:intelv100).
inline constexpr double kLaunchSeconds = 7.15e-6;

struct TimeChoices {
  /// Absent: sustained figures of measured machines, theoretical ones of others. Where one is not
  /// known, the other stands in.
  std::optional<Basis> basis{};
  std::optional<double> launch_seconds{};  ///< to start one kernel; 0: costs nothing
};

/// Per layer max(work / peak, bytes / bandwidth of the main memory), summed. Products are held
/// against the matrix pipes of their precision, else the vector pipes; all else against the vector
/// pipes, of the next wider precision where their own is not known. Where add, mul and fma share a
/// pipe, vector work that is no fma is charged double; where stores allocate lines, outputs are
/// read before they are written. Every such choice is a note.
///
/// On GPUs and accelerators each layer that moves anything is a kernel, and starting it takes a
/// time that is added: kernels of a network depend on one another. It is the one asked for, else
/// the machine's, else on GPUs kLaunchSeconds (docs/decisions/0206).
///
/// Errors: `bad_input` when no peak of the products' floating-point precision is known ("no fp16
/// peak known") or no bandwidth of a memory.
[[nodiscard]] Result<NetworkTimes> times_of(const Network& network, const TargetMachine& target,
                                            const TimeChoices& choices = {});

}  // namespace ridge::predict
