// What the members of a machine's values have to do with each other.
#pragma once

#include "core/describe/enumerators.hpp"
#include "core/value/machine.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

template <>
struct Rules<Cache> {
  static void check(const Reader& object, const Cache& cache);
};
/// Units follow the kind, and limit and limit_fraction say the same.
template <>
struct Rules<Ceiling> {
  static void check(const Reader& object, const Ceiling& ceiling);
};
template <>
struct Rules<MeasuredRoof> {
  static void check(const Reader& object, const MeasuredRoof& roof);
};
template <>
struct Rules<Sustained> {
  static void check(const Reader& object, const Sustained& sustained);
};
template <>
struct Rules<Siblings> {
  static void check(const Reader& object, const Siblings& siblings);
};
/// Levels and ids are distinct, and there is a memory.
template <>
struct Rules<Machine> {
  static void check(const Reader& object, const Machine& machine);
};

}  // namespace ridge::serialize
