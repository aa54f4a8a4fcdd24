// Values between samples, and transforms: Resize, GridSample, DFT, STFT.
#include <cmath>
#include <string>

#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Work = std::optional<OperatorWork>;
using Shape = std::vector<std::uint64_t>;

/// One value between n^d samples, dimension by dimension: 1 + n + ... + n^(d-1) sums of n products.
/// The weights of a place along a dimension are the same for all and made beforehand.
Count interpolation(std::uint64_t taps, std::size_t dimensions) {
  Count sums = 0;
  Count lines = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    sums += lines;
    lines *= taps;
  }
  return 2 * Count(taps) * sums;
}

Work resize(const OperatorView& view) {
  const std::string mode = view.text("mode", "nearest");
  const Shape from = view.input_shape(0);
  const Shape to = view.output_shape();
  if (mode == "nearest") {
    return OperatorWork{};
  }
  if ((mode != "linear" && mode != "cubic") || from.size() != to.size()) {
    return std::nullopt;
  }
  std::size_t dimensions = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    dimensions += from[axis] != to[axis] ? 1 : 0;
    if (to[axis] < from[axis] && view.integer("antialias", 0) != 0) {
      return std::nullopt;  // as many samples as fall into one
    }
  }
  const Count work = interpolation(mode == "cubic" ? 4 : 2, dimensions) * view.output_size();
  OperatorWork result{work, 0, {}};
  result.fma = work;
  return result;
}

/// Per place and dimension: 2 to scale its coordinate, and of linear ones 2 for the two weights, of
/// cubic ones 1 for the distance and 6 (3 fma) for each of four weights; then per channel the
/// interpolation.
Work sample_grid(const OperatorView& view) {
  const std::string mode = view.text("mode", view.opset() >= 20 ? "linear" : "bilinear");
  const Shape to = view.output_shape();
  if (to.size() < 3 || view.output_size().too_large()) {
    return std::nullopt;
  }
  const std::size_t dimensions = to.size() - 2;
  const Count places = Count(to[0]) * product_of(to, 2);
  if (mode == "nearest") {
    return OperatorWork{2 * Count(dimensions) * places, 0, {}};
  }
  const bool cubic = mode == "cubic" || mode == "bicubic";
  if (!cubic && mode != "linear" && mode != "bilinear") {
    return std::nullopt;
  }
  const Count fma = interpolation(cubic ? 4 : 2, dimensions) * view.output_size();
  OperatorWork work{fma + Count(cubic ? 27 : 4) * dimensions * places, 0, {}};
  work.fma = fma;
  return work;
}

/// 5 n log2 n of a complex transform of n values, half of it of a real one: the count by which FFTs
/// are published (FFTW), also where n is no power of 2.
std::optional<Count> transform(std::uint64_t length, bool real) {
  if (length > kLargestCount / 512) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(length);
  const double work = length > 1 ? (real ? 2.5 : 5.0) * n * std::log2(n) : 0.0;
  return Count(static_cast<std::uint64_t>(std::llround(work)));
}

/// [batch, ..., 1 or 2]. From version 20 on the axis is an input, which is only clear where there
/// is one; a length that is an input, where the result shows it.
Work fourier(const OperatorView& view) {
  const Shape from = view.input_shape(0);
  const Shape to = view.output_shape();
  const auto rank = static_cast<std::int64_t>(from.size());
  if (rank < 2 || to.size() != from.size() || (view.input(2) != nullptr && rank != 3)) {
    return std::nullopt;
  }
  std::int64_t axis = view.opset() >= 20 ? rank - 2 : view.integer("axis", 1);
  axis = axis < 0 ? axis + rank : axis;
  const bool half = view.integer("onesided", 0) != 0;
  if (axis < 0 || axis >= rank || (half && view.input(1) != nullptr)) {
    return std::nullopt;
  }
  const auto place = static_cast<std::size_t>(axis);
  const std::uint64_t length = half ? from[place] : to[place];
  const auto one = transform(length, from.back() == 1);
  if (!one || to[place] == 0 || view.output_size().too_large()) {
    return std::nullopt;
  }
  const Count lines = view.output_size().value() / 2 / to[place];
  return OperatorWork{*one * lines, 0, {}};
}

/// Frames of a signal, each times a window (1 per sample) and transformed.
Work short_fourier(const OperatorView& view) {
  const Shape signal = view.input_shape(0);
  const Shape to = view.output_shape();
  const Shape window = view.input_shape(2);
  if (to.size() != 4) {
    return std::nullopt;
  }
  const bool half = view.integer("onesided", 1) != 0;
  if (half && window.size() != 1) {
    return std::nullopt;  // the frame may be even or odd
  }
  const std::uint64_t length = half ? window[0] : to[2];
  const bool real = signal.size() < 3 || signal[2] == 1;
  const auto one = transform(length, real);
  if (!one) {
    return std::nullopt;
  }
  const Count windowed = window.empty() ? Count(0) : Count(real ? 1 : 2) * length;
  return OperatorWork{Count(to[0]) * to[1] * (*one + windowed), 0, {}};
}

}  // namespace

std::vector<OperatorRow> resampling_operators() {
  constexpr auto kind = LayerKind::reduction;
  constexpr auto whole = Moves::whole;
  constexpr std::string_view kResize =
      "nearest: 0; linear in d dimensions: 4 (2^d - 1) per output; cubic: 8 (4^d - 1) / 3";
  return {
      {"DFT", kind, whole, fourier, "5 n log2 n per complex line of n, 2.5 n log2 n per real one"},
      {"GridSample", kind, whole, sample_grid,
       "as Resize per output; per place and dimension 4, of cubic ones 27; nearest: 2 per place "
       "and dimension"},
      {"Resize", kind, whole, resize, kResize},
      {"STFT", kind, whole, short_fourier,
       "per frame of n: 2.5 n log2 n (5 n log2 n of a complex signal), + n with a window"},
      {"Upsample", kind, whole, resize, kResize},
  };
}

}  // namespace ridge::predict
