// A window that slides over the dimensions behind batch and channels: convolutions and pools.
#include <limits>

#include "predict/onnx/shape_rules.hpp"

namespace ridge::predict {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 31;  // stride, dilation, padding

/// Attributes of a window over `rank` dimensions, completed by their defaults.
struct Window {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  ///< all begins, then all ends
  std::string automatic;           ///< "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"
};

bool in_range(const std::vector<std::int64_t>& values, std::int64_t least) {
  for (const std::int64_t value : values) {
    if (value < least || value > kLargest) {
      return false;
    }
  }
  return true;
}

std::optional<Window> window_of(OperatorCase& one, std::vector<std::int64_t> kernel,
                                std::size_t rank) {
  const auto or_all = [&](std::string_view name, std::size_t count, std::int64_t otherwise) {
    auto given = one.integers(name);
    return given.empty() ? std::vector<std::int64_t>(count, otherwise) : given;
  };
  Window window{std::move(kernel), or_all("strides", rank, 1), or_all("dilations", rank, 1),
                or_all("pads", 2 * rank, 0), one.text("auto_pad", "NOTSET")};
  if (window.kernel.size() != rank || window.strides.size() != rank ||
      window.dilations.size() != rank || window.pads.size() != 2 * rank ||
      !in_range(window.kernel, 1) || !in_range(window.strides, 1) ||
      !in_range(window.dilations, 1) || !in_range(window.pads, -kLargest)) {
    one.contradict("its window (kernel, strides, dilations or pads) does not fit its input");
    return std::nullopt;
  }
  return window;
}

/// Places of the window along one dimension; nullopt where it does not fit once.
std::optional<std::uint64_t> places(const Window& window, std::size_t axis, std::uint64_t extent,
                                    bool round_up) {
  const auto size = static_cast<std::int64_t>(extent);
  const std::int64_t stride = window.strides[axis];
  if (window.automatic == "SAME_UPPER" || window.automatic == "SAME_LOWER") {
    return static_cast<std::uint64_t>((size + stride - 1) / stride);
  }
  const bool padded = window.automatic != "VALID";
  const std::int64_t begin = padded ? window.pads[axis] : 0;
  const std::int64_t end = padded ? window.pads[axis + window.kernel.size()] : 0;
  if (window.kernel[axis] - 1 >
      std::numeric_limits<std::int64_t>::max() / 2 / window.dilations[axis]) {
    return std::nullopt;
  }
  const std::int64_t reach = (window.kernel[axis] - 1) * window.dilations[axis] + 1;
  const std::int64_t room = size + begin + end - reach;
  if (room < 0) {
    return std::nullopt;
  }
  std::int64_t count = (room + (round_up ? stride - 1 : 0)) / stride + 1;
  if (round_up && (count - 1) * stride >= size + begin) {
    --count;  // a window that begins in the padding behind the data
  }
  return static_cast<std::uint64_t>(count);
}

/// Batch and channels, then the places of the window.
std::optional<Extents> slide(OperatorCase& one, const Window& window, const Extents& data,
                             std::uint64_t channels) {
  const bool round_up = one.integer("ceil_mode", 0) != 0;
  Extents result{data[0], channels};
  for (std::size_t axis = 0; axis + 2 < data.size(); ++axis) {
    const auto count = places(window, axis, data[axis + 2], round_up);
    if (!count) {
      one.contradict("its window is larger than its padded input");
      return std::nullopt;
    }
    result.push_back(*count);
  }
  if (round_up) {
    one.leave_to_declaration();
  }
  return result;
}

std::vector<std::int64_t> kernel_of(const OperatorCase& one, const Extents& filters) {
  auto given = one.integers("kernel_shape");
  if (given.empty()) {
    given.assign(filters.begin() + 2, filters.end());
  }
  return given;
}

bool filters_fit(OperatorCase& one, const Extents& data, const Extents& filters) {
  if (data.size() < 3 || filters.size() != data.size()) {
    one.contradict("its filters have another number of dimensions than what they slide over");
    return false;
  }
  return true;
}

void convolve(OperatorCase& one, std::size_t place, const std::string& type) {
  const auto data = one.shape(0);
  const auto filters = one.shape(place);
  if (!data || !filters || !filters_fit(one, *data, *filters)) {
    return;
  }
  const std::int64_t groups = one.integer("group", 1);
  if (groups < 1 ||
      Count((*filters)[1]) * static_cast<std::uint64_t>(groups) != Count((*data)[1])) {
    one.contradict("its filters do not fit the channels of its input");
    return;
  }
  const auto window = window_of(one, kernel_of(one, *filters), data->size() - 2);
  if (window) {
    if (auto result = slide(one, *window, *data, (*filters)[0])) {
      one.set(0, type, std::move(result));
    }
  }
}

void convolution(OperatorCase& one) {
  convolve(one, 1, one.type(0));
}

void integer_convolution(OperatorCase& one) {
  convolve(one, 1, "int32");
}

void quantised_convolution(OperatorCase& one) {
  convolve(one, 3, one.type(7).empty() ? one.type(0) : one.type(7));
}

void deformable_convolution(OperatorCase& one) {
  convolve(one, 1, one.type(0));
}

/// Filters are [in channels, out channels / groups, kernel...].
void transposed_convolution(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const Extents filters = *one.shape(1);
  if (!filters_fit(one, data, filters)) {
    return;
  }
  const std::size_t rank = data.size() - 2;
  const auto window = window_of(one, kernel_of(one, filters), rank);
  const std::int64_t groups = one.integer("group", 1);
  auto extra = one.integers("output_padding");
  extra.resize(rank, 0);
  const auto wanted = one.integers("output_shape");
  if (!window || groups < 1 || groups > kLargest || !in_range(extra, 0)) {
    return;
  }
  std::vector<Count> result{data[0], Count(filters[1]) * static_cast<std::uint64_t>(groups)};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto stride = static_cast<std::uint64_t>(window->strides[axis]);
    if (wanted.size() >= rank && wanted[wanted.size() - rank + axis] > 0) {
      result.emplace_back(static_cast<std::uint64_t>(wanted[wanted.size() - rank + axis]));
      continue;
    }
    if (window->automatic.rfind("SAME", 0) == 0) {
      result.push_back(Count(data[axis + 2]) * stride);
      continue;
    }
    const auto reach = Count(static_cast<std::uint64_t>(window->kernel[axis] - 1)) *
                           static_cast<std::uint64_t>(window->dilations[axis]) +
                       1;
    const std::int64_t pads = window->pads[axis] + window->pads[axis + rank];
    const Count room =
        (Count(data[axis + 2]) - 1) * stride + reach + static_cast<std::uint64_t>(extra[axis]);
    result.push_back(pads >= 0 ? room - static_cast<std::uint64_t>(pads)
                               : room + static_cast<std::uint64_t>(-pads));
  }
  one.set_counts(0, one.type(0), result);
}

