// One nest at many sizes: how its time and what binds it change with the size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/loop_model.hpp"
#include "render/format/html/static_page.hpp"

namespace ridge::render {

/// Models of one nest.
using LoopGroup = std::vector<const LoopModel*>;

/// By function, file and lines of the loops, in the order in which nests first stand. Points into
/// the models.
[[nodiscard]] std::vector<LoopGroup> groups_of(const LoopModels& models);
std::vector<LoopGroup> groups_of(LoopModels&&) = delete;

struct SweepPoint {
  std::int64_t value = 0;
  double time = 0.0;  ///< per iteration of one core, in the unit of the sweep
  double roof = 0.0;  ///< the same by the roofline; 0: not known
  std::string part;   ///< what takes most of the time: "in-core", "L1", "L2", "DRAM"
  const LoopModel* model = nullptr;
};

/// Where a layer condition stops to be true.
struct SweepBreak {
  Level level = Level::L1;
  std::int64_t up_to = 0;
  std::string condition;  ///< clean
};

struct LoopSweep {
  std::string symbol;              ///< clean: "N", or "M = N" where both have the same values
  std::string title;               ///< clean
  std::string machine;             ///< clean; empty: none, the time is not known
  bool by_ecm = true;              ///< else by the roofline
  std::string unit;                ///< "cycles", "ns"; empty: without times
  std::vector<SweepPoint> points;  ///< ascending values
  std::vector<SweepBreak> breaks;  ///< within the values, ascending
};

/// One for each machine; one without times where there is none. Empty unless there are at least
/// three models that differ in one size.
[[nodiscard]] std::vector<LoopSweep> sweeps_of(const LoopGroup& group);

/// A row for each size: time, what takes most of it, traffic across each boundary.
[[nodiscard]] PageTable sweep_table(const LoopSweep& sweep);

/// "24*N <= 48 KiB (L1) is true up to N = 2048", a sentence each.
[[nodiscard]] std::vector<std::string> break_words(const LoopSweep& sweep);

}  // namespace ridge::render
