// Operators that hold graphs: their bodies stand in the list where they run.
#include <algorithm>

#include <fmt/format.h>

#include "predict/onnx/collector.hpp"
#include "predict/onnx/model_checks.hpp"
#include "predict/onnx/tensor_content.hpp"

namespace ridge::predict {
namespace {

const onnx::GraphProto* graph_of(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name && attribute.has_g()) {
      return &attribute.g();
    }
  }
  return nullptr;
}

const onnx::AttributeProto* attribute_of(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) {
      return &attribute;
    }
  }
  return nullptr;
}

std::optional<bool> truth_of(const ValueFacts& facts) {
  return facts.content && facts.content->size() == 1 ? std::optional(facts.content->front() != 0.0)
                                                     : std::nullopt;
}

/// What holds of a value that is one or the other.
ValueFacts common(const ValueFacts& a, const ValueFacts& b) {
  ValueFacts both;
  both.type = a.type == b.type ? a.type : std::string();
  if (a.shape == b.shape) {
    both.shape = a.shape;
    both.content = a.content == b.content ? a.content : std::nullopt;
  }
  return both;
}

ValueFacts without_content(ValueFacts facts) {
  facts.content.reset();
  return facts;
}

std::vector<std::int64_t> integers_of(const onnx::NodeProto& node, std::string_view name) {
  const auto* attribute = attribute_of(node, name);
  return attribute != nullptr
             ? std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end())
             : std::vector<std::int64_t>{};
}

/// The size that a value is known to be; nullopt where it is not.
std::optional<std::uint64_t> size_in(const ValueFacts& facts) {
  const bool known = facts.content && facts.content->size() == 1 && facts.content->front() >= 0 &&
                     facts.content->front() <= static_cast<double>(kLargestCount);
  return known ? std::optional(static_cast<std::uint64_t>(facts.content->front())) : std::nullopt;
}

/// Takes an axis away. Its size; nullopt where there is none.
std::optional<std::uint64_t> take_axis(std::vector<std::uint64_t>& shape, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis >= rank) {
    return std::nullopt;
  }
  const std::uint64_t size = shape[static_cast<std::size_t>(axis)];
  shape.erase(shape.begin() + axis);
  return size;
}

/// All iterations' results, one behind the other.
ValueFacts stacked(ValueFacts facts, std::optional<std::uint64_t> trips, std::size_t axis) {
  facts.content.reset();
  if (facts.shape && trips && axis <= facts.shape->size()) {
    facts.shape->insert(facts.shape->begin() + static_cast<std::ptrdiff_t>(axis), *trips);
  } else {
    facts.shape.reset();
  }
  return facts;
}

}  // namespace

Result<std::vector<std::uint32_t>> Collector::add_body(const Body& body, const Scope& scope,
                                                       const Context& context) {
  Scope inner{.outer = &scope};
  add_weights(*body.graph, inner);
  for (int i = 0; i < body.graph->input_size(); ++i) {
    const std::string& name = body.graph->input(i).name();
    if (inner.places.count(name) == 0 && static_cast<std::size_t>(i) < body.given.size()) {
      inner.places[name] = body.given[static_cast<std::size_t>(i)];
    }
  }
  add_declared(*body.graph, inner);
  if (auto done = add_nodes(body.graph->node(), inner, context); !done) {
    return tl::make_unexpected(std::move(done.error()));
  }
  std::vector<std::uint32_t> results;
  for (const auto& output : body.graph->output()) {
    const auto place = find(inner, output.name());
    if (!place) {
      return fail(ErrorCode::bad_input,
                  fmt::format("{}: the output `{}` of a body is made by no operator", file_name_,
                              output.name().substr(0, 80)),
                  "export the model again; the ONNX checker explains more");
    }
    results.push_back(*place);
  }
  return results;
}

void Collector::hand_on(const std::vector<std::uint32_t>& places) {
  result_.handed_on.insert(result_.handed_on.end(), places.begin(), places.end());
}

