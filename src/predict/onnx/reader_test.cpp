// What a model may do to the reader: refused with a message that names it, or read.
#include "predict/onnx/reader.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/network/layers.hpp"
#include "predict/onnx/models_for_tests.hpp"
#include "predict/onnx/wire_format.hpp"
#include "tests/sentences.hpp"

namespace ridge::predict {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Result<TensorGraph> read(const ModelBuilder& model, const DimensionSizes& sizes = {}) {
  return read_onnx(model.bytes(), "model.onnx", sizes);
}

std::string refusal(const ModelBuilder& model, const DimensionSizes& sizes = {}) {
  const auto graph = read(model, sizes);
  EXPECT_FALSE(graph);
  return graph ? "" : graph.error().message;
}

ModelBuilder small() {
  ModelBuilder model;
  const std::string x = model.input("x", {2, 3});
  model.output(model.apply("MatMul", {x, model.weight({3, 4})}));
  return model;
}

const Tensor& tensor(const TensorGraph& graph, const std::string& name) {
  for (const Tensor& each : graph.tensors) {
    if (each.name == name) {
      return each;
    }
  }
  ADD_FAILURE() << "no tensor " << name;
  return graph.tensors[0];
}

TEST(OnnxReader, ReadsShapesTypesAndAttributes) {
  ModelBuilder model = small();
  model.apply("Softmax", {model.last().output(0)});
  set(model.last(), "axis", 0);
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->opset, 13U);
  EXPECT_EQ(tensor(*graph, "x").role, TensorRole::input);
  EXPECT_EQ(tensor(*graph, "x").type, "fp32");
  EXPECT_EQ(graph->nodes[0].operation, "MatMul");
  EXPECT_EQ(graph->tensors[*graph->nodes[0].inputs[1]].role, TensorRole::weight);
  EXPECT_EQ(graph->tensors[*graph->nodes[0].outputs[0]].shape, (std::vector<std::uint64_t>{2, 4}));
  EXPECT_EQ(std::get<std::int64_t>(graph->nodes[1].attributes.at("axis")), 0);
}

ModelBuilder disorder() {
  ModelBuilder model;
  const std::string x = model.input("x", {2});
  model.node("Add", {x, "b"}, "a");
  model.node("Add", {x, "a"}, "b");
  model.output("b");
  return model;
}

ModelBuilder cycle() {
  ModelBuilder model;
  model.node("Add", {model.input("x", {2}), "a"}, "a");
  model.output("a");
  return model;
}

TEST(OnnxReader, CyclesAndDisorder) {
  EXPECT_THAT(refusal(disorder()),
              AllOf(HasSubstr("`b`"), HasSubstr("before"), HasSubstr("operator 1")));
  EXPECT_THAT(refusal(cycle()), HasSubstr("cycle"));
}

ModelBuilder without_weight() {
  ModelBuilder model = small();
  model.graph().clear_initializer();
  return model;
}

ModelBuilder output_of_nothing() {
  ModelBuilder model = small();
  model.output("nowhere");
  return model;
}

TEST(OnnxReader, MissingWeightsAndOutputs) {
  EXPECT_THAT(refusal(without_weight()), HasSubstr("no operator makes"));
  EXPECT_THAT(refusal(output_of_nothing()),
              AllOf(HasSubstr("`nowhere`"), HasSubstr("no operator")));
}

TEST(OnnxReader, NamesThatAreMadeTwice) {
  ModelBuilder twice = small();
  twice.node("Relu", {"x"}, twice.last().output(0));
  EXPECT_THAT(refusal(twice), HasSubstr("is made twice"));
  ModelBuilder weights = small();
  *weights.graph().add_initializer() = weights.graph().initializer(0);
  EXPECT_THAT(refusal(weights), HasSubstr("is made twice"));
  ModelBuilder shadowed = small();
  shadowed.node("Relu", {"x"}, "x");
  EXPECT_THAT(refusal(shadowed), HasSubstr("`x` is made twice"));
}

TEST(OnnxReader, OpsetsThatNobodyKnows) {
  ModelBuilder newer = small();
  newer.model().mutable_opset_import(0)->set_version(999);
  const auto refused = read(newer);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("opset 999"));
  EXPECT_THAT(refused.error().hint, HasSubstr("export it with opset"));
  ModelBuilder none = small();
  none.model().clear_opset_import();
  EXPECT_THAT(refusal(none), HasSubstr("names no version"));
  ModelBuilder negative = small();
  negative.model().mutable_opset_import(0)->set_version(-3);
  EXPECT_THAT(refusal(negative), HasSubstr("names no version"));
}

