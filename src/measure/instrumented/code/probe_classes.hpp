// Probes and the counters that count how often they are passed: what the descriptors of the modules
// of one file say.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "measure/instrumented/code/block_counts.hpp"
#include "measure/instrumented/code/pseudo_probes.hpp"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {

/// An execution class of one of the modules.
struct ClassName {
  std::size_t module = 0;
  std::uint32_t number = 0;  ///< 0: code without work of the program

  friend auto operator<=>(const ClassName&, const ClassName&) = default;
};

/// Refers to the descriptors, which must outlive it.
class ProbeClasses {
 public:
  explicit ProbeClasses(const std::vector<Descriptor>& modules);

  /// nullopt for a probe that no descriptor names.
  [[nodiscard]] std::optional<ClassName> find(const ProbeName& probe) const;
  /// Indices within the module, by class.
  [[nodiscard]] const std::map<ClassName, std::vector<std::uint32_t>>& counters() const {
    return counters_;
  }
  /// Counted are probes of classes with a counter of executions. The result refers to this.
  [[nodiscard]] ProbeLookup lookup() const;

 private:
  struct Probed {
    std::size_t module = 0;
    std::uint32_t function = 0;
  };
  [[nodiscard]] std::optional<std::uint32_t> class_word(const ProbeName& probe) const;
  [[nodiscard]] ProbeFacts facts(const ProbeName& probe) const;

  const std::vector<Descriptor>* modules_;
  std::unordered_map<std::uint64_t, Probed> functions_;
  std::map<ClassName, std::vector<std::uint32_t>> counters_;
};

/// In how many places each probe stands.
[[nodiscard]] std::map<ProbeName, unsigned> copies_of(const std::vector<Probe>& probes);

/// Those at [begin, end); `probes` by address.
[[nodiscard]] std::span<const Probe> probes_in(const std::vector<Probe>& probes,
                                               std::uint64_t begin, std::uint64_t end);

}  // namespace ridge::measure
