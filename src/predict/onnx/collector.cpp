#include "predict/onnx/collector.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "predict/onnx/constant_folding.hpp"
#include "predict/onnx/model_checks.hpp"
#include "predict/onnx/shape_rules.hpp"
#include "predict/onnx/tensor_content.hpp"

namespace ridge::predict {
namespace {

constexpr std::size_t kMostNamed = 5;  // operators in a note

/// nullopt for types that no formula needs: tensors, graphs, lists of floats.
std::optional<OperatorAttribute> value_of(const onnx::AttributeProto& attribute) {
  constexpr int kLongest = 4096;
  switch (attribute.type()) {
    case onnx::AttributeProto::INT:
      return std::int64_t{attribute.i()};
    case onnx::AttributeProto::FLOAT:
      return static_cast<double>(attribute.f());
    case onnx::AttributeProto::STRING:
      return attribute.s().substr(0, kLongest);
    case onnx::AttributeProto::INTS:
      if (attribute.ints_size() > kLongest) {
        return std::nullopt;
      }
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case onnx::AttributeProto::STRINGS:
      return fmt::format("{}", fmt::join(attribute.strings(), ",")).substr(0, kLongest);
    default:
      return std::nullopt;
  }
}

/// Upsample had its factors in a list of floats.
const onnx::AttributeProto* factors_of(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == "scales" && attribute.floats_size() > 0 &&
        attribute.floats_size() <= static_cast<int>(kLongestContent)) {
      return &attribute;
    }
  }
  return nullptr;
}

}  // namespace

Collector::Collector(const onnx::ModelProto& model, const ValueTypes& types,
                     std::string_view file_name)
    : model_(model), types_(types), file_name_(file_name) {
  result_.name = model.graph().name();
  result_.producer = model.producer_name();
  result_.opset = static_cast<std::uint64_t>(standard_opset(model));
  for (const auto& function : model.functions()) {
    functions_[{function.domain(), function.name()}] = &function;
  }
}

Result<TensorGraph> Collector::run() {
  const onnx::GraphProto& graph = model_.graph();
  add_weights(graph, top_);
  for (const auto& input : graph.input()) {
    if (top_.places.count(input.name()) == 0) {
      top_.places[input.name()] =
          add_tensor(input.name(), TensorRole::input, facts_of(input.type()));
    }
  }
  add_declared(graph, top_);
  if (auto done = add_nodes(graph.node(), top_, {}); !done) {
    return tl::make_unexpected(std::move(done.error()));
  }
  for (const auto& output : graph.output()) {
    if (const auto place = find(top_, output.name())) {
      result_.outputs.push_back(*place);
    }
  }
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    result_.tensors[i].type = facts_[i].type;
    result_.tensors[i].shape = facts_[i].shape;
  }
  if (!check_sizes()) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: tensor `{}` [{}] has more than 2^53 elements or a "
                            "dimension above that",
                            file_name_, large_->name, fmt::join(*large_->shape, " x ")),
                "check the sizes of the inputs: --batch, -D NAME=N");
  }
  add_notes();
  return std::move(result_);
}

// ---- values ----

std::uint32_t Collector::add_tensor(const std::string& name, TensorRole role, ValueFacts facts) {
  result_.tensors.push_back({.name = name, .role = role});
  facts_.push_back(std::move(facts));
  return static_cast<std::uint32_t>(facts_.size() - 1);
}

std::optional<std::uint32_t> Collector::find(const Scope& scope, const std::string& name) const {
  for (const Scope* around = &scope; around != nullptr; around = around->outer) {
    if (const auto found = around->places.find(name); found != around->places.end()) {
      return found->second;
    }
  }
  return std::nullopt;
}

ValueFacts Collector::facts_at(const Scope& scope, const std::string& name) const {
  const auto place = name.empty() ? std::nullopt : find(scope, name);
  return place ? facts_[*place] : ValueFacts{};
}

Collector::Done Collector::bind(Scope& scope, const std::string& name, std::uint32_t place) {
  if (!name.empty() && !scope.places.emplace(name, place).second) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: the value `{}` is made twice", file_name_, name.substr(0, 80)),
                "export the model again; the ONNX checker explains more");
  }
  return {};
}

void Collector::add_weights(const onnx::GraphProto& graph, Scope& scope) {
  for (const auto& weight : graph.initializer()) {
    scope.places.emplace(weight.name(),
                         add_tensor(weight.name(), TensorRole::weight, facts_of(weight)));
  }
  for (const auto& weight : graph.sparse_initializer()) {  // its bytes depend on its format
    scope.places.emplace(weight.values().name(),
                         add_tensor(weight.values().name(), TensorRole::weight, {}));
  }
}

