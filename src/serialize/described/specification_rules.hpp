// What a published machine must not say: wrong units and contradictions. Part of the reader: each
// complaint names file, line and key.
#pragma once

#include <string_view>

#include "core/value/specification.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

/// An error unless the object says this unit and the value can be meant in it.
template <>
struct Units<Figure> {
  static void check(const Reader& object, std::string_view key, const Figure& figure,
                    std::string_view unit);
};

/// Each precision and each level has one energy.
template <>
struct Rules<PublishedEnergy> {
  static void check(const Reader& object, const PublishedEnergy& energy);
};

/// Peaks against units x flop/cycle x clock, sustained against theoretical, fp32 against fp64,
/// sources that are not listed, nothing to build a roof from.
template <>
struct Rules<Specification> {
  static void check(const Reader& root, const Specification& machine);
};

}  // namespace ridge::serialize
