// A machine, a profile and its prediction, shaped like a measured one, for the tests of rendering.
#pragma once

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::render::fixture {

/// 2 cores of a Zen 4 at 3.7 GHz: 32 KiB, 1 MiB, 32 MiB; ceilings for 1 and 2 threads.
[[nodiscard]] Machine zen4();

/// The same after a full characterisation: measured roofs, sustained rates, a node, notes.
[[nodiscard]] Machine characterised();

/// A Jacobi sweep and a conjugate gradient, 2 threads: nine regions with time, three of them
/// without floating-point work, one cut midway, one with an uncertain share, one never sampled.
[[nodiscard]] Profile profile();

/// The bounds of profile(), by hand: min(P_max, I * b) over the levels.
[[nodiscard]] Prediction prediction(const Profile& profile);

/// `count` loops of equal time with work and traffic.
[[nodiscard]] Profile many_loops(unsigned count);

}  // namespace ridge::render::fixture