void pool(OperatorCase& one) {
  const Extents data = *one.shape(0);
  if (data.size() < 3) {
    one.contradict("its input has no dimensions to slide over");
    return;
  }
  const auto window = window_of(one, one.integers("kernel_shape"), data.size() - 2);
  if (!window) {
    return;
  }
  if (auto result = slide(one, *window, data, data[1])) {
    one.set(0, one.type(0), result);
    one.set(1, "int64", result);
  }
}

void global_pool(OperatorCase& one) {
  Extents shape = *one.shape(0);
  for (std::size_t axis = 2; axis < shape.size(); ++axis) {
    shape[axis] = 1;
  }
  one.set(0, one.type(0), std::move(shape));
}

void pool_of_regions(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const auto regions = one.shape(1);
  const auto height = one.integer("output_height", 1);
  const auto width = one.integer("output_width", 1);
  if (regions && !regions->empty() && data.size() == 4 && height > 0 && width > 0) {
    one.set(0, one.type(0),
            Extents{(*regions)[0], data[1], static_cast<std::uint64_t>(height),
                    static_cast<std::uint64_t>(width)});
  }
}

}  // namespace

std::vector<ShapeRow> window_shapes() {
  return {
      {"AveragePool", 1, 1, pool},
      {"Conv", 2, 2, convolution},
      {"ConvInteger", 2, 2, integer_convolution},
      {"ConvTranspose", 2, 2, transposed_convolution},
      {"DeformConv", 3, 2, deformable_convolution},
      {"GlobalAveragePool", 1, 1, global_pool},
      {"GlobalLpPool", 1, 1, global_pool},
      {"GlobalMaxPool", 1, 1, global_pool},
      {"LpPool", 1, 1, pool},
      {"MaxPool", 1, 1, pool},
      {"QLinearConv", 8, 1, quantised_convolution},
      {"RoiAlign", 3, 1, pool_of_regions},
      {"com.microsoft.FusedConv", 2, 2, convolution},
  };
}

}  // namespace ridge::predict
