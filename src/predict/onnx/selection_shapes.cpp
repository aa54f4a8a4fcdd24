// Results that are fewer than the inputs, chosen from them, or made of numbers alone.
#include <algorithm>
#include <cmath>
#include <set>

#include "predict/onnx/element_types.hpp"
#include "predict/onnx/shape_rules.hpp"

namespace ridge::predict {
namespace {

void reduce_to(OperatorCase& one, const std::string& type, bool all,
               const std::set<std::size_t>& places, bool keeps) {
  Extents result;
  const Extents from = *one.shape(0);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const bool reduced = all || places.count(axis) > 0;
    if (!reduced || keeps) {
      result.push_back(reduced ? 1 : from[axis]);
    }
  }
  one.set(0, type, std::move(result));
}

/// Axes are an attribute and, of ReduceSum from 13 and of the others from 18 on, an input.
void reduce(OperatorCase& one) {
  const Extents from = *one.shape(0);
  const auto axes = one.list(1, "axes");
  if (!axes) {
    return;
  }
  if (axes->empty() && one.integer("noop_with_empty_axes", 0) != 0) {
    one.set(0, one.type(0), from);
    return;
  }
  std::set<std::size_t> places;
  for (const std::int64_t axis : *axes) {
    const auto place = one.place(axis, from.size());
    if (!place) {
      return;
    }
    places.insert(*place);
  }
  reduce_to(one, one.type(0), axes->empty(), places, one.integer("keepdims", 1) != 0);
}

void place_of_extremum(OperatorCase& one) {
  const auto axis = one.place(one.integer("axis", 0), one.shape(0)->size());
  if (axis) {
    reduce_to(one, "int64", false, {*axis}, one.integer("keepdims", 1) != 0);
  }
}

void largest(OperatorCase& one) {
  Extents result = *one.shape(0);
  const auto count =
      one.has(1) ? one.numbers(1) : std::optional(std::vector<std::int64_t>{one.integer("k", -1)});
  const auto axis = one.place(one.integer("axis", -1), result.size());
  if (!axis || !count || count->size() != 1) {
    return;
  }
  if ((*count)[0] < 0 || static_cast<std::uint64_t>((*count)[0]) > result[*axis]) {
    one.contradict("asks for more values than there are");
    return;
  }
  result[*axis] = static_cast<std::uint64_t>((*count)[0]);
  one.set(0, one.type(0), result);
  one.set(1, "int64", result);
}

void gather(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const Extents indices = *one.shape(1);
  const auto axis = one.place(one.integer("axis", 0), data.size());
  if (!axis) {
    return;
  }
  const auto at = data.begin() + static_cast<std::ptrdiff_t>(*axis);
  Extents result(data.begin(), at);
  result.insert(result.end(), indices.begin(), indices.end());
  result.insert(result.end(), at + 1, data.end());
  one.set(0, one.type(0), std::move(result));
}

void gather_elements(OperatorCase& one) {
  one.set(0, one.type(0), one.shape(1));
}

/// The last dimension of the indices names a place in the data behind the batch dimensions.
void gather_tuples(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const Extents indices = *one.shape(1);
  const std::int64_t batch = one.integer("batch_dims", 0);
  if (indices.empty() || batch < 0 || batch >= static_cast<std::int64_t>(indices.size()) ||
      indices.back() + static_cast<std::uint64_t>(batch) > data.size()) {
    one.contradict("its indices have more parts than its data dimensions");
    return;
  }
  Extents result(indices.begin(), indices.end() - 1);
  result.insert(result.end(), data.begin() + batch + static_cast<std::ptrdiff_t>(indices.back()),
                data.end());
  one.set(0, one.type(0), std::move(result));
}

// ---- numbers ----

void shape_of(OperatorCase& one) {
  const auto rank = static_cast<std::int64_t>(one.shape(0)->size());
  const auto inside = [&](std::int64_t place) {
    return std::clamp<std::int64_t>(place < 0 ? place + rank : place, 0, rank);
  };
  const std::int64_t start = inside(one.integer("start", 0));
  const std::int64_t end = inside(one.integer("end", rank));
  one.set(0, "int64", Extents{static_cast<std::uint64_t>(std::max<std::int64_t>(end - start, 0))});
}

void size_of(OperatorCase& one) {
  one.set(0, "int64", Extents{});
}

/// The shape that numbers name; nullopt: they are not known or none.
std::optional<Extents> named(const std::optional<std::vector<std::int64_t>>& numbers) {
  if (!numbers || std::any_of(numbers->begin(), numbers->end(), [](auto n) { return n < 0; })) {
    return std::nullopt;
  }
  return Extents(numbers->begin(), numbers->end());
}

/// The type of its value stands in a tensor, which the caller knows.
void constant_of_shape(OperatorCase& one) {
  one.set(0, "", named(one.numbers(0)));
}

void random(OperatorCase& one) {
  const auto type = element_type_name(one.integer("dtype", 1));
  one.set(0, type, named(one.integers("shape")));
}

void range(OperatorCase& one) {
  const Content* start = one.content(0);
  const Content* limit = one.content(1);
  const Content* step = one.content(2);
  std::optional<Extents> shape;
  if (start != nullptr && limit != nullptr && step != nullptr && start->size() == 1 &&
      limit->size() == 1 && step->size() == 1 && (*step)[0] != 0.0) {
    const double count = std::max(std::ceil(((*limit)[0] - (*start)[0]) / (*step)[0]), 0.0);
    if (count <= static_cast<double>(kLargestCount)) {
      shape = Extents{static_cast<std::uint64_t>(count)};
    }
  }
  one.set(0, one.type(0), std::move(shape));
}

void one_hot(OperatorCase& one) {
  Extents result = *one.shape(0);
  const auto depth = one.numbers(1);
  const auto axis = one.place(one.integer("axis", -1), result.size() + 1);
  if (axis && depth && depth->size() == 1 && (*depth)[0] >= 0) {
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(*axis),
                  static_cast<std::uint64_t>((*depth)[0]));
    one.set(0, one.type(2), std::move(result));
  }
}

