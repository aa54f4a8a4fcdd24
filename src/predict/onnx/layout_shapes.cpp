// The same elements in another order, under another shape, or repeated.
#include <algorithm>
#include <cmath>
#include <set>

#include "predict/onnx/shape_rules.hpp"

namespace ridge::predict {
namespace {

constexpr std::size_t kAll = 1000;  // of a variable number of inputs

std::uint64_t size_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

void reshape(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto wanted = one.numbers(1);
  if (!wanted) {
    return;
  }
  const bool zero_is_size = one.integer("allowzero", 0) != 0;
  Extents result;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < wanted->size(); ++i) {
    const std::int64_t extent = (*wanted)[i];
    const bool copied = extent == 0 && !zero_is_size;
    if (extent < -1 || (extent == -1 && open) || (copied && i >= from.size())) {
      one.contradict("asks for a shape that its input cannot have");
      return;
    }
    open = extent == -1 ? i : open;
    result.push_back(copied ? from[i] : extent == -1 ? 1 : size_of(extent));
  }
  const Count all = elements(from);
  const Count rest = elements(result);
  if (all.too_large() || rest.too_large()) {
    return;
  }
  if (open && rest.value() > 0) {
    result[*open] = all.value() / rest.value();
  }
  if (!(elements(result) == all)) {
    one.contradict("asks for a shape that its input cannot have");
    return;
  }
  one.set(0, one.type(0), std::move(result));
}

void flatten(OperatorCase& one) {
  const Extents from = *one.shape(0);
  std::int64_t axis = one.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(from.size());
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis > rank) {
    one.contradict("its axis is not among its dimensions");
    return;
  }
  const auto middle = from.begin() + axis;
  one.set_counts(0, one.type(0),
                 {elements({from.begin(), middle}), elements({middle, from.end()})});
}

void transpose(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto order = one.integers("perm");
  Extents result(from.rbegin(), from.rend());
  if (!order.empty()) {
    std::set<std::int64_t> seen(order.begin(), order.end());
    if (order.size() != from.size() || seen.size() != from.size() || *seen.begin() != 0 ||
        *seen.rbegin() + 1 != static_cast<std::int64_t>(from.size())) {
      one.contradict("its order is none of its dimensions");
      return;
    }
    std::transform(order.begin(), order.end(), result.begin(),
                   [&](std::int64_t axis) { return from[size_of(axis)]; });
  }
  one.set(0, one.type(0), std::move(result));
}

/// Places of the axes that are given; nullopt: not known, or a contradiction.
std::optional<std::set<std::size_t>> places_of(OperatorCase& one, std::size_t input,
                                               std::size_t rank) {
  const auto axes = one.list(input, "axes");
  if (!axes) {
    return std::nullopt;
  }
  std::set<std::size_t> places;
  for (const std::int64_t axis : *axes) {
    const auto place = one.place(axis, rank);
    if (!place) {
      return std::nullopt;
    }
    places.insert(*place);
  }
  return places;
}

void squeeze(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const bool all = !one.has(1) && !one.has_attribute("axes");
  const auto places = places_of(one, 1, from.size());
  if (!places) {
    return;
  }
  Extents result;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const bool dropped = all ? from[axis] == 1 : places->count(axis) > 0;
    if (dropped && from[axis] != 1) {
      one.contradict("drops a dimension that is not 1");
      return;
    }
    if (!dropped) {
      result.push_back(from[axis]);
    }
  }
  one.set(0, one.type(0), std::move(result));
}

void unsqueeze(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto axes = one.list(1, "axes");
  if (!axes || axes->size() > kLongestContent) {
    return;
  }
  const auto places = places_of(one, 1, from.size() + axes->size());
  if (!places || places->size() != axes->size()) {
    return;
  }
  Extents result;
  auto next = from.begin();
  for (std::size_t axis = 0; axis < from.size() + axes->size(); ++axis) {
    result.push_back(places->count(axis) > 0 ? 1 : *next++);
  }
  one.set(0, one.type(0), std::move(result));
}

