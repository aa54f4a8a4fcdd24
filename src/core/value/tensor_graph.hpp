// A neural network as its file states it, with every shape that is known: operators in the order in
// which they run, and the tensors between them. What a reader of a model format yields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/value/note.hpp"

namespace ridge {

/// Counts and sizes stay exact in every reader of the files up to here; beyond is refused.
inline constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 53;

enum class TensorRole {
  input,       ///< given with each run
  weight,      ///< stored with the model
  activation,  ///< made by an operator
};
[[nodiscard]] std::string_view to_string(TensorRole role);

struct Tensor {
  std::string name;
  TensorRole role = TensorRole::activation;
  /// "fp32", "fp16", "bf16", "fp64", "int8", "uint8" ... "bool", "string"; empty: not known.
  std::string type;
  std::optional<std::vector<std::uint64_t>> shape;  ///< absent: not known; {}: one value
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

using OperatorAttribute =
    std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// A branch of a conditional, whose condition depends on data: one of its branches runs.
struct BranchOf {
  std::uint32_t conditional = 0;  ///< in TensorGraph::conditionals
  std::uint32_t branch = 0;       ///< 0: where the condition is true, 1: else
  friend bool operator==(const BranchOf&, const BranchOf&) = default;
};

struct OperatorNode {
  std::string name;    ///< as in the file, or of its first output
  std::string domain;  ///< "" for the standard operators
  std::string operation;
  /// Places in TensorGraph::tensors; absent: an optional input or output that is left out.
  std::vector<std::optional<std::uint32_t>> inputs;
  std::vector<std::optional<std::uint32_t>> outputs;
  std::map<std::string, OperatorAttribute> attributes;
  std::uint64_t inner_nodes = 0;        ///< operators in its sub-graphs that are not listed
  std::uint64_t repeats = 1;            ///< runs, in loops with a constant number of iterations
  std::vector<BranchOf> branches = {};  ///< that it stands in, from the outermost on
  friend bool operator==(const OperatorNode&, const OperatorNode&) = default;
};

struct TensorGraph {
  std::string name;
  std::string producer;
  std::uint64_t opset = 0;  ///< version of the standard operators
  std::vector<Tensor> tensors;
  std::vector<OperatorNode> nodes;
  std::vector<std::string> conditionals = {};  ///< names of the If whose branches are listed
  std::vector<std::uint32_t> outputs;          ///< tensors that the caller gets
  /// Tensors that a body hands to the operator that holds it: results of a branch, what a loop
  /// carries. They are needed although no operator in the list reads them.
  std::vector<std::uint32_t> handed_on = {};
  std::vector<Note> notes;  ///< of the reader: which dimension was set to what
  friend bool operator==(const TensorGraph&, const TensorGraph&) = default;
};

/// Bits of one element as a file stores it; absent for "string" and types that are not known.
[[nodiscard]] std::optional<unsigned> element_bits(std::string_view type);

/// "fp64", "fp32", "fp16", "bf16" and the 8-bit floats.
[[nodiscard]] bool is_floating(std::string_view type);

}  // namespace ridge
