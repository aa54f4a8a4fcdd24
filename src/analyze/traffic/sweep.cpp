#include "analyze/traffic/sweep.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::analyze {

void Sweep::begin_anew() {
  counters_.assign(space_->loops(), 0);
  row_trips_ = -1;
  is_at_end_ = false;
}

void Sweep::jump_to(double part) {
  begin_anew();
  double rest = std::clamp(part, 0.0, 1.0);
  const std::size_t last = space_->loops() == 1 ? 1 : space_->loops() - 1;
  for (std::size_t loop = 0; loop < last; ++loop) {
    const std::int64_t trips = space_->trips(loop, counters_);
    const double at = rest * static_cast<double>(trips);
    counters_[loop] = std::clamp<std::int64_t>(static_cast<std::int64_t>(at), 0,
                                               std::max<std::int64_t>(0, trips - 1));
    rest = at - static_cast<double>(counters_[loop]);
  }
}

std::int64_t Sweep::element_at(const PlacedAccess& access, std::int64_t address) {
  if (access.indices == nullptr) {
    return address;
  }
  const auto count = static_cast<std::int64_t>(access.indices->size());
  const std::int64_t index = std::clamp<std::int64_t>(address / access.index_bytes, 0, count - 1);
  return access.begin + access.bytes * (*access.indices)[static_cast<std::size_t>(index)];
}

/// Accesses of outer loops: loads before what is inside, stores after it.
void Sweep::access_around(bool before) {
  const std::size_t loops = space_->loops();
  const std::int64_t inner = counters_.back();
  for (const PlacedAccess& access : space_->accesses()) {
    if (access.depth == loops || access.is_write == before) {
      continue;
    }
    // Those of a loop further out only when all loops inside it begin or end.
    bool is_due = true;
    for (std::size_t loop = access.depth; loop + 1 < loops; ++loop) {
      const std::int64_t edge = before ? 0 : space_->trips(loop, counters_) - 1;
      is_due = is_due && counters_[loop] == edge;
    }
    if (is_due) {
      counters_.back() = 0;
      caches_->access(element_at(access, access.address.at(counters_)),
                      CacheSimulation::kind_of(access.bytes, access.is_write));
      counters_.back() = inner;
    }
  }
}

void Sweep::run_iteration(std::int64_t inner) {
  if (is_linear_) {
    for (const RowAccess& access : row_) {
      caches_->access(access.address + access.step * inner, access.kind);
    }
    return;
  }
  counters_.back() = inner;
  for (const RowAccess& access : row_) {
    caches_->access(element_at(*access.access, access.access->address.at(counters_)), access.kind);
  }
}

void Sweep::run_row(std::int64_t begin, std::int64_t end, bool thinned) {
  const std::int64_t step = thinned ? space_->iterations_per_line() : 1;
  std::int64_t inner = begin;
  for (; inner < end; inner += step) {
    run_iteration(inner);
  }
  if (inner - step < end - 1) {
    run_iteration(end - 1);
  }
  counters_.back() = end;
}

void Sweep::enter_row() {
  row_trips_ = space_->trips(space_->loops() - 1, counters_);
  const std::int64_t inner = counters_.back();
  if (inner == 0) {
    access_around(true);
  }
  row_.clear();
  is_linear_ = true;
  for (const PlacedAccess& access : space_->accesses()) {
    if (access.depth != space_->loops()) {
      continue;
    }
    counters_.back() = 0;
    const std::int64_t first = access.address.at(counters_);
    counters_.back() = 1;
    row_.push_back({first, access.address.at(counters_) - first,
                    CacheSimulation::kind_of(access.bytes, access.is_write), &access});
    is_linear_ =
        is_linear_ && access.indices == nullptr && access.address.degree(space_->loops() - 1) <= 1;
  }
  counters_.back() = inner;
}

/// Whether the loops around the innermost one are entered here.
bool Sweep::is_inside() const {
  for (std::size_t loop = 0; loop + 1 < space_->loops(); ++loop) {
    if (counters_[loop] >= space_->trips(loop, counters_)) {
      return false;
    }
  }
  return true;
}

/// The next iteration of the loops around the innermost one; false: there is none.
bool Sweep::next_row() {
  row_trips_ = -1;
  counters_.back() = 0;
  for (std::size_t loop = space_->loops() - 1; loop-- > 0;) {
    if (++counters_[loop] < space_->trips(loop, counters_)) {
      return true;
    }
    counters_[loop] = 0;
  }
  return false;
}

std::int64_t Sweep::advance(std::int64_t iterations, bool thinned) {
  std::int64_t passed = 0;
  while (passed < iterations && !is_at_end_) {
    if (row_trips_ < 0 && !is_inside()) {
      is_at_end_ = !next_row();
      continue;
    }
    if (row_trips_ < 0) {
      enter_row();
    }
    const std::int64_t begin = counters_.back();
    const std::int64_t left = row_trips_ - begin;
    const std::int64_t now = std::min(left, iterations - passed);
    run_row(begin, begin + now, thinned);
    passed += now;
    if (counters_.back() >= row_trips_) {
      access_around(false);
      is_at_end_ = !next_row();
    }
  }
  return passed;
}

std::int64_t Sweep::whole(bool thinned) {
  begin_anew();
  return advance(INT64_MAX, thinned);
}

void Sweep::touch_arrays() {
  constexpr std::int64_t kLine = 64;
  for (const PlacedArray& array : space_->arrays()) {
    const std::int64_t end = array.first + array.bytes;
    for (std::int64_t line = array.first / kLine; line * kLine < end; ++line) {
      caches_->access(line * kLine, CacheSimulation::kind_of(1, array.is_written));
    }
  }
}

}  // namespace ridge::analyze