Collector::Done Collector::bind_results(const onnx::NodeProto& node,
                                        std::vector<ValueFacts> results, Scope& scope) {
  results.resize(static_cast<std::size_t>(node.output_size()));
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& name = node.output(i);
    if (name.empty()) {
      continue;
    }
    ValueFacts& facts = results[static_cast<std::size_t>(i)];
    if (auto done = reconcile(facts, name, scope, node, false); !done) {
      return done;
    }
    if (!facts.shape) {
      unknown_.push_back(fmt::format("{} `{}`", node.op_type(), node.name().substr(0, 80)));
    }
    const auto place = add_tensor(name, TensorRole::activation, std::move(facts));
    if (auto done = bind(scope, name, place); !done) {
      return done;
    }
  }
  return {};
}

// ---- If ----

/// The branch taken, where the condition is constant; else both, each operator with its branch.
Collector::Done Collector::add_if(const onnx::NodeProto& node, Scope& scope,
                                  const Context& context) {
  const auto* then = graph_of(node, "then_branch");
  const auto* otherwise = graph_of(node, "else_branch");
  if (then == nullptr || otherwise == nullptr || node.input_size() < 1 ||
      then->output_size() != node.output_size() || otherwise->output_size() != node.output_size()) {
    return refuse(node, "has not a condition and two branches with a result for each of its own");
  }
  if (!find(scope, node.input(0))) {
    return refuse(node, "its condition is made by no operator before it");
  }
  if (const auto taken = truth_of(facts_at(scope, node.input(0)))) {
    return add_taken(node, *taken ? *then : *otherwise, scope, context);
  }
  return add_both(node, {then, otherwise}, scope, context);
}

Collector::Done Collector::add_taken(const onnx::NodeProto& node, const onnx::GraphProto& branch,
                                     Scope& scope, const Context& context) {
  ++constant_conditions_;
  const auto places = add_body({.graph = &branch}, scope, context);
  if (!places) {
    return tl::make_unexpected(places.error());
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (auto done = bind(scope, node.output(i), (*places)[static_cast<std::size_t>(i)]); !done) {
      return done;
    }
  }
  return {};
}

Collector::Done Collector::add_both(const onnx::NodeProto& node,
                                    const std::array<const onnx::GraphProto*, 2>& branches,
                                    Scope& scope, const Context& context) {
  const auto id = static_cast<std::uint32_t>(result_.conditionals.size());
  result_.conditionals.push_back(node.name().empty() && node.output_size() > 0 ? node.output(0)
                                                                               : node.name());
  std::vector<ValueFacts> results;
  for (const std::uint32_t branch : {0U, 1U}) {
    Context inside = context;
    inside.branches.push_back({id, branch});
    const auto places = add_body({.graph = branches[branch]}, scope, inside);
    if (!places) {
      return tl::make_unexpected(places.error());
    }
    hand_on(*places);
    for (std::size_t i = 0; i < places->size(); ++i) {
      const ValueFacts& facts = facts_[(*places)[i]];
      if (branch == 0) {
        results.push_back(facts);
      } else {
        results[i] = common(results[i], facts);
      }
    }
  }
  return bind_results(node, std::move(results), scope);
}

// ---- Loop, Scan ----

Collector::Mark Collector::mark() const {
  return {result_.nodes.size(),
          result_.tensors.size(),
          result_.conditionals.size(),
          result_.handed_on.size(),
          unknown_trips_,
          constant_conditions_,
          unknown_};
}

void Collector::rewind(const Mark& mark) {
  result_.nodes.resize(mark.nodes);
  result_.tensors.resize(mark.tensors);
  facts_.resize(mark.tensors);
  result_.conditionals.resize(mark.conditionals);
  result_.handed_on.resize(mark.handed_on);
  unknown_trips_ = mark.unknown_trips;
  constant_conditions_ = mark.constant_conditions;
  unknown_ = mark.unknown;
}

Collector::Body Collector::enter(const onnx::GraphProto& body,
                                 const std::vector<ValueFacts>& values) {
  Body entered{.graph = &body};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool named = i < static_cast<std::size_t>(body.input_size());
    entered.given.push_back(
        add_tensor(named ? body.input(static_cast<int>(i)).name() : std::string(),
                   TensorRole::activation, values[i]));
  }
  return entered;
}

