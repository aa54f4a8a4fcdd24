// From a checked model to the list of its operators with all shapes that are known. Bodies of If,
// Loop and Scan and functions of the model stand in the list where they run.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/value/tensor_graph.hpp"
#include "predict/onnx/operator_case.hpp"
#include "predict/onnx/shape_inference.hpp"
#include "predict/onnx/value_facts.hpp"

namespace ridge::predict {

class Collector {
 public:
  /// `types`: what ONNX's own inference found of the values of the main graph; {} where it was not
  /// asked.
  Collector(const onnx::ModelProto& model, const ValueTypes& types, std::string_view file_name);

  /// Errors (bad_input): inputs that do not fit their operator, results that are not as declared,
  /// values in bodies that nobody makes, tensors beyond 2^53 elements, too many operators.
  Result<TensorGraph> run();

 private:
  /// Names of one graph and of those around it.
  struct Scope {
    const Scope* outer = nullptr;
    std::unordered_map<std::string, std::uint32_t> places = {};
    std::unordered_map<std::string, const onnx::TypeProto*> declared = {};
  };
  using Attributes = std::map<std::string, const onnx::AttributeProto*>;
  /// Where operators stand: how often they run, in which branches, in which function.
  struct Context {
    Count repeats = 1;
    std::vector<BranchOf> branches = {};
    const Attributes* given = nullptr;  ///< to the function, for those of its operators
    unsigned calls = 0;
  };
  struct Mark {
    std::size_t nodes, tensors, conditionals, handed_on;
    std::uint64_t unknown_trips, constant_conditions;
    std::vector<std::string> unknown;
  };
  using Done = Result<void>;

  // Values.
  std::uint32_t add_tensor(const std::string& name, TensorRole role, ValueFacts facts);
  [[nodiscard]] std::optional<std::uint32_t> find(const Scope& scope,
                                                  const std::string& name) const;
  Done bind(Scope& scope, const std::string& name, std::uint32_t place);
  void add_weights(const onnx::GraphProto& graph, Scope& scope);
  void add_declared(const onnx::GraphProto& graph, Scope& scope) const;

  // Operators.
  Done add_nodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, Scope& scope,
                 const Context& context);
  Done add_node(const onnx::NodeProto& node, Scope& scope, const Context& context);
  Done add_plain(const onnx::NodeProto& node, Scope& scope, const Context& context);
  Result<OperatorNode> described(const onnx::NodeProto& node, const Scope& scope,
                                 const Context& context) const;
  Result<std::vector<ValueFacts>> infer(const OperatorNode& node, const onnx::NodeProto& proto,
                                        const Scope& scope);
  Done reconcile(ValueFacts& facts, const std::string& name, const Scope& scope,
                 const onnx::NodeProto& node, bool exact) const;
  void remember_unknown(const OperatorNode& node, const std::vector<ValueFacts>& results);

  // Operators that hold graphs.
  Done add_if(const onnx::NodeProto& node, Scope& scope, const Context& context);
  Done add_taken(const onnx::NodeProto& node, const onnx::GraphProto& branch, Scope& scope,
                 const Context& context);
  Done add_both(const onnx::NodeProto& node, const std::array<const onnx::GraphProto*, 2>& branches,
                Scope& scope, const Context& context);
  Done add_loop(const onnx::NodeProto& node, Scope& scope, const Context& context);
  Done add_scan(const onnx::NodeProto& node, Scope& scope, const Context& context);
  Done add_call(const onnx::NodeProto& node, const onnx::FunctionProto& function, Scope& scope,
                const Context& context);
  struct Body {
    const onnx::GraphProto* graph = nullptr;
    std::vector<std::uint32_t> given = {};  ///< places of what enters, of each of its inputs
  };
  /// Places of its results.
  Result<std::vector<std::uint32_t>> add_body(const Body& body, const Scope& scope,
                                              const Context& context);
  struct Iteration {
    std::vector<ValueFacts> carried;
    std::vector<ValueFacts> scanned;
    bool endless = false;  ///< its condition is constant and true
  };
  /// Which of the values that enter an iteration come back, and behind how many other results.
  struct Carried {
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t tests = 0;  ///< results before them: the condition
  };
  Body enter(const onnx::GraphProto& body, const std::vector<ValueFacts>& values);
  bool leave(const std::vector<std::uint32_t>& places, const Carried& carried,
             std::vector<ValueFacts>& values, Iteration& iteration) const;
  Result<Iteration> add_iterated(const onnx::GraphProto& body, std::vector<ValueFacts> values,
                                 const Carried& carried, const Scope& scope,
                                 const Context& context);
  Done finish(const onnx::NodeProto& node, Iteration iteration, std::optional<std::uint64_t> trips,
              const std::vector<std::int64_t>& axes, Scope& scope);
  Done bind_results(const onnx::NodeProto& node, std::vector<ValueFacts> results, Scope& scope);
  void hand_on(const std::vector<std::uint32_t>& places);
  [[nodiscard]] Mark mark() const;
  void rewind(const Mark& mark);

  [[nodiscard]] ValueFacts facts_at(const Scope& scope, const std::string& name) const;
  [[nodiscard]] bool check_sizes();
  void add_notes();
  [[nodiscard]] tl::unexpected<Error> refuse(const onnx::NodeProto& node,
                                             std::string_view what) const;

  const onnx::ModelProto& model_;
  const ValueTypes& types_;
  std::string_view file_name_;
  Scope top_;
  TensorGraph result_;
  std::deque<ValueFacts> facts_;  ///< of each tensor; a deque, because rules hold places in it
  std::map<std::pair<std::string, std::string>, const onnx::FunctionProto*> functions_;
  std::uint64_t visits_ = 0;  ///< operators, each time that they were looked at
  std::vector<std::string> unknown_;
  std::uint64_t unknown_trips_ = 0;
  std::uint64_t constant_conditions_ = 0;
  const Tensor* large_ = nullptr;
};

}  // namespace ridge::predict
