// Fields of the operators and tensors of a neural network.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::describe {

/// What every reader of files holds exactly.
inline constexpr Limits kExactCount{.least = 0.0, .most = static_cast<double>(kLargestCount)};

template <>
struct Enumerators<TensorRole> {
  static constexpr std::array values{TensorRole::input, TensorRole::weight, TensorRole::activation};
};

template <>
struct Description<Tensor> {
  static constexpr std::string_view name = "Tensor";
  static constexpr std::string_view meaning = "what operators read and make";
  static constexpr auto fields = std::tuple{
      field("name", &Tensor::name, "", ""),
      field("role", &Tensor::role, "", "given with each run, stored with the model, or made"),
      field("type", &Tensor::type, "", "fp32, int8 ...; empty: not known"),
      field("shape", &Tensor::shape, "", "absent: not known; []: one value",
            {.limits = kExactCount})};
};
static_assert(is_complete<Tensor>());

/// An attribute of an operator in a list: exactly one of its values is there.
struct NamedAttribute {
  std::string name;
  std::optional<std::int64_t> integer;
  std::optional<double> real;
  std::optional<std::string> text;
  std::optional<std::vector<std::int64_t>> integers;
};

template <>
struct Description<NamedAttribute> {
  static constexpr std::string_view name = "Attribute";
  static constexpr std::string_view meaning = "a setting of an operator: its name and one value";
  static constexpr auto fields = std::tuple{field("name", &NamedAttribute::name, "", ""),
                                            field("integer", &NamedAttribute::integer, "", ""),
                                            field("real", &NamedAttribute::real, "", ""),
                                            field("text", &NamedAttribute::text, "", ""),
                                            field("integers", &NamedAttribute::integers, "", "")};
};
static_assert(is_complete<NamedAttribute>());

/// An attribute that is not finite is left out.
[[nodiscard]] inline std::vector<NamedAttribute> attributes_in_list(
    const std::map<std::string, OperatorAttribute>& attributes) {
  std::vector<NamedAttribute> made;
  for (const auto& [name, value] : attributes) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const auto* text = std::get_if<std::string>(&value);
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
    if (real != nullptr && !std::isfinite(*real)) {
      continue;
    }
    NamedAttribute& attribute = made.emplace_back();
    attribute.name = name;
    attribute.integer = integer != nullptr ? std::optional(*integer) : std::nullopt;
    attribute.real = real != nullptr ? std::optional(*real) : std::nullopt;
    attribute.text = text != nullptr ? std::optional(*text) : std::nullopt;
    attribute.integers = integers != nullptr ? std::optional(*integers) : std::nullopt;
  }
  return made;
}

[[nodiscard]] inline std::map<std::string, OperatorAttribute> attributes_by_name(
    const std::vector<NamedAttribute>& attributes) {
  std::map<std::string, OperatorAttribute> made;
  for (const NamedAttribute& attribute : attributes) {
    OperatorAttribute& value = made[attribute.name];
    if (attribute.integer) {
      value = *attribute.integer;
    } else if (attribute.real) {
      value = *attribute.real;
    } else if (attribute.text) {
      value = *attribute.text;
    } else {
      value = attribute.integers.value_or(std::vector<std::int64_t>{});
    }
  }
  return made;
}

/// Stands for an input or output that is left out.
inline constexpr std::int64_t kLeftOut = -1;

[[nodiscard]] inline std::vector<std::int64_t> numbers_of_places(
    const std::vector<std::optional<std::uint32_t>>& places) {
  std::vector<std::int64_t> numbers;
  for (const auto& place : places) {
    numbers.push_back(place ? std::int64_t{*place} : kLeftOut);
  }
  return numbers;
}

/// Of numbers that are places of the list of tensors, or kLeftOut.
[[nodiscard]] inline std::vector<std::optional<std::uint32_t>> places_of_numbers(
    const std::vector<std::int64_t>& numbers) {
  std::vector<std::optional<std::uint32_t>> places;
  for (const std::int64_t number : numbers) {
    places.push_back(number == kLeftOut ? std::nullopt
                                        : std::optional(static_cast<std::uint32_t>(number)));
  }
  return places;
}

template <>
struct Description<BranchOf> {
  static constexpr std::string_view name = "Branch";
  static constexpr std::string_view meaning = "one of the branches of a conditional";
  static constexpr auto fields =
      std::tuple{field("conditional", &BranchOf::conditional, "", "place in conditionals"),
                 field("branch", &BranchOf::branch, "", "0: where the condition is true, 1: else",
                       {.limits = {.least = 0.0, .most = 1.0}})};
};
static_assert(is_complete<BranchOf>());

template <>
struct Description<OperatorNode> {
  static constexpr std::string_view name = "Operator";
  static constexpr std::string_view meaning = "one operator of the network";
  static constexpr auto fields = std::tuple{
      field("name", &OperatorNode::name, "", "as in the file, or of its first output"),
      field("domain", &OperatorNode::domain, "", "empty: the standard operators"),
      field("operation", &OperatorNode::operation, "", ""),
      stored_as("inputs", &OperatorNode::inputs, &numbers_of_places, &places_of_numbers, "",
                "places in tensors; -1: left out"),
      stored_as("outputs", &OperatorNode::outputs, &numbers_of_places, &places_of_numbers, "",
                "places in tensors; -1: left out"),
      stored_as("attributes", &OperatorNode::attributes, &attributes_in_list, &attributes_by_name,
                "", ""),
      field("inner_nodes", &OperatorNode::inner_nodes, "",
            "operators in its sub-graphs, which are not listed", {.limits = kExactCount}),
      field("repeats", &OperatorNode::repeats, "",
            "runs, in loops with a constant number of iterations; absent: 1",
            {.limits = kExactCount, .absence = Absence::usual}),
      field("branches", &OperatorNode::branches, "",
            "of conditionals that it stands in, from the outermost on",
            {.absence = Absence::empty})};
};
static_assert(is_complete<OperatorNode>());

template <>
struct Description<TensorGraph> {
  static constexpr std::string_view name = "TensorGraph";
  static constexpr std::string_view meaning =
      "a neural network as its file states it, without weights";
  static constexpr auto fields = std::tuple{
      field("name", &TensorGraph::name, "", ""),
      field("producer", &TensorGraph::producer, "", ""),
      field("opset", &TensorGraph::opset, "", "version of the standard operators"),
      field("tensors", &TensorGraph::tensors, "", ""),
      field("conditionals", &TensorGraph::conditionals, "",
            "names of the If whose branches are listed", {.absence = Absence::empty}),
      field("nodes", &TensorGraph::nodes, "", "in the order in which they run"),
      field("outputs", &TensorGraph::outputs, "", "places in tensors: what the caller gets"),
      field("handed_on", &TensorGraph::handed_on, "",
            "places in tensors: what a body of If, Loop or Scan hands on",
            {.absence = Absence::empty}),
      field("notes", &TensorGraph::notes, "", "of the reader of the model")};
};
static_assert(is_complete<TensorGraph>());

}  // namespace ridge::describe
