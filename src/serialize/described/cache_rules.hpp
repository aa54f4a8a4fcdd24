// What caches of other machines have to do with each other.
#pragma once

#include "core/describe/known_caches.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

/// Levels in order and of equal lines, whole numbers of sets, sharing that fits into that of the
/// level above.
template <>
struct Rules<CachesElsewhere> {
  static void check(const Reader& object, const CachesElsewhere& elsewhere);
};
template <>
struct Rules<KnownCaches> {
  static void check(const Reader& object, const KnownCaches& row);
};
/// Names and machines are distinct.
template <>
struct Rules<describe::CacheTable> {
  static void check(const Reader& root, const describe::CacheTable& table);
};

}  // namespace ridge::serialize
