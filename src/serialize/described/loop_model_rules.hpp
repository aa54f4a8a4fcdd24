// What parts of a loop model have to do with each other.
#pragma once

#include "core/describe/loop_model.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

/// A nest has a loop.
template <>
struct Rules<LoopModel> {
  static void check(const Reader& object, const LoopModel& model);
};

}  // namespace ridge::serialize