void Collector::add_declared(const onnx::GraphProto& graph, Scope& scope) const {
  for (const auto* values : {&graph.output(), &graph.value_info()}) {
    for (const auto& value : *values) {
      const auto [known, fresh] = scope.declared.try_emplace(value.name(), &value.type());
      if (!fresh && value.type().tensor_type().has_shape()) {
        known->second = &value.type();
      }
    }
  }
}

// ---- operators ----

Collector::Done Collector::add_nodes(
    const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, Scope& scope,
    const Context& context) {
  for (const onnx::NodeProto& node : nodes) {
    if (++visits_ > 8 * static_cast<std::uint64_t>(kMostNodes)) {
      return refuse(node, "stands in bodies and functions that unfold to too many operators");
    }
    if (auto done = add_node(node, scope, context); !done) {
      return done;
    }
  }
  return {};
}

Collector::Done Collector::add_node(const onnx::NodeProto& node, Scope& scope,
                                    const Context& context) {
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  if (standard && node.op_type() == "If") {
    return add_if(node, scope, context);
  }
  if (standard && node.op_type() == "Loop") {
    return add_loop(node, scope, context);
  }
  if (standard && node.op_type() == "Scan" && result_.opset >= 9) {
    return add_scan(node, scope, context);
  }
  constexpr unsigned kDeepestCall = 16;
  const auto function = functions_.find({node.domain(), node.op_type()});
  if (function != functions_.end() && context.calls < kDeepestCall) {
    return add_call(node, *function->second, scope, context);
  }
  return add_plain(node, scope, context);
}

Result<OperatorNode> Collector::described(const onnx::NodeProto& node, const Scope& scope,
                                          const Context& context) const {
  OperatorNode made;
  made.domain = node.domain() == "ai.onnx" ? "" : node.domain();
  made.operation = node.op_type();
  made.inner_nodes = inner_nodes(node);
  made.repeats = context.repeats.value();
  made.branches = context.branches;
  made.name = !node.name().empty() || node.output_size() == 0 ? node.name() : node.output(0);
  for (const std::string& name : node.input()) {
    const auto place = name.empty() ? std::nullopt : find(scope, name);
    if (!place && !name.empty()) {
      return refuse(node,
                    fmt::format("uses `{}`, which nothing before it makes", name.substr(0, 80)));
    }
    made.inputs.push_back(place);
  }
  for (const auto& attribute : node.attribute()) {
    const onnx::AttributeProto* meant = &attribute;
    if (!attribute.ref_attr_name().empty()) {
      if (context.given == nullptr || context.given->count(attribute.ref_attr_name()) == 0) {
        continue;
      }
      meant = context.given->at(attribute.ref_attr_name());
    }
    if (auto value = value_of(*meant)) {
      made.attributes.emplace(attribute.name(), std::move(*value));
    }
  }
  return made;
}

Collector::Done Collector::add_plain(const onnx::NodeProto& node, Scope& scope,
                                     const Context& context) {
  auto made = described(node, scope, context);
  if (!made) {
    return tl::make_unexpected(std::move(made.error()));
  }
  made->outputs.resize(static_cast<std::size_t>(node.output_size()));
  auto results = infer(*made, node, scope);
  if (!results) {
    return tl::make_unexpected(std::move(results.error()));
  }
  remember_unknown(*made, *results);
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& name = node.output(i);
    if (name.empty()) {
      continue;
    }
    const auto place = add_tensor(name, TensorRole::activation,
                                  std::move((*results)[static_cast<std::size_t>(i)]));
    if (auto done = bind(scope, name, place); !done) {
      return done;
    }
    made->outputs[static_cast<std::size_t>(i)] = place;
  }
  result_.nodes.push_back(std::move(*made));
  return {};
}

