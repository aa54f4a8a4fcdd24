// What predict_demand() is made of: the resource of the arithmetic, and those of the levels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "predict/roof/resources.hpp"

namespace ridge::predict {

[[nodiscard]] constexpr double as_real(std::uint64_t count) {
  return static_cast<double>(count);
}

/// "op" of integers.
[[nodiscard]] std::string_view work_unit(std::string_view precision);

/// Nodes that hold the data: those that were chosen, else the main memory. Empty: no memory is
/// known.
[[nodiscard]] std::vector<MemoryShare> memory_shares(const TargetMachine& target,
                                                     const PredictionChoices& choices);

[[nodiscard]] Basis basis_for(const TargetMachine& target, const PredictionChoices& choices);

/// Ceilings of the measured machine speak for themselves unless theory was asked for.
[[nodiscard]] bool by_ceilings(const TargetMachine& target, const PredictionChoices& choices);

/// Of a measured machine: the threads whose ceilings speak.
[[nodiscard]] unsigned threads_of(const TargetMachine& target);

/// Whether `level` is further out than bytes are known (PredictionChoices::outermost_known).
[[nodiscard]] bool lies_beyond(Level level, const PredictionChoices& choices);

/// Rate, origin and source; the amount is left to the caller.
[[nodiscard]] ResourceTime from_figure(std::string resource, const Figure& figure,
                                       std::string rate_name);

void note_other_basis(std::vector<Note>& notes, Basis wanted, Basis found, const std::string& what);

/// Nothing without work; sets `missing` where no peak is known.
void add_compute(const Demand& demand, const TargetMachine& target,
                 const PredictionChoices& choices, ResourcePrediction& prediction);

/// One resource for each level with a bandwidth. Traffic that is given as none makes a resource
/// that is not used.
void add_levels(const Demand& demand, const TargetMachine& target, const PredictionChoices& choices,
                const LevelTraffic& traffic, ResourcePrediction& prediction);

}  // namespace ridge::predict