ModelBuilder negative_input() {
  ModelBuilder model = small();
  model.graph()
      .mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_value(-1);
  return model;
}

ModelBuilder inferred_product_of_2_to_62() {
  ModelBuilder model;
  const std::int64_t side = std::int64_t{1} << 31;
  model.output(model.apply("MatMul", {model.input("a", {side, 1}), model.input("b", {1, side})}));
  return model;
}

TEST(OnnxReader, NegativeAndOverflowingDimensions) {
  ModelBuilder weight = small();
  weight.graph().mutable_initializer(0)->set_dims(0, -7);
  EXPECT_THAT(refusal(weight), HasSubstr("negative dimension -7"));
  EXPECT_THAT(refusal(negative_input()), AllOf(HasSubstr("`x`"), HasSubstr("dimension -1")));
  ModelBuilder large;
  large.weight({std::int64_t{1} << 40, std::int64_t{1} << 40});
  large.output(large.apply("Relu", {large.input("x", {2})}));
  EXPECT_THAT(refusal(large), HasSubstr("more than 2^53 elements"));
  ModelBuilder empty;
  empty.weight({0, INT64_MAX});
  empty.output(empty.apply("Relu", {empty.input("x", {2})}));
  EXPECT_THAT(refusal(empty), HasSubstr("a dimension above that"));
  EXPECT_THAT(refusal(inferred_product_of_2_to_62()), HasSubstr("more than 2^53"));
}

TEST(OnnxReader, HugeDeclaredTensorsCostNothing) {
  ModelBuilder model;
  const std::int64_t rows = std::int64_t{1} << 45;  // 140 TB of fp32, not in the file
  const std::string table = model.weight({rows, 1});
  model.output(model.apply("Gather", {table, model.input("i", {4}, {}, ModelBuilder::kInt64)}));
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(tensor(*graph, table).shape, (std::vector<std::uint64_t>{std::uint64_t{1} << 45, 1}));
}

/// Twelve elements of fp32 in so many bytes.
ModelBuilder weight_of(std::size_t bytes) {
  ModelBuilder model = small();
  model.graph().mutable_initializer(0)->set_raw_data(std::string(bytes, 'x'));
  return model;
}

TEST(OnnxReader, DataThatAreNotAsLongAsDeclared) {
  EXPECT_THAT(refusal(weight_of(47)),
              AllOf(HasSubstr("12 elements"), HasSubstr("48 byte"), HasSubstr("47 byte")));
  EXPECT_TRUE(read(weight_of(48)));
}

TEST(OnnxReader, ExternalDataAreNeverOpened) {
  ModelBuilder model = small();
  auto* weight = model.graph().mutable_initializer(0);
  weight->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* place = weight->add_external_data();
  place->set_key("location");
  place->set_value("../../../../dev/zero");
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  ASSERT_EQ(graph->notes.size(), 1U);
  EXPECT_EQ(graph->notes[0].code, "external-weights");
  EXPECT_EQ(without_weights(model.bytes(), "m")->bytes.find("/dev/zero"), std::string::npos);
}

ModelBuilder nine_deep() {
  ModelBuilder model = small();
  onnx::GraphProto* graph = &model.graph();
  for (int depth = 0; depth < 9; ++depth) {
    auto* node = graph->add_node();
    node->set_op_type("If");
    auto* attribute = node->add_attribute();
    attribute->set_name("then_branch");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    graph = attribute->mutable_g();
  }
  return model;
}

TEST(OnnxReader, DeepGraphsAndManyOperators) {
  EXPECT_THAT(refusal(nine_deep()), HasSubstr("8 deep"));
  // Deeper than protobuf follows.
  std::string nested;
  const auto wrap = [&](char tag) {
    std::string length;
    std::size_t rest = nested.size();
    for (; rest >= 0x80; rest >>= 7) {
      length += static_cast<char>((rest & 0x7f) | 0x80);
    }
    nested = tag + length + static_cast<char>(rest) + nested;
  };
  for (int depth = 0; depth < 1000; ++depth) {
    wrap('\x32');  // attribute.g
    wrap('\x2a');  // node.attribute
    wrap('\x0a');  // graph.node
  }
  wrap('\x3a');  // model.graph
  EXPECT_FALSE(without_weights(nested, "m"));
  ModelBuilder many;
  std::string x = many.input("x", {1});
  for (int i = 0; i < 50001; ++i) {
    many.graph().add_node()->set_op_type("Relu");
  }
  EXPECT_THAT(refusal(many), HasSubstr("50001 operators"));
}

