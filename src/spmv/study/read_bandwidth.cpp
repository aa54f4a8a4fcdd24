#include "spmv/study/read_bandwidth.hpp"

#include <algorithm>
#include <cmath>

#include "spmv/study/stopwatch.hpp"

namespace ridge::spmv {

ReadBandwidth::ReadBandwidth(std::uint64_t bytes, int threads, Isa isa, Seconds least)
    : buffer_(std::max<std::size_t>(bytes / sizeof(double), 512)),
      work_(Work::shared_out(static_cast<std::int64_t>(buffer_.size()), threads,
                             [](std::int64_t i) { return i; })),
      table_(&kernels<double, double, std::int32_t>(isa)) {
  run_parts(work_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int /*thread*/) {
    std::fill(buffer_.begin() + first, buffer_.begin() + last, 1.0);
  });
  passes_ = static_cast<int>(
      std::clamp(std::ceil(least.value() / std::max(pass_seconds(1, 1), 1e-9)), 1.0, 1e6));
  double best = pass_seconds(1, passes_);
  for (const int streams : {2, 4}) {
    for (int repetition = 0; repetition < 3; ++repetition) {
      const double seconds = pass_seconds(streams, passes_);
      if (seconds < best) {
        best = seconds;
        streams_ = streams;
      }
      best = std::min(best, streams_ == 1 ? pass_seconds(1, passes_) : best);
    }
  }
}

double ReadBandwidth::pass_seconds(int streams, int passes) {
  std::vector<double> sums(static_cast<std::size_t>(work_.threads()) * 8, 0);
  const Stopwatch watch;
  for (int pass = 0; pass < passes; ++pass) {
    run_parts(work_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int thread) {
      sums[static_cast<std::size_t>(thread) * 8] +=
          table_->read(buffer_.data() + first, last - first, streams);
    });
  }
  const double seconds = watch.seconds();
  // The sums are looked at, so that no compiler leaves the reading out.
  return sums[0] < 0 ? 0 : seconds / passes;
}

BytesPerSecond ReadBandwidth::measure() {
  return BytesPerSecond(static_cast<double>(buffer_.size() * sizeof(double)) /
                        pass_seconds(streams_, passes_));
}

}  // namespace ridge::spmv
