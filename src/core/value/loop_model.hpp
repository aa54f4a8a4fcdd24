// What is known of a loop before it runs: what it accesses and computes, which data caches can hold
// and what crosses their boundaries, and how its compiled code flows through a core. All per
// iteration of the innermost loop. Meaning: docs/contracts.md, section 3.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/identity/level.hpp"
#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"
#include "core/value/loop_prediction.hpp"
#include "core/value/note.hpp"

namespace ridge {

struct ModelledLoop {
  std::string counter;  ///< variable of the source
  std::string first;    ///< its first value: "1", "lo"
  std::int64_t step = 1;
  std::string trips;                       ///< "N - 2"; empty: not known before it runs
  std::optional<std::int64_t> iterations;  ///< with the values of the parameters
  unsigned line = 0;                       ///< 0: unknown

  friend bool operator==(const ModelledLoop&, const ModelledLoop&) = default;
};

struct ModelledAccess {
  std::string text;  ///< "read a[N*j + i - 1]"
  std::string array;
  unsigned bytes = 0;  ///< of one element
  bool is_write = false;
  bool is_indirect = false;     ///< its address depends on what the loop reads
  bool is_conditional = false;  ///< not in every iteration
  unsigned line = 0;

  friend bool operator==(const ModelledAccess&, const ModelledAccess&) = default;
};

/// What an iteration of the innermost loop computes.
struct ModelledOperation {
  std::string what;       ///< "add", "mul", "fma", "div", "sqrt", or the function that is called
  std::string precision;  ///< "fp64"; empty: of a call
  unsigned count = 0;
  bool is_conditional = false;

  friend bool operator==(const ModelledOperation&, const ModelledOperation&) = default;
};

/// A layer condition: which reuse a cache can hold, and up to which size.
struct ReuseCondition {
  Level level = Level::L1;
  std::string condition;  ///< "24*N <= 48 KiB"; empty: nothing need be held
  bool holds = false;     ///< the first of the level that does is the one that counts
  unsigned hits = 0;
  unsigned misses = 0;                ///< accesses whose line comes from beyond
  std::optional<std::string> symbol;  ///< of the size that decides
  std::optional<std::int64_t> up_to;  ///< its greatest value for which the condition is true

  friend bool operator==(const ReuseCondition&, const ReuseCondition&) = default;
};

/// What crosses the boundary above `level`: the one through which the level serves the one before.
struct CrossingTraffic {
  Level level = Level::L2;
  double read = 0.0;     ///< bytes per iteration, towards the core
  double written = 0.0;  ///< bytes per iteration, away from it

  friend bool operator==(const CrossingTraffic&, const CrossingTraffic&) = default;
};

enum class TrafficMethod { layer_conditions, simulation };

inline constexpr std::array<std::pair<TrafficMethod, std::string_view>, 2> kTrafficMethodTable{
    {{TrafficMethod::layer_conditions, "layer-conditions"},
     {TrafficMethod::simulation, "simulation"}}};

[[nodiscard]] std::string_view to_string(TrafficMethod method);

struct ModelledTraffic {
  TrafficMethod method = TrafficMethod::layer_conditions;
  std::vector<CrossingTraffic> crossings;  ///< L2 first
  /// Of a simulation that looked at a part of the iterations: how far its parts lie apart.
  std::optional<double> relative_error;
  std::vector<Note> notes;

  friend bool operator==(const ModelledTraffic&, const ModelledTraffic&) = default;
};

/// A block size that makes a broken layer condition true again.
struct BlockingAdvice {
  Level level = Level::L1;   ///< whose condition it restores
  std::string loop;          ///< counter of the loop to be cut into blocks
  std::int64_t block = 0;    ///< iterations of a block, at most
  double bytes_saved = 0.0;  ///< per iteration, across the boundary below the level

  friend bool operator==(const BlockingAdvice&, const BlockingAdvice&) = default;
};

struct PortUse {
  std::string port;     ///< as the model of the processor calls it
  double cycles = 0.0;  ///< busy, for one pass of the loop

  friend bool operator==(const PortUse&, const PortUse&) = default;
};

/// How the compiled loop flows through one core when all data are in L1. Cycles are those of one
/// pass of the machine loop, which does `iterations_per_pass` iterations of the source.
struct InCoreModel {
  std::string microarchitecture;  ///< whose data were taken
  std::string compiler;           ///< with flags, or the file that holds the code
  std::uint64_t address = 0;      ///< of the loop in its file
  unsigned instructions = 0;
  double iterations_per_pass = 1.0;
  double cycles = 0.0;               ///< all limits together
  double port_cycles = 0.0;          ///< of the busiest port
  double chain_cycles = 0.0;         ///< of the longest chain from one pass to the next
  double front_end_cycles = 0.0;     ///< to decode and rename
  double overlapping_cycles = 0.0;   ///< T_OL: what works while lines are transferred
  double transferring_cycles = 0.0;  ///< T_nOL: loads and stores between L1 and registers
  std::vector<PortUse> ports;
  std::vector<std::string> unknown;  ///< instructions that nothing is known of
  std::vector<Note> notes;

  friend bool operator==(const InCoreModel&, const InCoreModel&) = default;
};

/// What the loop's function took when it ran, again and again, with arrays of the modelled sizes.
struct LoopMeasurement {
  std::int64_t iterations = 0;             ///< of the innermost loop, in a call
  Estimate<Seconds> seconds;               ///< of a call
  std::optional<Estimate<Cycles>> cycles;  ///< of a call; absent: the clock was not known
  std::vector<Note> notes;

  friend bool operator==(const LoopMeasurement&, const LoopMeasurement&) = default;
};

struct LoopModel {
  std::string function;
  std::string file;
  std::vector<ModelledLoop> loops;  ///< outermost first, at least one
  std::vector<ModelledAccess> accesses;
  std::vector<ModelledOperation> operations;
  std::map<std::string, std::int64_t> values;  ///< of the parameters
  std::vector<ReuseCondition> conditions;      ///< level by level, fewest misses first
  std::vector<ModelledTraffic> traffic;        ///< one of each method that was asked for
  std::vector<BlockingAdvice> blocking;
  std::optional<InCoreModel> in_core;
  std::vector<LoopPrediction> predictions;  ///< one for each machine
  std::optional<LoopMeasurement> measured;
  std::vector<Note> notes;

  friend bool operator==(const LoopModel&, const LoopModel&) = default;
};

/// Of all nests that were asked for, at each size that was asked for.
struct LoopModels {
  std::string ridge_version;
  std::string date;     ///< ISO 8601, UTC
  std::string source;   ///< file
  std::string machine;  ///< whose caches were taken
  std::vector<LoopModel> models;

  friend bool operator==(const LoopModels&, const LoopModels&) = default;
};

/// Floating-point operations of an iteration; an fma is two, conditional ones count fully.
[[nodiscard]] double flops_of(const LoopModel& model);

}  // namespace ridge
