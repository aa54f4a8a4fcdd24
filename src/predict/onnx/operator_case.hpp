// One operator with what is known of its inputs: what the rules of the shapes ask and answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/tensor_graph.hpp"
#include "predict/network/count.hpp"
#include "predict/onnx/value_facts.hpp"

namespace ridge::predict {

using Extents = std::vector<std::uint64_t>;

class OperatorCase {
 public:
  /// `inputs`: nullptr for one that is left out. All must outlive the case.
  OperatorCase(const OperatorNode& node, std::uint64_t opset,
               std::vector<const ValueFacts*> inputs);

  [[nodiscard]] const std::string& operation() const { return node_->operation; }
  [[nodiscard]] std::uint64_t opset() const { return opset_; }
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t outputs() const { return results_.size(); }
  [[nodiscard]] bool has(std::size_t input) const;
  /// "" when it is left out or not known.
  [[nodiscard]] std::string type(std::size_t input) const;
  /// nullopt when it is left out or not known.
  [[nodiscard]] std::optional<Extents> shape(std::size_t input) const;
  [[nodiscard]] const Content* content(std::size_t input) const;
  /// The content as whole numbers, those beyond 64 bits at their end.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> numbers(std::size_t input) const;

  [[nodiscard]] bool has_attribute(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;

  /// The place that an axis names, counted from behind below 0. nullopt, with a contradiction,
  /// where there is none.
  std::optional<std::size_t> place(std::int64_t axis, std::size_t rank);
  /// Numbers that newer versions take from `input` and older ones from the attribute `name`.
  /// nullopt: they depend on data. Empty: neither is given.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> list(std::size_t input,
                                                              std::string_view name) const;

  void set(std::size_t output, std::string type, std::optional<Extents> shape);
  /// As set; one beyond 2^53 contradicts.
  void set_counts(std::size_t output, std::string type, const std::vector<Count>& shape);
  /// What is inferred is a choice that versions of the format made differently: what the model
  /// declares goes before it.
  void leave_to_declaration() { exact_ = false; }
  /// The first reason stays.
  void contradict(std::string why);

  [[nodiscard]] std::vector<ValueFacts> take_results() { return std::move(results_); }
  [[nodiscard]] const std::string& contradiction() const { return contradiction_; }
  [[nodiscard]] bool exact() const { return exact_; }

 private:
  template <class T>
  [[nodiscard]] const T* attribute(std::string_view name) const;

  const OperatorNode* node_;
  std::uint64_t opset_;
  std::vector<const ValueFacts*> inputs_;
  std::vector<ValueFacts> results_;
  std::string contradiction_;
  bool exact_ = true;
};

/// The common shape that both are repeated to; nullopt where they do not fit.
[[nodiscard]] std::optional<Extents> broadcast(const Extents& a, const Extents& b);

[[nodiscard]] Count elements(const Extents& shape);

}  // namespace ridge::predict
