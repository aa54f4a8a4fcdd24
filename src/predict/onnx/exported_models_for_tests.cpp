#include "predict/onnx/exported_models_for_tests.hpp"

namespace ridge::predict {
namespace {

constexpr int kGeluOpset = 20;
constexpr int kAttentionOpset = 23;

// ---- convolutional networks ----

struct Convolution {
  std::int64_t in;
  std::int64_t out;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t groups = 1;
};

std::string convolve(ModelBuilder& model, const std::string& x, const Convolution& shape) {
  const std::string y = model.apply(
      "Conv", {x, model.weight({shape.out, shape.in / shape.groups, shape.kernel, shape.kernel}),
               model.weight({shape.out})});
  const std::int64_t pad = shape.kernel / 2;
  set(model.last(), "kernel_shape", {shape.kernel, shape.kernel});
  set(model.last(), "strides", {shape.stride, shape.stride});
  set(model.last(), "pads", {pad, pad, pad, pad});
  set(model.last(), "group", shape.groups);
  return y;
}

std::string classify(ModelBuilder& model, const std::string& x, std::int64_t features) {
  const std::string pooled = model.apply("GlobalAveragePool", {x});
  const std::string y = model.apply("Gemm", {model.apply("Flatten", {pooled}),
                                             model.weight({1000, features}), model.weight({1000})});
  set(model.last(), "transB", 1);
  return y;
}

std::string bottleneck(ModelBuilder& model, const std::string& x, std::int64_t in,
                       std::int64_t width, std::int64_t stride) {
  std::string y = model.apply("Relu", {convolve(model, x, {in, width})});
  y = model.apply("Relu", {convolve(model, y, {width, width, 3, stride})});
  y = convolve(model, y, {width, 4 * width});
  const bool same = in == 4 * width && stride == 1;
  return model.apply(
      "Relu", {model.apply("Add", {y, same ? x : convolve(model, x, {in, 4 * width, 1, stride})})});
}

/// Expansion, depthwise convolution, projection.
std::string inverted_residual(ModelBuilder& model, const std::string& x, std::int64_t in,
                              std::int64_t out, std::int64_t expansion, std::int64_t stride) {
  const std::int64_t wide = in * expansion;
  const auto clip = [&](const std::string& y) {
    return model.apply("Clip", {y, model.weight({}), model.weight({})});
  };
  std::string y = expansion == 1 ? x : clip(convolve(model, x, {in, wide}));
  y = clip(convolve(model, y, {wide, wide, 3, stride, wide}));
  y = convolve(model, y, {wide, out});
  return stride == 1 && in == out ? model.apply("Add", {x, y}) : y;
}

// ---- transformers ----

/// What the encoder and decoder blocks are made of.
class Transformer {
 public:
  Transformer(ModelBuilder& model, int opset, std::int64_t width, std::int64_t heads)
      : model_(model), opset_(opset), width_(width), heads_(heads) {}

  std::string norm(const std::string& x) {
    model_.apply("LayerNormalization", {x, model_.weight({width_}), model_.weight({width_})});
    set(model_.last(), "axis", -1);
    return model_.last().output(0);
  }

  /// MatMul and Add, as a Linear over three axes is exported.
  std::string linear(const std::string& x, std::int64_t in, std::int64_t out) {
    return model_.apply(
        "Add", {model_.weight({out}), model_.apply("MatMul", {x, model_.weight({in, out})})});
  }

  /// GPT-2's Conv1D: a Gemm over tokens, between two reshapes.
  std::string convolution(const std::string& x, std::int64_t in, std::int64_t out,
                          std::int64_t tokens) {
    const std::string flat = model_.apply("Reshape", {x, model_.integers({-1, in})});
    const std::string y =
        model_.apply("Gemm", {flat, model_.weight({in, out}), model_.weight({out})});
    return model_.apply("Reshape", {y, model_.integers({-1, tokens, out})});
  }

  /// [batch, tokens, width] three times. `mask` is added to the scores, unless it is empty.
  std::string attention(const std::string& q, const std::string& k, const std::string& v,
                        const std::string& mask) {
    if (opset_ >= kAttentionOpset) {
      return together(model_.apply("Attention",
                                   mask.empty() ? std::vector{apart(q), apart(k), apart(v)}
                                                : std::vector{apart(q), apart(k), apart(v), mask}));
    }
    const std::string turned = model_.apply("Transpose", {apart(k)});
    set(model_.last(), "perm", {0, 1, 3, 2});
    // The scale is a root on either side, as scaled_dot_product_attention is exported.
    std::string scores = model_.apply("MatMul", {model_.apply("Mul", {apart(q), model_.weight({})}),
                                                 model_.apply("Mul", {turned, model_.weight({})})});
    scores = mask.empty() ? scores : model_.apply("Add", {scores, mask});
    const std::string shares = model_.apply("Softmax", {scores});
    set(model_.last(), "axis", -1);
    return together(model_.apply("MatMul", {shares, apart(v)}));
  }