/// How many depends on data, unless the data are known.
void places_of_others(OperatorCase& one) {
  const Content* content = one.content(0);
  const std::uint64_t rank = std::max<std::size_t>(one.shape(0)->size(), 1);
  std::optional<Extents> shape;
  if (content != nullptr) {
    const auto zeros = std::count(content->begin(), content->end(), 0.0);
    shape = Extents{
        rank, static_cast<std::uint64_t>(content->size()) - static_cast<std::uint64_t>(zeros)};
  }
  one.set(0, "int64", std::move(shape));
}

void window_function(OperatorCase& one) {
  const auto type = element_type_name(one.integer("output_datatype", 1));
  const auto size = one.numbers(0);
  one.set(0, type, size && size->size() == 1 ? named(size) : std::nullopt);
}

void mel_weights(OperatorCase& one) {
  const auto bins = one.numbers(0);
  const auto length = one.numbers(1);
  if (bins && length && bins->size() == 1 && length->size() == 1 && (*bins)[0] > 0 &&
      (*length)[0] > 0) {
    one.set(0, element_type_name(one.integer("output_datatype", 1)),
            Extents{static_cast<std::uint64_t>((*length)[0] / 2 + 1),
                    static_cast<std::uint64_t>((*bins)[0])});
  }
}

void affine_grid(OperatorCase& one) {
  const auto size = named(one.numbers(1));
  if (size && size->size() >= 3) {
    Extents result{(*size)[0]};
    result.insert(result.end(), size->begin() + 2, size->end());
    result.push_back(size->size() - 2);
    one.set(0, one.type(0), std::move(result));
  }
}

void indices_alone(OperatorCase& one) {
  one.set(0, "int64", std::nullopt);
}

void data_alone(OperatorCase& one) {
  one.set(0, one.type(0), std::nullopt);
}

}  // namespace

std::vector<ShapeRow> selection_shapes() {
  std::vector<ShapeRow> rows{
      {"AffineGrid", 2, 0, affine_grid},
      {"ArgMax", 1, 1, place_of_extremum},
      {"ArgMin", 1, 1, place_of_extremum},
      {"Compress", 2, 0, data_alone},
      {"ConstantOfShape", 1, 0, constant_of_shape},
      {"Gather", 2, 2, gather},
      {"GatherElements", 2, 2, gather_elements},
      {"GatherND", 2, 2, gather_tuples},
      {"MelWeightMatrix", 5, 0, mel_weights},
      {"Multinomial", 1, 0, indices_alone},
      {"NonMaxSuppression", 2, 0, indices_alone},
      {"NonZero", 1, 1, places_of_others},
      {"OneHot", 3, 1, one_hot},
      {"RandomNormal", 0, 0, random},
      {"RandomUniform", 0, 0, random},
      {"Range", 3, 0, range},
      {"Shape", 1, 1, shape_of},
      {"Size", 1, 0, size_of},
      {"TopK", 1, 1, largest},
  };
  for (const std::string_view name : {"BlackmanWindow", "HammingWindow", "HannWindow"}) {
    rows.push_back({name, 1, 0, window_function});
  }
  for (const std::string_view name :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
        "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
    rows.push_back({name, 1, 1, reduce});
  }
  return rows;
}

}  // namespace ridge::predict
