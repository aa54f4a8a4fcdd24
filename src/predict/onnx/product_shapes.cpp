// Products, recurrent cells, transforms.
#include <algorithm>
#include <map>

#include "predict/network/einsum.hpp"
#include "predict/onnx/element_types.hpp"
#include "predict/onnx/shape_rules.hpp"

namespace ridge::predict {
namespace {

/// [.., m, k] x [.., k, n]; a vector is a row on the left and a column on the right.
void multiply(OperatorCase& one, const std::optional<Extents>& left,
              const std::optional<Extents>& right, const std::string& type) {
  if (!left || !right) {
    return;
  }
  Extents a = *left;
  Extents b = *right;
  if (a.empty() || b.empty()) {
    one.contradict("multiplies what is no matrix");
    return;
  }
  const bool row = a.size() == 1;
  const bool column = b.size() == 1;
  if (row) {
    a.insert(a.begin(), 1);
  }
  if (column) {
    b.push_back(1);
  }
  const auto batch = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  if (a.back() != b[b.size() - 2] || !batch) {
    one.contradict("its matrices do not fit each other");
    return;
  }
  Extents result = *batch;
  if (!row) {
    result.push_back(a[a.size() - 2]);
  }
  if (!column) {
    result.push_back(b.back());
  }
  one.set(0, type, std::move(result));
}

void matrix_product(OperatorCase& one) {
  multiply(one, one.shape(0), one.shape(1), one.type(0));
}

void integer_matrix_product(OperatorCase& one) {
  multiply(one, one.shape(0), one.shape(1), "int32");
}

void quantised_matrix_product(OperatorCase& one) {
  multiply(one, one.shape(0), one.shape(3), one.type(7));
}

/// transA and transB exchange the last two, transBatchA and transBatchB are not understood.
void fused_matrix_product(OperatorCase& one) {
  Extents a = *one.shape(0);
  Extents b = *one.shape(1);
  if (one.integer("transBatchA", 0) != 0 || one.integer("transBatchB", 0) != 0) {
    return;
  }
  if (one.integer("transA", 0) != 0 && a.size() > 1) {
    std::swap(a.back(), a[a.size() - 2]);
  }
  if (one.integer("transB", 0) != 0 && b.size() > 1) {
    std::swap(b.back(), b[b.size() - 2]);
  }
  multiply(one, a, b, one.type(0));
}

void scaled_matrix_product(OperatorCase& one) {
  Extents a = *one.shape(0);
  Extents b = *one.shape(1);
  if (a.size() != 2 || b.size() != 2) {
    one.contradict("multiplies what is no matrix");
    return;
  }
  if (one.integer("transA", 0) != 0) {
    std::swap(a[0], a[1]);
  }
  if (one.integer("transB", 0) != 0) {
    std::swap(b[0], b[1]);
  }
  multiply(one, a, b, one.type(0));
}

void einsum(OperatorCase& one) {
  std::vector<Extents> shapes;
  for (std::size_t i = 0; i < one.inputs(); ++i) {
    if (!one.shape(i)) {
      return;
    }
    shapes.push_back(*one.shape(i));
  }
  const auto contraction = contraction_of(one.text("equation", ""), shapes);
  if (!contraction) {
    one.contradict("its equation does not fit its inputs");
    return;
  }
  one.set(0, one.type(0), contraction->result);
}

// ---- recurrent cells ----

void recurrent(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const Extents recurrence = *one.shape(2);
  if (data.size() != 3 || recurrence.size() != 3) {
    one.contradict("its input or its weights have not 3 dimensions");
    return;
  }
  const bool batch_first = one.integer("layout", 0) != 0;
  const std::uint64_t steps = batch_first ? data[1] : data[0];
  const std::uint64_t batch = batch_first ? data[0] : data[1];
  const std::uint64_t directions = recurrence[0];
  const std::uint64_t hidden = recurrence[2];
  one.set(0, one.type(0),
          batch_first ? Extents{batch, steps, directions, hidden}
                      : Extents{steps, directions, batch, hidden});
  for (std::size_t i = 1; i < one.outputs(); ++i) {
    one.set(i, one.type(0),
            batch_first ? Extents{batch, directions, hidden} : Extents{directions, batch, hidden});
  }
}

// ---- transforms ----

/// [batch, ..., 1 or 2] -> [batch, ..., 2]; the length of the axis may be given.
void fourier(OperatorCase& one) {
  Extents shape = *one.shape(0);
  std::int64_t wanted = one.opset() >= 20 ? -2 : one.integer("axis", 1);
  if (one.opset() >= 20 && one.has(2)) {
    const auto given = one.numbers(2);
    if (!given || given->size() != 1) {
      return;
    }
    wanted = (*given)[0];
  }
  const auto axis = one.place(wanted, shape.size());
  if (!axis) {
    return;
  }
  if (one.has(1)) {
    const auto length = one.numbers(1);
    if (!length || length->size() != 1 || (*length)[0] < 1) {
      return;
    }
    shape[*axis] = static_cast<std::uint64_t>((*length)[0]);
  }
  if (one.integer("onesided", 0) != 0) {
    shape[*axis] = shape[*axis] / 2 + 1;
  }
  shape.back() = 2;
  one.set(0, one.type(0), std::move(shape));
}

/// Signal [batch, length, 1 or 2], step, window, frame length -> [batch, frames, bins, 2].
void short_fourier(OperatorCase& one) {
  const Extents signal = *one.shape(0);
  const auto step = one.numbers(1);
  const auto window = one.shape(2);
  auto length = one.numbers(3);
  if (!one.has(3) && window && window->size() == 1) {
    length = std::vector<std::int64_t>{static_cast<std::int64_t>((*window)[0])};
  }
  if (signal.size() < 2 || !step || !length || step->size() != 1 || length->size() != 1) {
    return;
  }
  const auto samples = static_cast<std::int64_t>(signal[1]);
  if ((*step)[0] < 1 || (*length)[0] < 1 || (*length)[0] > samples) {
    one.contradict("its frames do not fit its signal");
    return;
  }
  const auto frame = static_cast<std::uint64_t>((*length)[0]);
  const auto frames = static_cast<std::uint64_t>((samples - (*length)[0]) / (*step)[0] + 1);
  one.set(0, one.type(0),
          Extents{signal[0], frames, one.integer("onesided", 1) != 0 ? frame / 2 + 1 : frame, 2});
}

/// Signals [batch, channels, ...], positions [batch, ..., dimensions].
void sample_grid(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const Extents grid = *one.shape(1);
  if (data.size() < 3 || grid.size() != data.size()) {
    one.contradict("its grid has another number of dimensions than what it samples");
    return;
  }
  Extents result{data[0], data[1]};
  result.insert(result.end(), grid.begin() + 1, grid.end() - 1);
  one.set(0, one.type(0), std::move(result));
}

/// Blocks of columns back to an image: [batch, channels x block, columns].
void from_columns(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const auto image = one.numbers(1);
  const auto block = one.numbers(2);
  if (data.size() != 3 || !image || !block) {
    return;
  }
  Count size = 1;
  for (const std::int64_t extent : *block) {
    size *= extent > 0 ? static_cast<std::uint64_t>(extent) : 0;
  }
  if (size == Count(0) || size.too_large()) {
    return;
  }
  Extents result{data[0], data[1] / size.value()};
  for (const std::int64_t extent : *image) {
    if (extent < 0) {
      return;
    }
    result.push_back(static_cast<std::uint64_t>(extent));
  }
  one.set(0, one.type(0), std::move(result));
}

}  // namespace

std::vector<ShapeRow> product_shapes() {
  return {
      {"Col2Im", 3, 1, from_columns},
      {"DFT", 1, 1, fourier},
      {"Einsum", 1, 1, einsum},
      {"GRU", 3, 3, recurrent},
      {"Gemm", 2, 2, scaled_matrix_product},
      {"GridSample", 2, 2, sample_grid},
      {"LSTM", 3, 3, recurrent},
      {"MatMul", 2, 2, matrix_product},
      {"MatMulInteger", 2, 2, integer_matrix_product},
      {"QLinearMatMul", 8, 1, quantised_matrix_product},
      {"RNN", 3, 3, recurrent},
      {"STFT", 2, 1, short_fourier},
      {"com.microsoft.FusedMatMul", 2, 2, fused_matrix_product},
  };
}

}  // namespace ridge::predict
