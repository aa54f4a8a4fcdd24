// Attention and what stands around it in transformers: operators of com.microsoft as ONNX Runtime
// documents them (docs/ContribOperators.md there), and the standard ones from version 23 on.
#include "predict/network/operators.hpp"

namespace ridge::predict {
namespace {

using Work = std::optional<OperatorWork>;
using Shape = std::vector<std::uint64_t>;

std::uint64_t positive(const OperatorView& view, std::string_view name) {
  const std::int64_t value = view.integer(name, 0);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

struct Heads {
  Count number = 0;     ///< heads of all sequences of the batch
  Count queries = 0;    ///< tokens
  Count keys = 0;       ///< tokens, those of the past included
  Count width = 0;      ///< of a query and a key
  Count values = 0;     ///< width of a value
  bool biased = false;  ///< something is added to each score
};

/// Scores 2 q k d, scaled (1 each) and biased (1 each); their softmax 3 each and 1 per row; values
/// 2 q k d. All pairs count, those that a mask hides included.
OperatorWork attend(const Heads& heads) {
  const Count rows = heads.number * heads.queries;
  const Count scores = rows * heads.keys;
  const Count vector = (heads.biased ? 5 : 4) * scores + rows;
  OperatorWork work{2 * scores * heads.width + 2 * scores * heads.values + vector, 0, {}};
  work.vector = vector;
  work.calls.emplace_back("exp", scores);
  return work;
}

/// Tokens of the keys: those of the past and `fresh` ones.
Count all_tokens(const OperatorView& view, std::size_t past, Count fresh) {
  const Shape before = view.input_shape(past);
  return before.size() == 4 ? fresh + before[2] : fresh;
}

/// Queries [batch, tokens, heads x width]; without keys they hold keys and values, too. With
/// rotation 3 per element of queries and keys.
Work grouped_attention(const OperatorView& view) {
  const Shape query = view.input_shape(0);
  const std::uint64_t heads = positive(view, "num_heads");
  const std::uint64_t shared = positive(view, "kv_num_heads");
  if (query.size() != 3 || heads == 0 || shared == 0 || heads > 65536 || shared > 65536) {
    return std::nullopt;
  }
  const std::uint64_t width = query[2] / (view.input(1) != nullptr ? heads : heads + 2 * shared);
  const Shape present = view.output_shape(1);
  const Count keys = present.size() == 4 ? Count(present[2]) : all_tokens(view, 3, query[1]);
  OperatorWork work =
      attend({Count(query[0]) * heads, query[1], keys, width, width, view.input(10) != nullptr});
  if (view.integer("do_rotary", 0) != 0) {
    const Count rotated = 3 * Count(query[0]) * query[1] * (Count(heads) + shared) * width;
    work.flops += rotated;
    work.vector += rotated;
  }
  return work;
}

/// Queries [batch, tokens, hidden], keys and values alike or [batch, heads, tokens, width].
Work multi_head_attention(const OperatorView& view) {
  const Shape query = view.input_shape(0);
  const Shape key = view.input_shape(1);
  const Shape value = view.input_shape(2);
  const std::uint64_t heads = positive(view, "num_heads");
  if (query.size() != 3 || heads == 0 || (key.size() != 3 && key.size() != 4) ||
      value.size() != key.size()) {
    return std::nullopt;  // packed queries, keys and values
  }
  const bool apart = key.size() == 4;
  const Count fresh = apart ? key[2] : key[1];
  const Count width = query[2] / heads;
  const Count values = apart ? value[3] : value[2] / heads;
  const Count keys = all_tokens(view, 6, fresh);
  OperatorWork work =
      attend({Count(query[0]) * heads, query[1], keys, width, values, view.input(5) != nullptr});
  if (view.input(3) != nullptr) {
    const Count biases = view.input_size(0) + view.input_size(1) + view.input_size(2);
    work.flops += biases;
    work.vector += biases;
  }
  return work;
}

struct Projection {
  Count products;  ///< pairs
  Count results;
  Heads heads;
};

/// Input [batch, tokens, in], weights [in, queries + keys + values].
std::optional<Projection> projection_of(const OperatorView& view, std::size_t past) {
  const Shape data = view.input_shape(0);
  const Shape weights = view.input_shape(1);
  const std::uint64_t heads = positive(view, "num_heads");
  const auto sizes = view.integers("qkv_hidden_sizes");
  if (data.size() != 3 || weights.size() != 2 || heads == 0) {
    return std::nullopt;
  }
  const bool given = sizes.size() == 3 && sizes[0] > 0 && sizes[2] > 0;
  const std::uint64_t query = given ? static_cast<std::uint64_t>(sizes[0]) : weights[1] / 3;
  const std::uint64_t value = given ? static_cast<std::uint64_t>(sizes[2]) : weights[1] / 3;
  const Shape before = view.input_shape(past);  // [2, batch, heads, tokens, width]
  const Count keys = before.size() == 5 ? Count(data[1]) + before[3] : Count(data[1]);
  return Projection{Count(data[0]) * data[1] * data[2] * weights[1],
                    Count(data[0]) * data[1] * weights[1],
                    {Count(data[0]) * heads, data[1], keys, query / heads, value / heads, false}};
}

Work projected_attention(const OperatorView& view) {
  auto projection = projection_of(view, 4);
  if (!projection) {
    return std::nullopt;
  }
  projection->heads.biased = view.input(5) != nullptr;
  OperatorWork work = attend(projection->heads);
  const Count biases = view.input(2) != nullptr ? projection->results : Count(0);
  work.flops += 2 * projection->products + biases;
  work.vector += biases;
  return work;
}

/// The projection in integers; scaled back (1 each), biased (1 each), then in floating point.
Work quantised_attention(const OperatorView& view) {
  const auto projection = projection_of(view, 8);
  if (!projection) {
    return std::nullopt;
  }
  OperatorWork work = attend(projection->heads);
  work.intops = 2 * projection->products;
  work.flops += 2 * projection->results;
  work.vector += 2 * projection->results;
  return work;
}

/// The standard operator: [batch, heads, tokens, width], or without the heads apart.
Work attention(const OperatorView& view) {
  const Shape query = view.input_shape(0);
  const Shape key = view.input_shape(1);
  const Shape value = view.input_shape(2);
  if (query.size() != key.size() || key.size() != value.size()) {
    return std::nullopt;
  }
  const bool biased = view.input(3) != nullptr;
  if (query.size() == 4) {
    return attend({Count(query[0]) * query[1], query[2], all_tokens(view, 4, key[2]), query[3],
                   value[3], biased});
  }
  const std::uint64_t heads = positive(view, "q_num_heads");
  const std::uint64_t shared = positive(view, "kv_num_heads");
  if (query.size() != 3 || heads == 0 || shared == 0) {
    return std::nullopt;
  }
  return attend({Count(query[0]) * heads, query[1], all_tokens(view, 4, key[1]), query[2] / heads,
                 value[2] / shared, biased});
}

// ---- around it ----

/// x1 cos - x2 sin, x2 cos + x1 sin: a multiplication and an fma per element that is rotated.
Work rotate(const OperatorView& view) {
  const Shape shape = view.input_shape(0);
  const std::uint64_t part = positive(view, "rotary_embedding_dim");
  const std::uint64_t heads = positive(view, "num_heads");
  Count rotated = view.input_size(0);
  if (part > 0) {
    const bool apart = shape.size() == 4;
    if (shape.empty() || (!apart && heads == 0)) {
      return std::nullopt;
    }
    const std::uint64_t width = apart ? shape[3] : shape.back() / heads;
    if (width == 0 || part > width || rotated.too_large()) {
      return std::nullopt;
    }
    rotated = rotated.value() / width * Count(part);
  }
  OperatorWork work{3 * rotated, 0, {}};
  work.fma = 2 * rotated;
  return work;
}

Count rows_of(const OperatorView& view) {
  const Shape shape = view.input_shape(0);
  const std::uint64_t length = shape.empty() ? 1 : shape.back();
  const Count size = view.input_size(0);
  return length == 0 || size.too_large() ? Count(0) : Count(size.value() / length);
}

/// Squares (fma), times the inverse root, times the scale; a row: times 1 / n, + epsilon, root,
/// division.
OperatorWork root_mean_square(Count size, Count rows) {
  OperatorWork work{4 * size + 4 * rows, 0, {}};
  work.fma = 2 * size;
  return work;
}

/// The axis is the last unless it says otherwise.
Work simplified_norm(const OperatorView& view) {
  const Shape shape = view.input_shape(0);
  const std::int64_t axis = view.integer("axis", -1);
  if (axis != -1 && axis + 1 != static_cast<std::int64_t>(shape.size())) {
    return std::nullopt;
  }
  return root_mean_square(view.input_size(0), rows_of(view));
}

/// What is added before: the other input, and a bias.
Count skipped(const OperatorView& view, std::size_t bias) {
  return (view.input(bias) != nullptr ? 2 : 1) * view.input_size(0);
}

Work skip_simplified_norm(const OperatorView& view) {
  OperatorWork work = root_mean_square(view.input_size(0), rows_of(view));
  work.flops += skipped(view, 3);
  return work;
}

/// As LayerNormalization: 7 per input, 8 with an offset; 5 per row.
Work skip_norm(const OperatorView& view) {
  const Count size = view.input_size(0);
  const bool has_offset = view.input(3) != nullptr;
  OperatorWork work{Count(has_offset ? 8 : 7) * size + 5 * rows_of(view) + skipped(view, 4), 0, {}};
  work.fma = Count(has_offset ? 4 : 2) * size;
  return work;
}

Work activation(const OperatorView& view, std::uint64_t operations, std::string_view call) {
  return OperatorWork{Count(operations) * view.output_size(), 0, {{call, view.output_size()}}};
}

Work gelu(const OperatorView& view) {
  return activation(view, 4, "erf");
}

Work biased_gelu(const OperatorView& view) {
  return activation(view, 5, "erf");
}

/// 0.5 x (1 + tanh(a (x + b x^3))): x^2, x^3, fma, times a; 1 +, 0.5 x, product.
Work fast_gelu(const OperatorView& view) {
  return activation(view, view.input(1) != nullptr ? 9 : 8, "tanh");
}

/// x / (1 + exp(-a x))
Work quick_gelu(const OperatorView& view) {
  return activation(view, 3, "exp");
}

// ---- products ----

/// B is packed in blocks of N columns; its unpacking is not counted.
Work packed_product(const OperatorView& view) {
  const std::uint64_t depth = positive(view, "K");
  if (depth == 0) {
    return std::nullopt;
  }
  const Count bias = view.input(5) != nullptr ? view.output_size() : Count(0);
  OperatorWork work{2 * view.output_size() * depth + bias, 0, {}};
  work.vector = bias;
  return work;
}

Work fused_matrix_product(const OperatorView& view) {
  const Shape left = view.input_shape(0);
  const bool turned = view.integer("transA", 0) != 0;
  if (left.empty() || (turned && left.size() < 2) || view.integer("transBatchA", 0) != 0 ||
      view.integer("transBatchB", 0) != 0) {
    return std::nullopt;
  }
  const Count scale = view.real("alpha", 1.0) != 1.0 ? view.output_size() : Count(0);
  const std::uint64_t depth = turned ? left[left.size() - 2] : left.back();
  OperatorWork work{2 * view.output_size() * depth + scale, 0, {}};
  work.vector = scale;
  return work;
}

/// A convolution, to which its fourth input is added, and an activation function.
Work fused_convolution(const OperatorView& view) {
  const std::string name = view.text("activation", "Relu");
  const bool comparison = name == "Relu" || name == "Clip";
  const Count size = view.output_size();
  Count vector =
      (view.input(2) != nullptr ? size : Count(0)) + (view.input(3) != nullptr ? size : Count(0));
  OperatorWork work;
  if (name == "LeakyRelu" || name == "HardSigmoid") {
    vector += (name == "LeakyRelu" ? 1 : 2) * size;
  } else if (name == "Sigmoid") {
    vector += 2 * size;
    work.calls.emplace_back("exp", size);
  } else if (name == "Tanh") {
    work.calls.emplace_back("tanh", size);
  } else if (!comparison) {
    return std::nullopt;
  }
  work.flops = 2 * size * product_of(view.input_shape(1), 1) + vector;
  work.vector = vector;
  return work;
}

/// Inputs: a, scale, zero, b, scale, zero, bias, scale, zero.
Work quantised_product(const OperatorView& view) {
  const Shape left = view.input_shape(0);
  if (left.size() != 2) {
    return std::nullopt;
  }
  const std::uint64_t depth = view.integer("transA", 0) != 0 ? left[0] : left[1];
  const Count bias = view.input(6) != nullptr ? view.output_size() : Count(0);
  return OperatorWork{
      view.output_size(), 2 * view.output_size() * depth + bias + view.output_size(), {}};
}

constexpr std::string_view kAttention =
    "per head 2 q k d for the scores and for the values, 4 per score (5 with a bias) and 1 per "
    "query, a call of exp per score; all pairs, masked ones included";

}  // namespace

std::vector<OperatorRow> attention_operators() {
  constexpr auto product = LayerKind::product;
  constexpr auto norm = LayerKind::reduction;
  constexpr auto single = LayerKind::elementwise;
  constexpr auto whole = Moves::whole;
  return {
      {"Attention", product, whole, attention, kAttention},
      {"RMSNormalization", norm, whole, simplified_norm, "4 per input, 4 per row"},
      {"RotaryEmbedding", norm, whole, rotate, "3 per rotated element"},
      {"SimplifiedLayerNormalization", norm, whole, simplified_norm, "4 per input, 4 per row"},
      {"com.microsoft.Attention", product, whole, projected_attention,
       "2 tokens in (queries + keys + values) + the bias; then per head 2 q k d for the scores and "
       "for the values, 4 per score and 1 per query"},
      {"com.microsoft.BiasGelu", single, whole, biased_gelu, "5 per output; a call of erf"},
      {"com.microsoft.FastGelu", single, whole, fast_gelu,
       "8 per output, 9 with a bias; a call of tanh"},
      {"com.microsoft.FusedConv", product, whole, fused_convolution,
       "as Conv, + 1 per output for an addend, + the activation function"},
      {"com.microsoft.FusedMatMul", product, whole, fused_matrix_product,
       "2 m n k per matrix of the batch; + m n for alpha other than 1"},
      {"com.microsoft.Gelu", single, whole, gelu, "4 per output; a call of erf"},
      {"com.microsoft.GroupQueryAttention", product, whole, grouped_attention, kAttention},
      {"com.microsoft.MatMulNBits", product, whole, packed_product,
       "2 m n k; + m n for a bias; the unpacking of the weights is not counted"},
      {"com.microsoft.MultiHeadAttention", product, whole, multi_head_attention, kAttention},
      {"com.microsoft.QAttention", product, whole, quantised_attention,
       "integer: 2 tokens in (queries + keys + values); then 2 per projected value and attention "
       "in floating point"},
      {"com.microsoft.QGemm", product, whole, quantised_product,
       "integer: as Gemm, + 1 per output; 1 flop per output to scale it back"},
      {"com.microsoft.QuickGelu", single, whole, quick_gelu, "3 per output; a call of exp"},
      {"com.microsoft.RotaryEmbedding", norm, whole, rotate, "3 per rotated element"},
      {"com.microsoft.SimplifiedLayerNormalization", norm, whole, simplified_norm,
       "4 per input, 4 per row"},
      {"com.microsoft.SkipLayerNormalization", norm, whole, skip_norm,
       "8 per input, + 1 each with an offset and a bias; 5 per row"},
      {"com.microsoft.SkipSimplifiedLayerNormalization", norm, whole, skip_simplified_norm,
       "5 per input, + 1 with a bias; 4 per row"},
  };
}

}  // namespace ridge::predict
