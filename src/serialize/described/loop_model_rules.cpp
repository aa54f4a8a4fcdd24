#include "serialize/described/loop_model_rules.hpp"

namespace ridge::serialize {

void Rules<LoopModel>::check(const Reader& object, const LoopModel& model) {
  if (model.loops.empty()) {
    object.at("loops").fail("is empty: a nest has at least one loop");
  }
}

}  // namespace ridge::serialize
