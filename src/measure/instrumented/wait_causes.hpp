// Why threads wait in the OpenMP runtime and for whom, decided at each look at all threads of a
// process. Waiting is charged to the code that is waited for: blame shifting, after Liu,
// Mellor-Crummey and Fagan, "A new approach for performance analysis of OpenMP programs", ICS 2013.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "measure/instrumented/accumulate.hpp"

namespace ridge::measure {

/// One look at all threads, or several that saw the same.
struct Look {
  std::span<const std::uint32_t> nodes;  ///< stacks of the threads that are in regions
  /// Of each node, the part of the time in which the thread was ready and had no CPU.
  std::span<const double> without_cpu;
  /// Outermost frames that threads which are in no region were last seen with.
  std::span<const std::uint32_t> idle;
  double seconds = 0.0;  ///< that the look stands for
  double share = 0.0;    ///< of them, the part of this process: others were seen at the same time
};

class WaitBlame {
 public:
  /// `times` hold what all looks saw of each region but `waits`, `caused` and `share`. `asleep`: by
  /// node, whether threads with this stack sleep (in pthread_join, a condition, waitpid): they are
  /// at work only where nobody else is. All must outlive this.
  WaitBlame(const StackTable& stacks, const RegionTable& table,
            const std::vector<RegionTimes>& times, const CpusOfProcess& cpus,
            std::vector<bool> asleep);

  /// Adds to `waits`, `caused` and `share`. By thread that waits:
  /// - others of its team work: imbalance, or serial where it waits for a lock, and where one alone
  ///   works in code in which nobody else was ever seen (single, master) and which is not entered
  ///   as often as the body;
  /// - nobody of its team works, and one thread works outside of parallel regions: serial;
  /// - else unexplained.
  /// The part of it in which who is waited for had no CPU is oversubscribed or busy. A worker that
  /// has left the body of a parallel region waits at that region's end.
  void add(const Look& look, std::vector<RegionTimes>& times) const;

 private:
  /// Where a stack is.
  struct Place {
    std::uint32_t top = kNoRegion;
    std::uint32_t team = kNoRegion;  ///< body of the innermost parallel region; none: outside
    std::uint32_t join = kNoRegion;  ///< where the thread that started that region will wait
  };
  struct Worker {
    std::uint32_t region = kNoRegion;
    std::uint32_t team = kNoRegion;
    double without_cpu = 0.0;
    bool is_asleep = false;
  };
  /// Who is waited for.
  struct Waiting {
    std::uint32_t region = kNoRegion;
    std::uint32_t team = kNoRegion;

    auto operator<=>(const Waiting&) const = default;
  };
  struct Scene;

  void find_bodies();
  void find_places();
  [[nodiscard]] std::uint32_t function_around(std::uint32_t region) const;
  [[nodiscard]] bool is_join(std::uint32_t region) const;
  [[nodiscard]] bool is_entered_by_all(const Worker& worker) const;
  [[nodiscard]] bool is_alone(const Worker& worker) const;
  [[nodiscard]] Scene scene_of(const Look& look) const;
  void add_idle(const Look& look, Scene& scene) const;
  [[nodiscard]] std::vector<Worker> waited_for(const Waiting& waiting, const Scene& scene) const;
  void charge(const Waiting& waiting, double seconds, const Scene& scene,
              std::vector<RegionTimes>& times) const;

  const StackTable& stacks_;
  const RegionTable& table_;
  const std::vector<RegionTimes>& times_;
  CpusOfProcess cpus_;
  std::vector<bool> asleep_;
  std::map<std::uint32_t, std::set<std::uint32_t>> bodies_;  ///< by waiting at the end
  std::map<std::uint32_t, std::set<std::uint32_t>> joins_;   ///< by body
  std::vector<Place> places_;                                ///< by node
};

}  // namespace ridge::measure