Result<std::vector<ValueFacts>> Collector::infer(const OperatorNode& node,
                                                 const onnx::NodeProto& proto, const Scope& scope) {
  std::vector<const ValueFacts*> inputs;
  for (const auto& place : node.inputs) {
    inputs.push_back(place ? &facts_[*place] : nullptr);
  }
  ValueFacts factors;
  if (const auto* found = factors_of(proto); found != nullptr && inputs.size() == 1) {
    factors.content = Content(found->floats().begin(), found->floats().end());
    inputs.push_back(&factors);
  }
  OperatorCase one(node, result_.opset, std::move(inputs));
  const ShapeRow* row = find_shape_row(node.domain, node.operation);
  if (row != nullptr && node.inner_nodes == 0) {
    infer_shapes(one, *row);
  }
  // Of the main graph the library has checked what it knows.
  if (!one.contradiction().empty() && types_.empty()) {
    return refuse(proto, one.contradiction());
  }
  std::vector<ValueFacts> results = one.take_results();
  if (node.domain.empty() && node.operation == "Constant" && results.size() == 1) {
    results[0] = facts_of_constant(proto).value_or(ValueFacts{});
  }
  if (node.domain.empty() && node.operation == "ConstantOfShape" && results.size() == 1) {
    results[0] = facts_of_filled(proto, std::move(results[0]));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (auto done =
            reconcile(results[i], proto.output(static_cast<int>(i)), scope, proto, one.exact());
        !done) {
      return tl::make_unexpected(std::move(done.error()));
    }
  }
  if (node.domain.empty() && !results.empty() && !results[0].content) {
    results[0].content = fold(one, results[0]);
  }
  return results;
}

/// What follows from the inputs, and what the model or the library says of the same value.
Collector::Done Collector::reconcile(ValueFacts& facts, const std::string& name, const Scope& scope,
                                     const onnx::NodeProto& node, bool exact) const {
  ValueFacts stated;
  const auto found = types_.find(name);
  const bool by_library = &scope == &top_ && found != types_.end();
  if (by_library) {
    stated = facts_of(found->second);
  } else if (const auto declared = scope.declared.find(name); declared != scope.declared.end()) {
    stated = facts_of(*declared->second);
  }
  if (!stated.type.empty()) {
    facts.type = stated.type;
  }
  if (!stated.shape) {
    return {};
  }
  if (facts.shape && *facts.shape != *stated.shape && exact && !by_library) {
    return refuse(node, fmt::format("its result `{}` has another shape than the model declares",
                                    name.substr(0, 80)));
  }
  facts.shape = std::move(stated.shape);
  return {};
}

/// Operators at which shapes are lost, not those that follow.
void Collector::remember_unknown(const OperatorNode& node, const std::vector<ValueFacts>& results) {
  const bool lost = std::any_of(results.begin(), results.end(),
                                [](const ValueFacts& facts) { return !facts.shape; });
  const bool first = std::all_of(node.inputs.begin(), node.inputs.end(),
                                 [&](const auto& place) { return !place || facts_[*place].shape; });
  if (lost && first) {
    unknown_.push_back(fmt::format("{} `{}`", node.operation, node.name.substr(0, 80)));
  }
}

// ---- the whole ----

bool Collector::check_sizes() {
  for (const Tensor& tensor : result_.tensors) {
    std::uint64_t size = 1;
    for (const std::uint64_t dimension : tensor.shape.value_or(std::vector<std::uint64_t>{})) {
      // A dimension of 0 elsewhere leaves no elements and does not make the others small.
      if (dimension > kLargestCount || (dimension != 0 && size > kLargestCount / dimension)) {
        large_ = &tensor;
        return false;
      }
      size *= dimension;
    }
  }
  return true;
}

void Collector::add_notes() {
  if (!unknown_.empty()) {
    const std::size_t named = std::min(unknown_.size(), kMostNamed);
    result_.notes.push_back(
        {"unknown-shapes",
         fmt::format("the shapes of the results of {} operators are not known, nor what follows "
                     "from them: {}{}",
                     unknown_.size(),
                     fmt::join(unknown_.begin(),
                               unknown_.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                     unknown_.size() > named ? ", ..." : "")});
  }
  if (constant_conditions_ > 0) {
    result_.notes.push_back(
        {"constant-conditions",
         fmt::format("{} If have a constant condition: the branch taken is counted",
                     constant_conditions_)});
  }
  if (unknown_trips_ > 0) {
    result_.notes.push_back(
        {"loops-counted-once",
         fmt::format("{} loops run as often as data say: one iteration of each is counted",
                     unknown_trips_)});
  }
}

tl::unexpected<Error> Collector::refuse(const onnx::NodeProto& node, std::string_view what) const {
  return fail(ErrorCode::bad_input,
              fmt::format("{}: {} `{}`: {}", file_name_, node.op_type().substr(0, 80),
                          node.name().substr(0, 80), what),
              "the shapes of the model contradict each other, or a size that was set does not "
              "fit: some models are made for one batch or one length");
}

}  // namespace ridge::predict
