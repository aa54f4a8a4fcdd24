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
  /// Of its cores, where they are known: of a measured machine by its CPU, of a published one by
  /// the name in its figures.
  std::optional<Microarchitecture> microarchitecture;
  /// Whether add, mul and fma share one pipe, so that code with a share f of fma instructions
  /// reaches (1 + f) / 2 of the fma peak. Absent: unknown, and no rule may rest on it.
  std::optional<bool> fma_shares_pipe;
  /// Whether a store miss reads the line first. GPUs do not; published CPUs are assumed to.
  WriteAllocate write_allocate = WriteAllocate::always;
  /// No peak was given for a machine of the user's own: its arithmetic takes no time.
  bool arithmetic_is_free = false;
  /// Cores of the whole part, where other than all of them are asked about: its shared bandwidths
  /// are what all of these draw together.
  std::optional<double> part_cores;
  /// Of the measured machine: the ceilings of so many threads speak. Absent: those of the most.
  std::optional<unsigned> threads;
  /// What was changed for the sake of a question: "DRAM=2x".
  std::vector<std::string> changes;
  /// Factors of such changes by precision, level or "compute" (all precisions), cores and clock
  /// apart: for rates that follow from the microarchitecture and stand in no figure.
  std::map<std::string, double> factors;
};

}  // namespace ridge
