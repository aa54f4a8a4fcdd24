// Test helper: writes models into the folder given, for the end-to-end test.
#include <cstdio>
#include <fstream>
#include <string>

#include "predict/onnx/exported_models_for_tests.hpp"
#include "predict/onnx/models_for_tests.hpp"

namespace {

using ridge::predict::ModelBuilder;

/// Convolution, batch norm, Relu, and so on: 1000 layers, with 9 MB of weights in the file.
ModelBuilder deep() {
  constexpr std::size_t kWeightBytes = 64UL * 64 * 4;
  ModelBuilder model;
  std::string x = model.input("x", {1, 64, 28, 28});
  for (int i = 0; i < 334; ++i) {
    const std::string weight = model.weight({64, 64, 1, 1});
    model.graph().mutable_initializer()->rbegin()->set_raw_data(std::string(kWeightBytes, '\1'));
    x = model.apply("Conv", {x, weight});
    x = model.apply("BatchNormalization", {x, model.weight({64}), model.weight({64}),
                                           model.weight({64}), model.weight({64})});
    x = model.apply("Relu", {x});
  }
  model.output(x);
  return model;
}

ModelBuilder with_unknown_operator() {
  ModelBuilder model;
  const std::string x = model.input("x", {1, 1024});
  model.apply("Mystery", {x});
  model.last().set_domain("com.example");
  auto* known = model.graph().add_value_info();
  known->set_name(model.last().output(0));
  auto* tensor = known->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(ModelBuilder::kFloat);
  tensor->mutable_shape()->add_dim()->set_dim_value(1);
  tensor->mutable_shape()->add_dim()->set_dim_value(1024);
  model.output(model.apply("Relu", {model.last().output(0)}));
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: onnx_write_models FOLDER\n", stderr);
    return 2;
  }
  const std::string folder = argv[1];
  const auto write = [&](const char* name, const ModelBuilder& model) {
    std::ofstream(folder + "/" + name, std::ios::binary) << model.bytes();
  };
  write("resnet50.onnx", ridge::predict::resnet50());
  write("transformer.onnx", ridge::predict::transformer_block(768, 12));
  constexpr int kOpset = 21;
  write("exported_resnet50.onnx", ridge::predict::exported_resnet50(kOpset));
  write("exported_mobilenet_v2.onnx", ridge::predict::exported_mobilenet_v2(kOpset));
  write("exported_vit_b_16.onnx", ridge::predict::exported_vit_b_16(kOpset));
  write("exported_bert_base.onnx", ridge::predict::exported_bert_base(kOpset, 128));
  write("exported_gpt2.onnx", ridge::predict::exported_gpt2(kOpset, 1024));
  write("deep.onnx", deep());
  write("bodies.onnx", ridge::predict::with_bodies(21));
  write("unknown.onnx", with_unknown_operator());
  return 0;
}
