// The roof of the network: what the links between ranks allow a program that exchanges messages.
#pragma once

#include <optional>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// From the calls of MPI of the profile and the interconnect of its machine; nullopt without one of
/// them. Every message takes at least a latency, and its bytes over the bandwidth of a rank while
/// all ranks send: T >= N lambda + V / b (Hockney 1994), a loose bound, since collective operations
/// send their bytes more than once. With several nodes the links between nodes count, as if all
/// messages took them.
[[nodiscard]] std::optional<CommunicationBound> communication_bound(const Profile& profile);

}  // namespace ridge::predict
