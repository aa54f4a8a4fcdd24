// Layers of neural networks.
#include <algorithm>
#include <array>
#include <cmath>

#include "predict/catalogue/kernel_tables.hpp"

namespace ridge::predict {
namespace {

constexpr KernelParameter kBatch{"batch", "samples", "1"};
constexpr std::array kLinear{KernelParameter{"in", "inputs", ""},
                             KernelParameter{"out", "outputs", ""}, kBatch,
                             KernelParameter{"bias", "1: a bias is added", "0", Domain::flag}};
constexpr KernelParameter kChannels{"channels", "input channels", ""};
constexpr KernelParameter kHeight{"height", "rows of the input", ""};
constexpr KernelParameter kWidth{"width", "columns of the input", "height"};
constexpr KernelParameter kPad{"pad", "rows and columns of zeros on each side", "0",
                               Domain::offset};
constexpr std::array kConv{kChannels,
                           kHeight,
                           kWidth,
                           KernelParameter{"filters", "output channels", ""},
                           KernelParameter{"kernel", "rows and columns of a filter", "3"},
                           KernelParameter{"stride", "step", "1"},
                           kPad,
                           KernelParameter{"groups", "groups of channels", "1"},
                           kBatch};
constexpr std::array kPool{kChannels,
                           kHeight,
                           kWidth,
                           KernelParameter{"kernel", "rows and columns of the window", "2"},
                           KernelParameter{"stride", "step", "kernel"},
                           kPad,
                           kBatch};
constexpr std::array kElements{KernelParameter{"n", "elements", ""}};
constexpr std::array kRowsOfWidth{KernelParameter{"rows", "rows, each by itself", ""},
                                  KernelParameter{"width", "elements of a row", ""}};
constexpr KernelParameter kHeads{"heads", "query heads", ""};
constexpr KernelParameter kKeyHeads{"kv_heads", "key and value heads", "heads"};
constexpr KernelParameter kHeadWidth{"width", "elements of a head", "128"};
constexpr std::array kPrefill{
    KernelParameter{"length", "tokens", ""},
    kHeads,
    kKeyHeads,
    kHeadWidth,
    KernelParameter{"causal", "1: a token sees those before it", "1", Domain::flag},
    KernelParameter{"fused", "1: scores stay on the chip", "1", Domain::flag},
    kBatch};
constexpr std::array kDecode{
    KernelParameter{"context", "tokens in the cache of keys and values", ""}, kHeads, kKeyHeads,
    kHeadWidth, kBatch};
constexpr std::array kEmbedding{KernelParameter{"tokens", "tokens", ""},
                                KernelParameter{"width", "elements of a row", ""},
                                KernelParameter{"vocabulary", "rows of the table", ""},
                                KernelParameter{"bi", "byte of a token's number", "4"}};

using P = const Parameters&;

/// `read` and `written` elements.
ByteAmounts elements(P p, Amount read, Amount written) {
  const Amount bytes = p.element() * written;
  return {p.element() * read, bytes, bytes};
}

WorkAmounts linear_work(P p) {
  const Amount outputs = p["out"] * p["batch"];
  return {.add = p["bias"] * outputs, .fma = 2 * p["in"] * outputs};
}
ByteAmounts linear_bytes(P p) {
  return elements(p, p["in"] * p["out"] + p["bias"] * p["out"] + p["in"] * p["batch"],
                  p["out"] * p["batch"]);
}

Amount steps(P p, std::string_view side) {
  return std::floor((p[side] + 2 * p["pad"] - p["kernel"]) / p["stride"]) + 1;
}
Amount pixels(P p) {
  return p["batch"] * steps(p, "height") * steps(p, "width");
}
Amount input(P p) {
  return p["batch"] * p["channels"] * p["height"] * p["width"];
}
Amount filter(P p) {
  return p["channels"] / p["groups"] * p["kernel"] * p["kernel"];
}
WorkAmounts conv_work(P p) {
  return {.fma = 2 * pixels(p) * p["filters"] * filter(p)};
}
ByteAmounts conv_bytes(P p) {
  return elements(p, input(p) + p["filters"] * filter(p), pixels(p) * p["filters"]);
}
std::string_view window_complaint(P p) {
  const Amount side = std::min(p["height"], p["width"]) + 2 * p["pad"];
  return p["kernel"] > side ? "kernel exceeds the padded input" : "";
}
std::string_view conv_complaint(P p) {
  const bool whole =
      std::fmod(p["channels"], p["groups"]) == 0 && std::fmod(p["filters"], p["groups"]) == 0;
  return whole ? window_complaint(p) : "groups must divide channels and filters";
}

WorkAmounts pool_work(P p) {
  return {.other = p["kernel"] * p["kernel"] * p["channels"] * pixels(p)};
}
ByteAmounts pool_bytes(P p) {
  return elements(p, input(p), p["channels"] * pixels(p));
}

WorkAmounts relu_work(P p) {
  return {.other = p["n"]};
}
ByteAmounts relu_bytes(P p) {
  return elements(p, p["n"], p["n"]);
}

WorkAmounts layernorm_work(P p) {
  const Amount all = p["rows"] * p["width"];
  // mean: 1 add; variance: 1 sub, 1 fma; result: 1 sub, 1 mul, 1 fma. A row: 2 mul (by 1/width),
  // 1 add (epsilon), 1 sqrt, 1 div.
  return {.add = 3 * all + p["rows"],
          .mul = all + 2 * p["rows"],
          .fma = 4 * all,
          .div = p["rows"],
          .sqrt = p["rows"]};
}
ByteAmounts layernorm_bytes(P p) {
  const Amount all = p["rows"] * p["width"];
  return elements(p, all + 2 * p["width"], all);
}

WorkAmounts softmax_work(P p) {
  const Amount all = p["rows"] * p["width"];
  // x - max, sum, times 1 / sum; max and exp are 0 flop.
  return {.add = 2 * all, .mul = all, .div = p["rows"], .other = 2 * all};
}
ByteAmounts softmax_bytes(P p) {
  return elements(p, p["rows"] * p["width"], p["rows"] * p["width"]);
}

/// Pairs of a query and a key, of all heads.
Amount prefill_pairs(P p) {
  const Amount length = p["length"];
  const Amount pairs = p["causal"] > 0 ? length * (length + 1) / 2 : length * length;
  return p["batch"] * p["heads"] * pairs;
}
/// Two products of 2 width flop for each pair; softmax: scale, x - max, sum; once for each row
/// and element of the output times 1 / sum.
WorkAmounts attention_work(P p, Amount pairs, Amount rows) {
  return {.add = 2 * pairs,
          .mul = pairs + rows * p["width"],
          .fma = 4 * p["width"] * pairs,
          .div = rows,
          .other = 2 * pairs};
}
WorkAmounts prefill_work(P p) {
  return attention_work(p, prefill_pairs(p), p["batch"] * p["heads"] * p["length"]);
}
ByteAmounts prefill_bytes(P p) {
  const Amount row = p["batch"] * p["length"] * p["width"];
  ByteAmounts bytes = elements(p, row * (p["heads"] + 2 * p["kv_heads"]), row * p["heads"]);
  if (p["fused"] <= 0) {
    const Amount scores = 2 * p.element() * prefill_pairs(p);  // before and after softmax
    bytes.read += scores;
    bytes.written += scores;
    bytes.allocate += scores;
  }
  return bytes;
}
/// Scores stand once before and once after softmax; what is written of them is read again.
Amount prefill_data(P p) {
  const ByteAmounts bytes = prefill_bytes(p);
  const Amount scores = p["fused"] > 0 ? 0 : 2 * p.element() * prefill_pairs(p);
  return bytes.read + bytes.allocate - scores;
}
WorkAmounts decode_work(P p) {
  const Amount rows = p["batch"] * p["heads"];
  return attention_work(p, rows * p["context"], rows);
}
ByteAmounts decode_bytes(P p) {
  const Amount row = p["batch"] * p["width"];
  return elements(p, row * (p["heads"] + 2 * p["kv_heads"] * p["context"]), row * p["heads"]);
}
std::string_view heads_complaint(P p) {
  return std::fmod(p["heads"], p["kv_heads"]) != 0 ? "kv_heads must divide heads" : "";
}

WorkAmounts no_work(P /*p*/) {
  return {};
}
ByteAmounts embedding_bytes(P p) {
  ByteAmounts bytes =
      elements(p, std::min(p["tokens"], p["vocabulary"]) * p["width"], p["tokens"] * p["width"]);
  bytes.read += p["bi"] * p["tokens"];
  return bytes;
}

constexpr std::string_view kUmea = "Myllykoski 2020 (Umea)";
constexpr std::string_view kDefinition = "from the definition of the layer";
constexpr std::string_view kDao =
    "Vaswani et al. 2017, arXiv:1706.03762; Dao et al. 2022, arXiv:2205.14135 (fused)";

}  // namespace

constexpr std::array<Kernel, kNetworkKernels> network_kernels{{
    {"linear", "fully connected layer", kLinear, "2 in out batch (fma) + bias out batch",
     "e (in out + in batch + bias out read + out batch written), write-allocate e out batch", "",
     kUmea, true, false, linear_work, linear_bytes, nullptr, nullptr},
    {"conv2d", "convolution over images", kConv,
     "2 N filters (channels / groups) kernel^2 (fma); N = batch x output pixels, a side has "
     "floor((side + 2 pad - kernel) / stride) + 1",
     "e (input + filters read + N filters written), write-allocate e N filters", "", kDefinition,
     true, false, conv_work, conv_bytes, nullptr, conv_complaint},
    {"pooling", "maximum over windows", kPool,
     "0 flop; kernel^2 channels N comparisons (the first counted)",
     "e (input read + N channels written), write-allocate e N channels", "", kUmea, false, false,
     pool_work, pool_bytes, nullptr, window_complaint},
    {"relu", "max(x, 0)", kElements, "0 flop; n comparisons",
     "e (n read + n written), write-allocate e n", "", kUmea, false, false, relu_work, relu_bytes,
     nullptr, nullptr},
    {"layernorm", "normalisation of rows with scale and shift", kRowsOfWidth,
     "8 rows width (3 add, 1 mul, 2 fma) + 5 rows",
     "e (rows width + 2 width read + rows width written), write-allocate e rows width", "",
     kDefinition, false, false, layernorm_work, layernorm_bytes, nullptr, nullptr},
    {"softmax", "exp(x - max) over its sum, by rows", kRowsOfWidth,
     "3 rows width (2 add, 1 mul) + rows; maxima and exp 0 flop",
     "e (rows width read + rows width written), write-allocate e rows width", "", kDefinition,
     false, false, softmax_work, softmax_bytes, nullptr, nullptr},
    {"attention-prefill", "attention of all tokens of a prompt", kPrefill,
     "(4 width + 3) pairs + (width + 1) rows; pairs = batch heads length (length + 1) / 2 if "
     "causal, else length^2; rows = batch heads length",
     "e batch length width (heads + 2 kv_heads read + heads written); not fused: 2 e pairs read "
     "and written besides; write-allocate = written",
     "", kDao, true, false, prefill_work, prefill_bytes, nullptr, heads_complaint, nullptr,
     prefill_data},
    {"attention-decode", "attention of one new token to its context", kDecode,
     "(4 width + 3) batch heads context + (width + 1) batch heads",
     "e batch width (heads + 2 kv_heads context read + heads written), write-allocate = written",
     "", kDao, true, false, decode_work, decode_bytes, nullptr, heads_complaint},
    {"embedding", "rows of a table for tokens", kEmbedding, "0 flop",
     "e width (min(tokens, vocabulary) read + tokens written) + bi tokens read, write-allocate e "
     "width tokens",
     "", kDefinition, false, false, no_work, embedding_bytes, nullptr, nullptr},
}};

}  // namespace ridge::predict
