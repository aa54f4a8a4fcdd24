// How a product runs fastest here: kind of gather, prefetch distances. By short timing.
#pragma once

#include <functional>
#include <vector>

#include "spmv/format/product.hpp"

namespace ridge::spmv {

/// Whether Tuning::stream_y has an effect: the kernels write whole vectors of y, rows in order, and
/// the instruction set has stores that bypass the caches.
[[nodiscard]] bool can_stream_y(const Format& format, Isa isa);

/// Ways worth trying for a format.
[[nodiscard]] std::vector<Tuning> tunings_for(const Format& format, Isa isa);

/// The tuning of the least median time; the product keeps it. `multiply` runs it once.
/// Candidates take turns, `rounds` times.
template <class Vector>
Tuning tune(Product<Vector>& product, const Vector* x, Vector* y, int rounds = 5);

}  // namespace ridge::spmv