  std::string gelu(const std::string& x) {
    if (opset_ >= kGeluOpset) {
      return model_.apply("Gelu", {x});
    }
    const std::string erf = model_.apply("Erf", {model_.apply("Div", {x, model_.weight({})})});
    const std::string sum = model_.apply("Add", {erf, model_.weight({})});
    return model_.apply("Mul", {model_.apply("Mul", {x, sum}), model_.weight({})});
  }

  /// 0.5 x (1 + tanh(a (x + b x^3)))
  std::string gelu_by_tanh(const std::string& x) {
    const auto number = [&] { return model_.weight({}); };
    const std::string cube = model_.apply("Pow", {x, number()});
    const std::string sum = model_.apply("Add", {x, model_.apply("Mul", {cube, number()})});
    const std::string tanh = model_.apply("Tanh", {model_.apply("Mul", {sum, number()})});
    return model_.apply(
        "Mul", {model_.apply("Mul", {x, number()}), model_.apply("Add", {tanh, number()})});
  }

  /// Three equal parts of the last axis.
  std::vector<std::string> thirds(const std::string& x) {
    model_.apply("Split", {x, model_.integers({width_, width_, width_})});
    onnx::NodeProto& split = model_.last();
    set(split, "axis", -1);
    const std::string first = split.output(0);
    split.add_output(first + "_2");
    split.add_output(first + "_3");
    return {first, first + "_2", first + "_3"};
  }

 private:
  std::string apart(const std::string& x) {
    const std::string y =
        model_.apply("Reshape", {x, model_.integers({0, 0, heads_, width_ / heads_})});
    const std::string turned = model_.apply("Transpose", {y});
    set(model_.last(), "perm", {0, 2, 1, 3});
    return turned;
  }

  std::string together(const std::string& x) {
    const std::string turned = model_.apply("Transpose", {x});
    set(model_.last(), "perm", {0, 2, 1, 3});
    return model_.apply("Reshape", {turned, model_.integers({0, 0, width_})});
  }

  ModelBuilder& model_;
  int opset_;
  std::int64_t width_;
  std::int64_t heads_;
};

constexpr std::int64_t kWidth = 768;
constexpr std::int64_t kHeads = 12;
constexpr std::int64_t kWide = 4 * kWidth;
constexpr int kBlocks = 12;

std::string embed(ModelBuilder& model, const std::string& ids, std::int64_t words) {
  return model.apply("Gather", {model.weight({words, kWidth}), ids});
}

}  // namespace

ModelBuilder exported_resnet50(int opset) {
  ModelBuilder model(opset);
  std::string x = model.input("x", {-1, 3, 224, 224}, {"batch"});
  x = model.apply("Relu", {convolve(model, x, {3, 64, 7, 2})});
  x = model.apply("MaxPool", {x});
  set(model.last(), "kernel_shape", {3, 3});
  set(model.last(), "strides", {2, 2});
  set(model.last(), "pads", {1, 1, 1, 1});
  std::int64_t in = 64;
  std::int64_t width = 64;
  for (const int blocks : {3, 4, 6, 3}) {
    for (int block = 0; block < blocks; ++block) {
      x = bottleneck(model, x, in, width, block == 0 && width > 64 ? 2 : 1);
      in = 4 * width;
    }
    width *= 2;
  }
  model.output(classify(model, x, 2048));
  return model;
}

ModelBuilder exported_mobilenet_v2(int opset) {
  struct Stage {
    std::int64_t expansion;
    std::int64_t out;
    int repeats;
    std::int64_t stride;
  };
  ModelBuilder model(opset);
  std::string x = model.input("x", {-1, 3, 224, 224}, {"batch"});
  x = model.apply("Clip", {convolve(model, x, {3, 32, 3, 2}), model.weight({}), model.weight({})});
  std::int64_t in = 32;
  for (const Stage& stage :
       {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
        Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}}) {
    for (int i = 0; i < stage.repeats; ++i) {
      x = inverted_residual(model, x, in, stage.out, stage.expansion, i == 0 ? stage.stride : 1);
      in = stage.out;
    }
  }
  x = model.apply("Clip", {convolve(model, x, {320, 1280}), model.weight({}), model.weight({})});
  model.output(classify(model, x, 1280));
  return model;
}

