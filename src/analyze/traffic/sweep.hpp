// A place in the iterations of a nest that moves on while their accesses are simulated.
#pragma once

#include <cstdint>

#include "analyze/traffic/cache_simulation.hpp"
#include "analyze/traffic/iteration_space.hpp"

namespace ridge::analyze {

class Sweep {
 public:
  Sweep(const IterationSpace& space, CacheSimulation& caches) : space_(&space), caches_(&caches) {
    counters_.assign(space.loops(), 0);
  }

  /// To a place at about this part of all iterations, 0 to 1, at the beginning of an innermost loop
  /// where there are several loops.
  void jump_to(double part);

  /// So many iterations, less where the nest ends before. `thinned`: of iterations that follow one
  /// another on the same lines only the first is simulated. How many were passed.
  std::int64_t advance(std::int64_t iterations, bool thinned);

  /// Once through the nest from its beginning. How many iterations there are.
  std::int64_t whole(bool thinned);

  /// After the last iteration: what follows begins anew.
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }
  void begin_anew();

  /// Writes or reads every line of all arrays once.
  void touch_arrays();

 private:
  /// An access of the innermost loop while the loops around it stay where they are.
  struct RowAccess {
    std::int64_t address = 0;  ///< in its first iteration
    std::int64_t step = 0;
    std::uint64_t kind = 0;
    const PlacedAccess* access = nullptr;
  };

  void run_row(std::int64_t begin, std::int64_t end, bool thinned);
  void run_iteration(std::int64_t inner);
  void access_around(bool before);
  [[nodiscard]] bool is_inside() const;
  bool next_row();
  void enter_row();
  [[nodiscard]] static std::int64_t element_at(const PlacedAccess& access, std::int64_t address);

  const IterationSpace* space_;
  CacheSimulation* caches_;
  Counters counters_;            ///< the innermost one: where the next iteration begins
  std::int64_t row_trips_ = -1;  ///< of the innermost loop, where it has been entered
  std::vector<RowAccess> row_;
  bool is_linear_ = true;  ///< all accesses of the row go on by steps, at addresses of their own
  bool is_at_end_ = false;
};

}  // namespace ridge::analyze
