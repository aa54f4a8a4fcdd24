#include "spmv/study/tune.hpp"

#include <algorithm>
#include <chrono>

namespace ridge::spmv {
namespace {

// Distances that gained most where they gained (docs/spmv.md): 16 columns of a chunk of 32 rows,
// 6 of them for x. From a cache none is best.
constexpr std::int32_t kStreamAhead = 512;
constexpr std::int32_t kXAhead = 192;

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace

bool can_stream_y(const Format& format, Isa isa) {
  if (isa == Isa::portable) {
    return false;
  }
  switch (format.kind) {
    case FormatKind::pattern:
      return true;
    case FormatKind::sell:
    case FormatKind::sell_short:
    case FormatKind::gather_blocked:
      return format.sigma == 1;
    default:
      return false;
  }
}

std::vector<Tuning> tunings_for(const Format& format, Isa isa) {
  const FormatKind kind = format.kind;
  if (kind == FormatKind::bcsr || kind == FormatKind::binned || kind == FormatKind::symmetric) {
    return {{}};
  }
  std::vector<Tuning> tunings = {{Gather::emulated, 0, 0}, {Gather::emulated, kStreamAhead, 0}};
  if (can_stream_y(format, isa)) {
    const std::int32_t ahead = kind == FormatKind::pattern ? 2 * kStreamAhead : kStreamAhead;
    tunings.push_back({Gather::emulated, 0, 0, true});
    tunings.push_back({Gather::emulated, ahead, 0, true});
  }
  if (kind != FormatKind::blocked_pattern) {
    tunings.push_back({Gather::emulated, kStreamAhead, kXAhead});
  }
  if (kind == FormatKind::csr) {
    tunings.push_back({Gather::scalar, 0, 0});
    tunings.push_back({Gather::scalar, kStreamAhead, 0});
  }
  if (isa != Isa::portable && (kind == FormatKind::csr || kind == FormatKind::sell)) {
    tunings.push_back({Gather::hardware, 0, 0});
    tunings.push_back({Gather::hardware, kStreamAhead, 0});
  }
  return tunings;
}

template <class Vector>
Tuning tune(Product<Vector>& product, const Vector* x, Vector* y, int rounds) {
  const std::vector<Tuning> tunings = tunings_for(product.format(), product.execution().isa);
  Execution execution = product.execution();
  std::vector<std::vector<double>> times(tunings.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < tunings.size(); ++i) {
      execution.tuning = tunings[i];
      product.set(execution);
      const auto begin = std::chrono::steady_clock::now();
      product.multiply(1, x, 0, y);
      times[i].push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < tunings.size(); ++i) {
    if (median(times[i]) < median(times[best])) {
      best = i;
    }
  }
  execution.tuning = tunings[best];
  product.set(execution);
  return tunings[best];
}

template Tuning tune(Product<double>&, const double*, double*, int);
template Tuning tune(Product<float>&, const float*, float*, int);

}  // namespace ridge::spmv
