// How the bandwidth of a shared level grows with the cores that draw from it. Pure.
//
// b(n) = min(n b1, b): cores add up what each can draw alone until the level gives no more. It is
// the ECM model's P(n) = min(n P1, I b) for a loop of intensity I that memory binds on one core
// too, P1 = I b1 (H. Stengel, J. Treibig, G. Hager, G. Wellein, "Quantifying performance
// bottlenecks of stencil computations using the Execution-Cache-Memory model", ICS 2015). Near the
// knee machines draw somewhat less.
#pragma once

namespace ridge::predict {

/// byte/s that so many cores draw together. `one_core` and `full`: byte/s, positive. `cores`: at
/// least 1.
[[nodiscard]] double saturated_bandwidth(double one_core, double full, unsigned cores);

/// The fewest cores that draw `full`: ceil(full / one_core), at least 1, at most 2^32 - 1.
[[nodiscard]] unsigned saturating_cores(double one_core, double full);

}  // namespace ridge::predict
