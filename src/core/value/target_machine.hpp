// A machine to predict for, whatever is known of it: published figures, a user's own file, or the
// ceilings that `ridge bench` measured. One value, so that a prediction need not ask which.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/specification.hpp"

namespace ridge {

struct TargetMachine {
  /// Peaks, bandwidths, sizes and links in one form. Of a measured machine: the p90 of its ceilings
  /// with all threads (basis sustained, origin theirs; bandwidths as bytes that cross the
  /// boundary) and their limits (basis theoretical, modelled). `key` is what the user named:
  /// "h100-80-sxm5", "this", the stem of a file.
  Specification figures;
  /// The measured machine itself: all ceilings with their spread. Absent for published ones.
  std::optional<Machine> measured;
  /// Of the measured machine, where its CPU is known: which operations share a pipe.
  std::optional<Microarchitecture> microarchitecture;
  /// Whether add, mul and fma share one pipe, so that code with a share f of fma instructions
  /// reaches (1 + f) / 2 of the fma peak. Absent: unknown, and no rule may rest on it.
  std::optional<bool> fma_shares_pipe;
  /// Whether a store miss reads the line first. GPUs do not; published CPUs are assumed to.
  WriteAllocate write_allocate = WriteAllocate::always;
  /// What was changed for the sake of a question: "DRAM=2x".
  std::vector<std::string> changes;
  /// Factors of such changes by precision, level or "compute" (all precisions), cores and clock
  /// apart: for rates that follow from the microarchitecture and stand in no figure.
  std::map<std::string, double> factors;
};

}  // namespace ridge