/// What of `places` is carried and what is collected. Facts of what is carried that do not stay as
/// they were are taken from `values`; true where none was.
bool Collector::leave(const std::vector<std::uint32_t>& places, const Carried& carried,
                      std::vector<ValueFacts>& values, Iteration& iteration) const {
  bool stable = true;
  iteration.endless = carried.tests == 0 || truth_of(facts_[places[0]]).value_or(false);
  for (std::size_t i = 0; i < carried.count; ++i) {
    ValueFacts& in = values[carried.first + i];
    const ValueFacts& out = facts_[places[carried.tests + i]];
    const bool same = in.shape == out.shape && in.type == out.type;
    stable = stable && same;
    if (!same) {
      in.shape.reset();
      in.type = in.type == out.type ? in.type : std::string();
    }
    iteration.carried.push_back(same ? without_content(out) : in);
  }
  for (std::size_t i = carried.tests + carried.count; i < places.size(); ++i) {
    iteration.scanned.push_back(facts_[places[i]]);
  }
  return stable;
}

/// One iteration on `values`. What does not come back as it went in is not known; its body is
/// looked at again.
Result<Collector::Iteration> Collector::add_iterated(const onnx::GraphProto& body,
                                                     std::vector<ValueFacts> values,
                                                     const Carried& carried, const Scope& scope,
                                                     const Context& context) {
  const Mark start = mark();
  for (unsigned round = 0;; ++round) {
    const auto places = add_body(enter(body, values), scope, context);
    if (!places) {
      return tl::make_unexpected(places.error());
    }
    if (places->size() < carried.tests + carried.count) {
      return fail(
          ErrorCode::bad_input,
          fmt::format("{}: the body of a loop has fewer results than it hands on", file_name_),
          "export the model again; the ONNX checker explains more");
    }
    hand_on(*places);
    Iteration iteration;
    if (leave(*places, carried, values, iteration) || round == 2) {
      return iteration;
    }
    if (round == 1) {
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(carried.first), carried.count,
                  ValueFacts{});
    }
    rewind(start);
  }
}

/// Inputs: trip count, condition, what is carried. Of the body: iteration, condition, carried.
Collector::Done Collector::add_loop(const onnx::NodeProto& node, Scope& scope,
                                    const Context& context) {
  const auto* body = graph_of(node, "body");
  const int carried = node.input_size() - 2;
  if (body == nullptr || carried < 0 || body->input_size() < 2 + carried ||
      body->output_size() < 1 + carried || node.output_size() > body->output_size() - 1) {
    return refuse(node, "its body does not take and give what it carries");
  }
  const bool begins =
      node.input(1).empty() || truth_of(facts_at(scope, node.input(1))).value_or(false);
  std::vector<ValueFacts> values{{"int64", std::vector<std::uint64_t>{}, {}},
                                 {"bool", std::vector<std::uint64_t>{}, {}}};
  if (begins) {
    values[1].content = Content{1.0};  // if then the condition stays true, it is so in each round
  }
  for (int i = 0; i < carried; ++i) {
    values.push_back(without_content(facts_at(scope, node.input(2 + i))));
  }
  auto trips = size_in(facts_at(scope, node.input(0)));
  Context inside = context;
  inside.repeats = inside.repeats * trips.value_or(1);
  if (inside.repeats.too_large()) {
    return refuse(node, "its body runs more than 2^53 times");
  }
  const Carried back{.first = 2, .count = static_cast<std::size_t>(carried), .tests = 1};
  const Mark start = mark();
  auto iteration = add_iterated(*body, values, back, scope, inside);
  if (iteration && trips && !(begins && iteration->endless)) {  // the condition may end it before
    rewind(start);
    trips.reset();
    iteration = add_iterated(*body, values, back, scope, context);
  }
  return iteration ? finish(node, std::move(*iteration), trips, {}, scope)
                   : tl::make_unexpected(std::move(iteration.error()));
}

