// What the members of a profile's values have to do with each other.
#pragma once

#include "core/describe/enumerators.hpp"
#include "core/value/profile.hpp"
#include "serialize/described/cache_rules.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

template <>
struct Rules<SampledTime> {
  static void check(const Reader& object, const SampledTime& time);
};
template <>
struct Rules<WorkTerm> {
  static void check(const Reader& object, const WorkTerm& term);
};
template <>
struct Rules<Work> {
  static void check(const Reader& object, const Work& work);
};
template <>
struct Rules<TrafficInterval> {
  static void check(const Reader& object, const TrafficInterval& interval);
};
template <>
struct Rules<MaskedOperations> {
  static void check(const Reader& object, const MaskedOperations& masked);
};
template <>
struct Rules<PageFaults> {
  static void check(const Reader& object, const PageFaults& faults);
};
template <>
struct Rules<TripCounts> {
  static void check(const Reader& object, const TripCounts& trips);
};
template <>
struct Rules<RankSpread> {
  static void check(const Reader& object, const RankSpread& spread);
};
template <>
struct Rules<ParallelRun> {
  static void check(const Reader& object, const ParallelRun& run);
};
/// Regions among themselves, and what they name elsewhere in the file.
template <>
struct Rules<Profile> {
  static void check(const Reader& object, const Profile& profile);
};

}  // namespace ridge::serialize
