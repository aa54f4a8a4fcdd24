#include "measure/binary/stacks/stack_reservoir.hpp"

#include <utility>

namespace ridge::measure::binary {

void StackReservoir::add(std::vector<platform::StackSample> stacks) {
  for (platform::StackSample& stack : stacks) {
    ++seen_;
    if (kept_.size() < most_) {
      kept_.push_back(std::move(stack));
    } else if (const std::uint64_t slot = random_() % seen_; slot < most_) {
      kept_[slot] = std::move(stack);
    }
  }
}

}  // namespace ridge::measure::binary