void concatenate(OperatorCase& one) {
  Extents result = *one.shape(0);
  const auto axis = one.place(one.integer("axis", 1), result.size());
  if (!axis) {
    return;
  }
  Count length = 0;
  for (std::size_t i = 0; i < one.inputs(); ++i) {
    if (!one.has(i)) {
      continue;
    }
    Extents next = *one.shape(i);
    if (next.size() != result.size()) {
      one.contradict("joins tensors of different numbers of dimensions");
      return;
    }
    length += next[*axis];
    next[*axis] = result[*axis];
    if (next != result) {
      one.contradict("joins tensors that differ in another dimension");
      return;
    }
  }
  std::vector<Count> counts(result.begin(), result.end());
  counts[*axis] = length;
  one.set_counts(0, one.type(0), counts);
}

void split(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto axis = one.place(one.integer("axis", 0), from.size());
  const auto given = one.list(1, "split");
  if (!axis || !given || one.outputs() == 0) {
    return;
  }
  if (!given->empty() && given->size() != one.outputs()) {
    one.contradict("names another number of parts than it has results");
    return;
  }
  const std::uint64_t part = (from[*axis] + one.outputs() - 1) / one.outputs();
  std::uint64_t rest = from[*axis];
  for (std::size_t i = 0; i < one.outputs(); ++i) {
    const std::uint64_t wanted = given->empty() ? std::min(part, rest) : size_of((*given)[i]);
    if (wanted > rest) {
      one.contradict("its parts are larger than its input");
      return;
    }
    rest -= wanted;
    Extents result = from;
    result[*axis] = wanted;
    one.set(i, one.type(0), std::move(result));
  }
}

/// Elements from start to end, both clamped as the operator does it.
std::uint64_t sliced(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto absolute = [&](std::int64_t place) { return place < 0 ? place + extent : place; };
  const std::int64_t least = step > 0 ? 0 : -1;
  const std::int64_t most = step > 0 ? extent : extent - 1;
  start = std::clamp<std::int64_t>(absolute(start), step > 0 ? 0 : -1, most);
  const bool before_all = end < -extent;
  end = before_all ? least : std::clamp<std::int64_t>(absolute(end), least, most);
  const std::int64_t distance = step > 0 ? end - start : start - end;
  const std::int64_t length =
      step > 0 ? step : -std::max<std::int64_t>(step, -(std::int64_t{1} << 62));
  return distance <= 0 ? 0 : size_of((distance - 1) / length + 1);
}

void slice(OperatorCase& one) {
  Extents result = *one.shape(0);
  const auto starts = one.list(1, "starts");
  const auto ends = one.list(2, "ends");
  const auto axes = one.list(3, "axes");
  const auto steps = one.has(4) ? one.numbers(4) : std::vector<std::int64_t>{};
  if (!starts || !ends || !axes || !steps) {
    return;
  }
  if (starts->size() != ends->size() || (!axes->empty() && axes->size() != starts->size()) ||
      (!steps->empty() && steps->size() != starts->size())) {
    one.contradict("its starts, ends, axes and steps differ in number");
    return;
  }
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis =
        one.place(axes->empty() ? static_cast<std::int64_t>(i) : (*axes)[i], result.size());
    const std::int64_t step = steps->empty() ? 1 : (*steps)[i];
    if (!axis || step == 0) {
      one.contradict("a step is 0");
      return;
    }
    result[*axis] =
        sliced(static_cast<std::int64_t>(result[*axis]), (*starts)[i], (*ends)[i], step);
  }
  one.set(0, one.type(0), std::move(result));
}

/// As many at the front and at the back; negative ones cut off.
void pad(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto pads = one.list(1, "pads");
  if (!pads) {
    return;
  }
  std::vector<std::size_t> places(from.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = i;
  }
  if (one.has(3)) {
    const auto axes = one.numbers(3);
    if (!axes) {
      return;
    }
    places.clear();
    for (const std::int64_t axis : *axes) {
      const auto place = one.place(axis, from.size());
      if (!place) {
        return;
      }
      places.push_back(*place);
    }
  }
  if (pads->size() != 2 * places.size()) {
    one.contradict("has not two pads for each dimension");
    return;
  }
  std::vector<Count> result(from.begin(), from.end());
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const std::int64_t more : {(*pads)[i], (*pads)[i + places.size()]}) {
      Count& extent = result[places[i]];
      extent = more >= 0 ? extent + size_of(more)
                         : extent - size_of(-std::max(more, -(std::int64_t{1} << 53)));
    }
  }
  one.set_counts(0, one.type(0), result);
}