ModelBuilder open_dimensions() {
  ModelBuilder model;
  const std::string x = model.input("ids", {-1, -1, 8}, {"batch_size", ""});
  model.output(model.apply("Relu", {x}));
  return model;
}

TEST(OnnxReader, OpenDimensionsAreNamedWithTheirOption) {
  const ModelBuilder model = open_dimensions();
  const auto open = read(model);
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().message,
              AllOf(HasSubstr("`batch_size`"), HasSubstr("`ids`"), HasSubstr("`ids.1`")));
  EXPECT_THAT(open.error().hint, HasSubstr("-D batch_size=N -D ids.1=N"));
  EXPECT_THAT(open.error().hint, HasSubstr("--batch N"));
  const auto graph = read(model, {.batch = 4, .named = {{"ids.1", 5}}});
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(tensor(*graph, "ids").shape, (std::vector<std::uint64_t>{4, 5, 8}));
  EXPECT_EQ(graph->notes.size(), 2U);
  for (const char* wrong : {"seq", "ids.3", "ids.", "ids", ".1", "ids.99999999999"}) {
    const auto refused = read(model, {.named = {{wrong, 2}}});
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::usage) << wrong;
    EXPECT_THAT(refused.error().hint, HasSubstr("ids [batch_size, 0, 8]"));
  }
  EXPECT_EQ(read(model, {.batch = 0}).error().code, ErrorCode::usage);
}

TEST(OnnxReader, ABatchOverridesAFixedOneAndSaysSo) {
  ModelBuilder model = small();
  auto* declared = model.graph().mutable_output(0)->mutable_type()->mutable_tensor_type();
  declared->mutable_shape()->add_dim()->set_dim_value(2);
  declared->mutable_shape()->add_dim()->set_dim_value(4);
  const auto graph = read(model, {.batch = 16});
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->tensors[graph->outputs[0]].shape, (std::vector<std::uint64_t>{16, 4}));
  EXPECT_THAT(graph->notes[0].text, HasSubstr("the model has 2"));
  // A size that is fixed inside shows in a Reshape, here or when the layers are built.
  ModelBuilder fixed;
  const std::string x = fixed.input("x", {1, 3, 4});
  fixed.output(fixed.apply("Reshape", {x, fixed.integers({1, 12})}));
  const auto read_fixed = read(fixed, {.batch = 2});
  EXPECT_TRUE(!read_fixed || !layers_of(*read_fixed, {}));
}

ModelBuilder declared_otherwise() {
  ModelBuilder model = small();
  auto* shape =
      model.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->add_dim()->set_dim_value(2);
  shape->add_dim()->set_dim_value(5);
  return model;
}

TEST(OnnxReader, ContradictionsNameTheirOperator) {
  ModelBuilder model;
  const std::string x = model.input("x", {2, 3});
  model.output(model.apply("MatMul", {x, model.weight({5, 4})}));
  EXPECT_THAT(refusal(model), HasSubstr("MatMul `MatMul.1`"));
  EXPECT_THAT(refusal(declared_otherwise()), HasSubstr("another shape"));
}

TEST(OnnxReader, UnknownOperatorsAreKeptAndWhatFollowsThemToo) {
  // LayerNormalization of a value without type: the library's own loop reads a null pointer here.
  ModelBuilder model(17);
  const std::string x = model.input("x", {2, 8});
  const std::string y = model.apply("Mystery", {x});
  model.last().set_domain("com.example");
  model.output(model.apply("LayerNormalization", {y, model.weight({8}), model.weight({8})}));
  const std::string z = model.apply("NoSuchStandardOperator", {x});
  model.output(z);
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  ASSERT_EQ(graph->nodes.size(), 3U);
  EXPECT_EQ(graph->nodes[0].domain, "com.example");
  EXPECT_FALSE(tensor(*graph, y).shape);
  const auto network = layers_of(*graph, {});
  ASSERT_TRUE(network);
  EXPECT_EQ(totals_of(*network).without_flops, 3U);
}

