// The state of a fully associative cache with least-recently-used replacement through which x and a
// stream pass: traffic.cpp feeds it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ridge::spmv {

/// Lengths in 2^-16 byte, so that sums are exact.
using FixedBytes = std::int64_t;

struct CacheModel {
  FixedBytes cache;
  FixedBytes line;        ///< of the stream; a power of two
  FixedBytes group;       ///< what the columns that come and go together take
  FixedBytes group_step;  ///< `group` over the share of groups that are simulated
};

/// Groups of columns by the time of their last use. A group is present from a use on until what
/// came since (other groups, lines of the stream) no longer fits beside it.
///
/// No list: the last uses are bits along the time axis, of which the first one is the oldest group;
/// a use clears the bit of the one before. `Source::first_after(t)` says where the stream's first
/// line begins that came after the use at t; it is asked for ascending t. Times count from 1.
template <class Time, class Source>
class RecencyList {
 public:
  RecencyList(Source& source, const CacheModel& model, std::size_t groups, std::size_t times)
      : source_(source), model_(model), last_(groups, 0), is_last_(times / 64 + 1, 0) {}

  /// Uses `group` while the stream is in the line that begins at `stream`; whether it was loaded.
  bool use(Time now, std::size_t group, FixedBytes stream) {
    while (present_ * model_.group_step + stream > limit_) {
      clear(oldest_);
      --present_;
      seek(oldest_ + 1);
    }
    const Time before = last_[group];
    const bool loaded = before < oldest_;
    last_[group] = now;
    set(now);
    if (loaded) {
      if (++present_ == 1) {
        seek(now);
      }
    } else {
      clear(before);
      if (before == oldest_) {
        seek(oldest_ + 1);
      }
    }
    return loaded;
  }

 private:
  static constexpr Time kNone = std::numeric_limits<Time>::max();

  void set(Time time) { is_last_[time / 64] |= std::uint64_t{1} << (time % 64); }
  void clear(Time time) { is_last_[time / 64] &= ~(std::uint64_t{1} << (time % 64)); }

  /// The oldest group is the first one last used at `from` or later.
  void seek(Time from) {
    if (present_ == 0) {
      oldest_ = kNone;
      limit_ = std::numeric_limits<FixedBytes>::max();
      return;
    }
    std::size_t word = from / 64;
    std::uint64_t bits = is_last_[word] & (~std::uint64_t{0} << (from % 64));
    while (bits == 0) {
      bits = is_last_[++word];
    }
    oldest_ = static_cast<Time>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    // Fits: (present - 1) steps, the group itself and the lines from first_after to `stream`.
    limit_ = model_.cache + model_.group_step - model_.group - model_.line +
             source_.first_after(oldest_);
  }

  Source& source_;
  const CacheModel model_;
  std::vector<Time> last_;
  std::vector<std::uint64_t> is_last_;
  Time oldest_ = kNone;
  std::int64_t present_ = 0;
  FixedBytes limit_ = std::numeric_limits<FixedBytes>::max();
};

}  // namespace ridge::spmv
