// How large a cache is for one thread and for data that all cores share out among themselves.
// Formulas: docs/theory/predict.md, section 3.
#pragma once

#include <optional>

#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// nullptr: its size is not known.
[[nodiscard]] const PublishedCache* cache_named(const TargetMachine& target, Level level);

/// One for each core. Published sizes of L1 and L2 of CPUs that are not marked are those of a core.
[[nodiscard]] bool is_of_a_core(const TargetMachine& target, const PublishedCache& cache);

/// Instances that the cores in use can reach, and how many there are. Cores spread over as many
/// as there are: that gives each the most room and bandwidth.
struct CacheInstances {
  double used = 1.0;
  double all = 1.0;
  double cores_of_one = 1.0;  ///< in use
};
[[nodiscard]] CacheInstances instances_of(const TargetMachine& target, const PublishedCache& cache);

/// Bytes of a cache that one thread can count on. A cache that cores share is divided by them when
/// `per_thread`; on GPUs neighbouring blocks share data, so the whole cache counts. nullopt: the
/// size is not known.
[[nodiscard]] std::optional<double> cache_room(const TargetMachine& target, Level level,
                                               bool per_thread);

/// Bytes that all instances in use hold together, `shared`: of which every core needs all, so that
/// each of them holds the same. nullopt: the size is not known.
[[nodiscard]] std::optional<double> cache_capacity(const TargetMachine& target, Level level,
                                                   bool shared);

/// Bytes that a program can keep in one multiprocessor of a GPU: its registers, and shared memory
/// or L1, whichever is larger, since they are one memory on many. nullopt: none is known.
[[nodiscard]] std::optional<double> multiprocessor_room(const TargetMachine& target);

/// The innermost cache that holds so many bytes from one repetition of a loop to the next; nullopt:
/// no cache whose size is known. A GPU's L1 is empty when a kernel starts.
[[nodiscard]] std::optional<Level> resident_level(const TargetMachine& target, double bytes,
                                                  bool shared);

}  // namespace ridge::predict
