// Operators of com.microsoft, as ONNX Runtime documents them (docs/ContribOperators.md there), and
// the attention of the standard operators from version 23 on.
#include "predict/onnx/shape_rules.hpp"

namespace ridge::predict {
namespace {

void as_first(OperatorCase& one) {
  one.set(0, one.type(0), one.shape(0));
}

/// Result, mean, inverse deviation, and the sum that was normalised.
void skip_norm(OperatorCase& one) {
  one.set(0, one.type(0), one.shape(0));
  one.set(3, one.type(0), one.shape(0));
}

/// B is packed: K and N are attributes.
void packed_product(OperatorCase& one) {
  Extents result = *one.shape(0);
  const std::int64_t depth = one.integer("K", 0);
  const std::int64_t width = one.integer("N", 0);
  if (result.empty() || depth <= 0 || width <= 0 ||
      result.back() != static_cast<std::uint64_t>(depth)) {
    one.contradict("its K and N do not fit its input");
    return;
  }
  result.back() = static_cast<std::uint64_t>(width);
  one.set(0, one.type(0), std::move(result));
}

std::uint64_t positive(const OperatorCase& one, std::string_view name) {
  const std::int64_t value = one.integer(name, 0);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

/// [batch, heads, tokens, width], of the past and of what is kept for the next call.
void keep_present(OperatorCase& one, std::size_t past, std::size_t first, const Extents& fresh) {
  Extents present = fresh;
  if (one.has(past)) {
    const auto before = one.shape(past);
    if (!before || before->size() != 4) {
      return;
    }
    present[2] += (*before)[2];
  }
  one.set(first, one.type(0), present);
  one.set(first + 1, one.type(0), present);
}

/// Queries [batch, tokens, heads x width]; without keys they hold keys and values, too.
void grouped_attention(OperatorCase& one) {
  Extents result = *one.shape(0);
  const std::uint64_t heads = positive(one, "num_heads");
  const std::uint64_t shared = positive(one, "kv_num_heads");
  if (result.size() != 3 || heads == 0 || shared == 0 || heads > 65536 || shared > 65536) {
    one.contradict("its queries have not 3 dimensions, or its heads no number");
    return;
  }
  const std::uint64_t width = result[2] / (one.has(1) ? heads : heads + 2 * shared);
  result[2] = width * heads;
  one.set(0, one.type(0), result);
  keep_present(one, 3, 1, {result[0], shared, result[1], width});
}

void multi_head_attention(OperatorCase& one) {
  const Extents query = *one.shape(0);
  const std::uint64_t heads = positive(one, "num_heads");
  if (heads == 0 || query.size() < 3) {
    one.contradict("its queries have not 3 dimensions, or its heads no number");
    return;
  }
  if (query.size() == 5) {  // [batch, tokens, heads, 3, width]
    one.set_counts(0, one.type(0), {query[0], query[1], Count(query[2]) * query[4]});
    return;
  }
  const auto values = one.has(2) ? one.shape(2) : one.has(1) ? std::nullopt : one.shape(0);
  if (!values || values->size() < 3) {
    return;
  }
  const bool apart = values->size() == 4;  // [batch, heads, tokens, width]
  const Count width = apart ? Count((*values)[1]) * (*values)[3] : Count(values->back());
  one.set_counts(0, one.type(0), {query[0], query[1], width});
  if (!apart) {
    keep_present(one, 6, 1, {query[0], heads, (*values)[1], width.value() / heads});
  }
}

/// Input, weights [width, 3 x hidden], bias.
void projected_attention(OperatorCase& one) {
  const Extents data = *one.shape(0);
  const Extents weights = *one.shape(1);
  if (data.size() != 3 || weights.size() != 2 || weights[0] != data[2]) {
    one.contradict("its weights do not fit its input");
    return;
  }
  const auto sizes = one.integers("qkv_hidden_sizes");
  const std::uint64_t hidden =
      sizes.size() == 3 && sizes[2] > 0 ? static_cast<std::uint64_t>(sizes[2]) : weights[1] / 3;
  const bool quantised = one.operation() == "QAttention";
  one.set(0, quantised ? one.type(3) : one.type(0), Extents{data[0], data[1], hidden});
}

/// Queries, keys, values: [batch, heads, tokens, width], or without the heads apart.
void attention(OperatorCase& one) {
  Extents query = *one.shape(0);
  const Extents values = *one.shape(2);
  if (query.size() != values.size() || (query.size() != 3 && query.size() != 4)) {
    one.contradict("its queries and values have not 3 or 4 dimensions");
    return;
  }
  if (query.size() == 4) {
    query[3] = values[3];
    one.set(0, one.type(0), query);
    return;
  }
  const std::uint64_t heads = positive(one, "q_num_heads");
  const std::uint64_t shared = positive(one, "kv_num_heads");
  if (heads > 0 && shared > 0) {
    one.set_counts(0, one.type(0), {query[0], query[1], Count(values[2] / shared) * heads});
  }
}

}  // namespace

std::vector<ShapeRow> vendor_shapes() {
  return {
      {"Attention", 3, 3, attention},
      {"RotaryEmbedding", 1, 1, as_first},
      {"com.microsoft.Attention", 2, 2, projected_attention},
      {"com.microsoft.BiasGelu", 2, 1, as_first},
      {"com.microsoft.FastGelu", 1, 1, as_first},
      {"com.microsoft.Gelu", 1, 1, as_first},
      {"com.microsoft.GroupQueryAttention", 1, 1, grouped_attention},
      {"com.microsoft.MatMulNBits", 3, 1, packed_product},
      {"com.microsoft.MultiHeadAttention", 1, 1, multi_head_attention},
      {"com.microsoft.QAttention", 5, 2, projected_attention},
      {"com.microsoft.QuickGelu", 1, 1, as_first},
      {"com.microsoft.RotaryEmbedding", 4, 1, as_first},
      {"com.microsoft.SimplifiedLayerNormalization", 2, 1, as_first},
      {"com.microsoft.SkipLayerNormalization", 3, 1, skip_norm},
      {"com.microsoft.SkipSimplifiedLayerNormalization", 3, 1, skip_norm},
  };
}

}  // namespace ridge::predict