TEST(OnnxReader, TooFewInputsAreRefusedBeforeTheLibraryReadsThem) {
  for (const char* operation : {"Conv", "Gemm", "MatMul", "LayerNormalization", "LSTM", "Gather",
                                "Reshape", "BatchNormalization", "Resize", "Concat"}) {
    ModelBuilder model(17);
    model.input("x", {2, 3, 4});
    model.output(model.apply(operation, {}));
    EXPECT_FALSE(read(model)) << operation;
  }
}

/// Found by fuzz_onnx: the library reads as many dimensions of the filters as the data have.
TEST(OnnxReader, FiltersOfAnotherRankAreRefusedBeforeTheLibraryReadsThem) {
  for (const char* operation : {"Conv", "ConvTranspose"}) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {8}, {8, 3}, {8, 3, 3}, {8, 3, 3, 3, 3}}) {
      ModelBuilder model(13);
      const std::string x = model.input("x", {2, 3, 16, 16});
      model.output(model.apply(operation, {x, model.weight(shape)}));
      const auto graph = read(model);
      ASSERT_FALSE(graph) << operation << " " << shape.size();
      EXPECT_THAT(graph.error().message, HasSubstr("number of dimensions"));
    }
  }
}

/// Chains whose followed values double: without a limit the library would fill the memory.
TEST(OnnxReader, FollowedShapesStaySmall) {
  ModelBuilder model;
  std::string s = model.apply("Shape", {model.input("x", {2, 3})});
  for (int i = 0; i < 45; ++i) {
    s = model.apply("Concat", {s, s});
    set(model.last(), "axis", 0);
  }
  model.output(s);
  const auto graph = read(model);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->tensors[graph->outputs[0]].shape,
            (std::vector<std::uint64_t>{std::uint64_t{1} << 46}));
}

TEST(OnnxReader, CutFilesAreRefusedAtEveryLength) {
  const std::string whole = small().bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto graph = read_onnx(whole.substr(0, length), "cut.onnx", {});
    if (graph) {  // cut between two fields behind the graph
      EXPECT_GT(length, whole.size() - 8);
    } else {
      EXPECT_THAT(graph.error().message, HasSubstr("cut.onnx"));
      EXPECT_EQ(graph.error().code, ErrorCode::bad_input);
    }
  }
}

/// One bit, byte or stretch changed; the reader answers or refuses, and layers follow or not.
TEST(OnnxReader, MutatedModelsAreReadOrRefused) {
  std::mt19937_64 random(20261121);
  const std::vector<std::string> models{small().bytes(), transformer_block(16, 2).bytes(),
                                        resnet50().bytes().substr(0)};
  int read_well = 0;
  for (int round = 0; round < 1200; ++round) {
    std::string bytes = models[random() % 2 == 0 ? 1 : random() % models.size()];
    for (std::size_t change = 1 + random() % 2; change > 0; --change) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 6) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 16);
          break;
        case 2:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 40));
          break;
        default:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      }
      if (bytes.empty()) {
        bytes = "x";
      }
    }
    const auto graph = read_onnx(bytes, "m.onnx", {.batch = 2, .named = {}});
    if (graph) {
      ++read_well;
      static_cast<void>(layers_of(*graph, {.fuse = true}));
    } else {
      EXPECT_FALSE(graph.error().message.empty());
    }
  }
  EXPECT_GT(read_well, 20);
}

TEST(Sentences, OfThisLibraryAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  sentences.add("operators in disorder", refusal(disorder()));
  sentences.add("a cycle", refusal(cycle()));
  sentences.add("without its weight", refusal(without_weight()));
  sentences.add("an output of nothing", refusal(output_of_nothing()));
  sentences.add("a negative dimension", refusal(negative_input()));
  sentences.add("an inferred tensor of 2^62", refusal(inferred_product_of_2_to_62()));
  sentences.add("47 bytes for 48", refusal(weight_of(47)));
  sentences.add("nine graphs deep", refusal(nine_deep()));
  sentences.add("open dimensions", refusal(open_dimensions()));
  sentences.add("an output that is declared otherwise", refusal(declared_otherwise()));
  sentences.add("open dimensions, hint", read(open_dimensions()).error().hint);
  sentences.expect_golden("../testdata/onnx_sentences.txt");
}

}  // namespace
}  // namespace ridge::predict
