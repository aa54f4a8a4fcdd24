// What the members of a tensor graph have to do with each other.
#pragma once

#include "core/describe/tensor_graph.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

/// An attribute has a value.
template <>
struct Rules<describe::NamedAttribute> {
  static void check(const Reader& object, const describe::NamedAttribute& attribute);
};
/// Places lie in the lists of tensors and of conditionals.
template <>
struct Rules<TensorGraph> {
  static void check(const Reader& root, const TensorGraph& graph);
};

}  // namespace ridge::serialize