ModelBuilder exported_vit_b_16(int opset) {
  constexpr std::int64_t kPatches = 14 * 14;
  ModelBuilder model(opset);
  Transformer make(model, opset, kWidth, kHeads);
  const std::string image = model.input("x", {-1, 3, 224, 224}, {"batch"});
  model.apply("Conv", {image, model.weight({kWidth, 3, 16, 16}), model.weight({kWidth})});
  set(model.last(), "kernel_shape", {16, 16});
  set(model.last(), "strides", {16, 16});
  std::string x =
      model.apply("Reshape", {model.last().output(0), model.integers({0, kWidth, kPatches})});
  x = model.apply("Transpose", {x});
  set(model.last(), "perm", {0, 2, 1});
  const std::string batch = model.apply("Shape", {image});
  set(model.last(), "start", 0);
  set(model.last(), "end", 1);
  const std::string wanted = model.apply("Concat", {batch, model.integers({1, kWidth})});
  set(model.last(), "axis", 0);
  const std::string token = model.apply("Expand", {model.weight({1, 1, kWidth}), wanted});
  x = model.apply("Concat", {token, x});
  set(model.last(), "axis", 1);
  x = model.apply("Add", {x, model.weight({1, kPatches + 1, kWidth})});
  for (int block = 0; block < kBlocks; ++block) {
    const auto parts = make.thirds(make.linear(make.norm(x), kWidth, 3 * kWidth));
    const std::string mixed = make.attention(parts[0], parts[1], parts[2], "");
    x = model.apply("Add", {make.linear(mixed, kWidth, kWidth), x});
    const std::string wide = make.gelu(make.linear(make.norm(x), kWidth, kWide));
    x = model.apply("Add", {x, make.linear(wide, kWide, kWidth)});
  }
  const std::string first = model.weight({}, ModelBuilder::kInt64);
  model.graph().mutable_initializer()->rbegin()->add_int64_data(0);
  const std::string of_class = model.apply("Gather", {make.norm(x), first});
  set(model.last(), "axis", 1);
  model.apply("Gemm", {of_class, model.weight({1000, kWidth}), model.weight({1000})});
  set(model.last(), "transB", 1);
  model.output(model.last().output(0));
  return model;
}

ModelBuilder exported_bert_base(int opset, std::int64_t tokens) {
  ModelBuilder model(opset);
  Transformer make(model, opset, kWidth, kHeads);
  const auto integers = [&](const char* name) {
    return model.input(name, {-1, tokens}, {"batch"}, ModelBuilder::kInt64);
  };
  const std::string ids = integers("input_ids");
  const std::string types = integers("token_type_ids");
  const std::string seen = integers("attention_mask");
  std::string x = model.apply("Add", {embed(model, ids, 30522), embed(model, types, 2)});
  x = make.norm(model.apply("Add", {x, model.weight({1, tokens, kWidth})}));
  std::string mask = model.apply("Unsqueeze", {seen, model.integers({1, 2})});
  mask = model.apply("Cast", {mask});
  set(model.last(), "to", ModelBuilder::kFloat);
  mask = model.apply("Mul", {model.apply("Sub", {model.weight({}), mask}), model.weight({})});
  for (int block = 0; block < kBlocks; ++block) {
    const std::string q = make.linear(x, kWidth, kWidth);
    const std::string k = make.linear(x, kWidth, kWidth);
    const std::string v = make.linear(x, kWidth, kWidth);
    const std::string mixed = make.linear(make.attention(q, k, v, mask), kWidth, kWidth);
    x = make.norm(model.apply("Add", {mixed, x}));
    const std::string wide = make.gelu(make.linear(x, kWidth, kWide));
    x = make.norm(model.apply("Add", {make.linear(wide, kWide, kWidth), x}));
  }
  const std::string first = model.weight({}, ModelBuilder::kInt64);
  model.graph().mutable_initializer()->rbegin()->add_int64_data(0);
  const std::string of_class = model.apply("Gather", {x, first});
  set(model.last(), "axis", 1);
  model.apply("Gemm", {of_class, model.weight({kWidth, kWidth}), model.weight({kWidth})});
  set(model.last(), "transB", 1);
  model.output(model.apply("Tanh", {model.last().output(0)}));
  return model;
}

ModelBuilder exported_gpt2(int opset, std::int64_t tokens) {
  constexpr std::int64_t kWords = 50257;
  ModelBuilder model(opset);
  Transformer make(model, opset, kWidth, kHeads);
  const std::string ids = model.input("input_ids", {-1, tokens}, {"batch"}, ModelBuilder::kInt64);
  std::string x =
      model.apply("Add", {embed(model, ids, kWords), model.weight({1, tokens, kWidth})});
  const std::string mask = model.weight({1, 1, tokens, tokens});
  for (int block = 0; block < kBlocks; ++block) {
    const auto parts = make.thirds(make.convolution(make.norm(x), kWidth, 3 * kWidth, tokens));
    const std::string mixed = make.attention(parts[0], parts[1], parts[2], mask);
    x = model.apply("Add", {make.convolution(mixed, kWidth, kWidth, tokens), x});
    const std::string wide =
        make.gelu_by_tanh(make.convolution(make.norm(x), kWidth, kWide, tokens));
    x = model.apply("Add", {x, make.convolution(wide, kWide, kWidth, tokens)});
  }
  model.output(model.apply("MatMul", {make.norm(x), model.weight({kWidth, kWords})}));
  return model;
}

}  // namespace ridge::predict
