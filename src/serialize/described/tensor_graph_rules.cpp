#include "serialize/described/tensor_graph_rules.hpp"

#include <cstdint>

namespace ridge::serialize {
namespace {

void check_places(const Reader& array, std::int64_t least, std::int64_t most) {
  for (const Reader& place : array.items()) {
    (void)place.integer_between(least, most);
  }
}

}  // namespace

void Rules<describe::NamedAttribute>::check(const Reader& object,
                                            const describe::NamedAttribute& attribute) {
  if (!attribute.integer && !attribute.real && !attribute.text) {
    (void)object.at("integers");  // says that it is missing
  }
}

void Rules<TensorGraph>::check(const Reader& root, const TensorGraph& graph) {
  const std::int64_t last = static_cast<std::int64_t>(graph.tensors.size()) - 1;
  const std::int64_t last_conditional = static_cast<std::int64_t>(graph.conditionals.size()) - 1;
  for (const Reader& node : root.at("nodes").items()) {
    check_places(node.at("inputs"), describe::kLeftOut, last);
    check_places(node.at("outputs"), describe::kLeftOut, last);
    for (const Reader& branch : node.find("branches").items()) {
      (void)branch.at("conditional").integer_between(0, last_conditional);
    }
  }
  check_places(root.at("outputs"), 0, last);
  check_places(root.find("handed_on"), 0, last);
}

}  // namespace ridge::serialize
