// What the members of microarchitectures have to do with each other.
#pragma once

#include "core/describe/microarchitecture.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

template <>
struct Rules<Microarchitecture::Match> {
  static void check(const Reader& object, const Microarchitecture::Match& match);
};
/// The width of a register is told where the instruction set leaves it open, and only there.
template <>
struct Rules<Microarchitecture::IsaLimits> {
  static void check(const Reader& object, const Microarchitecture::IsaLimits& limits);
};
/// Each operation stands in one group, and there is a source.
template <>
struct Rules<Microarchitecture> {
  static void check(const Reader& object, const Microarchitecture& entry);
};
/// One CPU, one entry: the lookup must not depend on the order of the file.
template <>
struct Rules<describe::MicroarchitectureTable> {
  static void check(const Reader& root, const describe::MicroarchitectureTable& table);
};

}  // namespace ridge::serialize