void tile(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto repeats = one.numbers(1);
  if (!repeats) {
    return;
  }
  if (repeats->size() != from.size() ||
      std::any_of(repeats->begin(), repeats->end(), [](std::int64_t n) { return n < 0; })) {
    one.contradict("has not one repetition for each dimension");
    return;
  }
  std::vector<Count> result;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    result.push_back(Count(from[axis]) * size_of((*repeats)[axis]));
  }
  one.set_counts(0, one.type(0), result);
}

void expand(OperatorCase& one) {
  const auto wanted = one.numbers(1);
  if (!wanted || std::any_of(wanted->begin(), wanted->end(), [](auto n) { return n < 0; })) {
    return;
  }
  auto result = broadcast(*one.shape(0), Extents(wanted->begin(), wanted->end()));
  if (!result) {
    one.contradict("its input cannot be repeated to the shape that it asks for");
    return;
  }
  one.set(0, one.type(0), std::move(result));
}

void space_to_depth(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const std::int64_t block = one.integer("blocksize", 0);
  if (from.size() != 4 || block < 1 || block > 65536) {
    one.contradict("its input has not 4 dimensions, or its block no size");
    return;
  }
  const std::uint64_t side = size_of(block);
  const bool deeper = one.operation() == "SpaceToDepth";
  const Count area = Count(side) * side;
  if (deeper) {
    one.set_counts(0, one.type(0), {from[0], from[1] * area, from[2] / side, from[3] / side});
  } else {
    one.set_counts(0, one.type(0),
                   {from[0], from[1] / area.value(), Count(from[2]) * side, Count(from[3]) * side});
  }
}

/// Sizes, or factors of the sizes, of some axes or of all.
void resize(OperatorCase& one) {
  Extents result = *one.shape(0);
  const bool old = one.operation() == "Upsample" || one.opset() < 11;
  const Content* factors = one.content(old ? 1 : 2);
  const auto sizes = old ? std::nullopt : one.numbers(3);
  std::vector<std::int64_t> axes = one.integers("axes");
  if (axes.empty()) {
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
      axes.push_back(static_cast<std::int64_t>(axis));
    }
  }
  const bool by_size = sizes && !sizes->empty();
  const std::size_t given = by_size ? sizes->size() : factors != nullptr ? factors->size() : 0;
  if (given == 0 || one.text("keep_aspect_ratio_policy", "stretch") != "stretch") {
    return;
  }
  if (given != axes.size()) {
    one.contradict("has not one size or factor for each axis");
    return;
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = one.place(axes[i], result.size());
    const double wanted = by_size ? static_cast<double>((*sizes)[i])
                          : axis  ? std::floor(static_cast<double>(result[*axis]) * (*factors)[i])
                                  : 0.0;
    if (!axis || !(wanted >= 0.0) || wanted > static_cast<double>(kLargestCount)) {
      one.contradict("asks for a size that no dimension has");
      return;
    }
    result[*axis] = static_cast<std::uint64_t>(wanted);
  }
  one.set(0, one.type(0), std::move(result));
}

void crop_or_pad(OperatorCase& one) {
  Extents result = *one.shape(0);
  const auto sizes = one.numbers(1);
  auto axes = one.integers("axes");
  if (axes.empty()) {
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
      axes.push_back(static_cast<std::int64_t>(axis));
    }
  }
  if (!sizes || sizes->size() != axes.size()) {
    return;
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = one.place(axes[i], result.size());
    if (!axis || (*sizes)[i] < 0) {
      return;
    }
    result[*axis] = size_of((*sizes)[i]);
  }
  one.set(0, one.type(0), std::move(result));
}

}  // namespace

std::vector<ShapeRow> layout_shapes() {
  return {
      {"CenterCropPad", 2, 1, crop_or_pad},
      {"Concat", 1, kAll, concatenate},
      {"DepthToSpace", 1, 1, space_to_depth},
      {"Expand", 2, 1, expand},
      {"Flatten", 1, 1, flatten},
      {"Pad", 1, 1, pad},
      {"Reshape", 2, 1, reshape},
      {"Resize", 1, 1, resize},
      {"Slice", 1, 1, slice},
      {"SpaceToDepth", 1, 1, space_to_depth},
      {"Split", 1, 1, split},
      {"Squeeze", 1, 1, squeeze},
      {"Tile", 2, 1, tile},
      {"Transpose", 1, 1, transpose},
      {"Unsqueeze", 1, 1, unsqueeze},
      {"Upsample", 1, 1, resize},
  };
}

}  // namespace ridge::predict