/// The results of a loop: what it carries, then what each iteration adds, along the axes given.
Collector::Done Collector::finish(const onnx::NodeProto& node, Iteration iteration,
                                  std::optional<std::uint64_t> trips,
                                  const std::vector<std::int64_t>& axes, Scope& scope) {
  unknown_trips_ += trips ? 0 : 1;
  std::vector<ValueFacts> results = std::move(iteration.carried);
  for (std::size_t i = 0; i < iteration.scanned.size(); ++i) {
    const auto& shape = iteration.scanned[i].shape;
    const auto rank = static_cast<std::int64_t>(shape ? shape->size() + 1 : 0);
    const std::int64_t axis = i < axes.size() ? axes[i] : 0;
    results.push_back(stacked(iteration.scanned[i], trips,
                              static_cast<std::size_t>(axis < 0 ? axis + rank : axis)));
  }
  return bind_results(node, std::move(results), scope);
}

/// Inputs: states, then sequences, of which each iteration gets one element along an axis.
Collector::Done Collector::add_scan(const onnx::NodeProto& node, Scope& scope,
                                    const Context& context) {
  const auto* body = graph_of(node, "body");
  const auto* number = attribute_of(node, "num_scan_inputs");
  const std::int64_t sequences = number != nullptr ? number->i() : 0;
  const std::int64_t states = node.input_size() - sequences;
  if (body == nullptr || sequences < 1 || states < 0 || body->input_size() < node.input_size() ||
      body->output_size() < states || node.output_size() > body->output_size()) {
    return refuse(node, "its body does not take and give what it carries");
  }
  const std::vector<std::int64_t> axes = integers_of(node, "scan_input_axes");
  std::vector<ValueFacts> values;
  std::optional<std::uint64_t> trips;
  for (int i = 0; i < node.input_size(); ++i) {
    values.push_back(without_content(facts_at(scope, node.input(i))));
    const auto sequence = static_cast<std::size_t>(std::max<std::int64_t>(i - states, 0));
    if (i < states || !values.back().shape) {
      continue;
    }
    trips = take_axis(*values.back().shape, sequence < axes.size() ? axes[sequence] : 0);
    if (!trips) {
      return refuse(node, "one of its sequences has no such axis");
    }
  }
  Context inside = context;
  inside.repeats = inside.repeats * trips.value_or(1);
  if (inside.repeats.too_large()) {
    return refuse(node, "its body runs more than 2^53 times");
  }
  auto iteration = add_iterated(*body, std::move(values),
                                {.first = 0, .count = static_cast<std::size_t>(states), .tests = 0},
                                scope, inside);
  return iteration ? finish(node, std::move(*iteration), trips,
                            integers_of(node, "scan_output_axes"), scope)
                   : tl::make_unexpected(std::move(iteration.error()));
}

// ---- functions of the model ----

Collector::Done Collector::add_call(const onnx::NodeProto& node,
                                    const onnx::FunctionProto& function, Scope& scope,
                                    const Context& context) {
  Scope inner;  // sees nothing of its caller
  for (int i = 0; i < std::min(function.input_size(), node.input_size()); ++i) {
    const auto place = node.input(i).empty() ? std::nullopt : find(scope, node.input(i));
    if (!place && !node.input(i).empty()) {
      return refuse(node, "uses a value that nothing before it makes");
    }
    if (place) {
      inner.places[function.input(i)] = *place;
    }
  }
  for (int i = node.input_size(); i < function.input_size(); ++i) {
    inner.places[function.input(i)] = add_tensor(function.input(i), TensorRole::activation, {});
  }
  Attributes given;
  for (const auto& attribute : node.attribute()) {
    given[attribute.name()] = &attribute;
  }
  Context inside = context;
  inside.given = &given;
  inside.calls = context.calls + 1;
  if (auto done = add_nodes(function.node(), inner, inside); !done) {
    return done;
  }
  for (int i = 0; i < std::min(function.output_size(), node.output_size()); ++i) {
    const auto place = find(inner, function.output(i));
    if (!place) {
      return refuse(node, "a result of its function is made by no operator");
    }
    if (auto done = bind(scope, node.output(i), *place); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace ridge::predict
