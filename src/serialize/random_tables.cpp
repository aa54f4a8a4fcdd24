// The tables that people keep: microarchitectures and caches; and tensor graphs.
#include <array>
#include <cstdint>
#include <string>

#include <fmt/core.h>

#include "core/describe/loop_model.hpp"
#include "core/describe/microarchitecture.hpp"
#include "core/describe/tensor_graph.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/random_caches.hpp"
#include "serialize/random_estimate.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {

template <>
struct Mend<Microarchitecture> {
  /// Each operation once, and the instruction sets that the table has.
  static void mend(Random& random, Microarchitecture& entry) {
    constexpr std::array kIsas{Isa::scalar, Isa::sse, Isa::avx2, Isa::avx512,
                               Isa::neon,   Isa::sve, Isa::vsx};
    entry.pipe_groups = {{Operation::mul, Operation::fma}, {Operation::add}};
    if (chance(random, 2)) {
      entry.pipe_groups.push_back({Operation::sqrt, Operation::div});
    }
    for (auto& isa : entry.isas) {
      isa.isa = one_of(random, kIsas);
      isa.vector_bits =
          isa.isa == Isa::sve ? std::optional(chance(random, 2) ? 128U : 512U) : std::nullopt;
    }
  }
};

template <>
struct Mend<describe::MicroarchitectureTable> {
  /// No CPU in two entries.
  static void mend(Random& /*random*/, describe::MicroarchitectureTable& table) {
    unsigned model = 0;
    for (Microarchitecture& entry : table.microarchitectures) {
      for (Microarchitecture::Match& match : entry.matches) {
        for (unsigned& each : match.models) {
          each = model++;
        }
      }
    }
  }
};

template <>
struct Mend<describe::CacheTable> {
  static void mend(Random& /*random*/, describe::CacheTable& table) {
    unsigned number = 0;
    for (KnownCaches& row : table.caches) {
      row.elsewhere.name += fmt::format("-{}", number++);
      for (std::string& machine : row.machines) {
        machine += fmt::format("={}", number++);
      }
    }
  }
};

template <>
struct Mend<describe::NamedAttribute> {
  /// One value.
  static void mend(Random& random, describe::NamedAttribute& attribute) {
    const std::string name = attribute.name;
    attribute = {.name = name};
    switch (random() % 4) {
      case 0:
        attribute.integer = random_whole<std::int64_t>(random, {});
        return;
      case 1:
        attribute.real = random_real(random, {});
        return;
      case 2:
        attribute.text = text(random);
        return;
      default:
        attribute.integers = {-1, random_whole<std::int64_t>(random, {})};
    }
  }
};

template <>
struct Mend<TensorGraph> {
  /// Places that are there.
  static void mend(Random& random, TensorGraph& graph) {
    graph.tensors.push_back(random_object<Tensor>(random));
    const auto place = [&] { return static_cast<std::uint32_t>(random() % graph.tensors.size()); };
    for (auto* places : {&graph.outputs, &graph.handed_on}) {
      for (std::uint32_t& each : *places) {
        each = place();
      }
    }
    for (OperatorNode& node : graph.nodes) {
      for (auto* places : {&node.inputs, &node.outputs}) {
        for (auto& each : *places) {
          each = chance(random, 3) ? std::nullopt : std::optional(place());
        }
      }
      if (graph.conditionals.empty()) {
        node.branches.clear();
      }
      for (BranchOf& branch : node.branches) {
        branch.conditional = static_cast<std::uint32_t>(random() % graph.conditionals.size());
      }
    }
  }
};

std::vector<Microarchitecture> random_microarchitectures(Random& random) {
  return random_object<describe::MicroarchitectureTable>(random).microarchitectures;
}

std::vector<KnownCaches> random_known_caches(Random& random) {
  return random_object<describe::CacheTable>(random).caches;
}

TensorGraph random_tensor_graph(Random& random) {
  return random_object<TensorGraph>(random);
}

LoopModels random_loop_models(Random& random) {
  return random_object<LoopModels>(random);
}

}  // namespace ridge::serialize
