// What the child does: loads the object, calls the function, and writes down what it took.
#pragma once

#include <sys/types.h>
#include <vector>

#include "execute/call.hpp"
#include "execute/report.hpp"
#include "platform/clock.hpp"

namespace ridge::execute {

/// All arrays of the call in the order in which the report numbers them: those of arguments, those
/// that globals point to, those that globals are.
[[nodiscard]] std::vector<const Array*> arrays_of(const Call& call);

struct Parent {
  pid_t pid = 0;
  int errors = -1;  ///< where what the function writes to its standard error goes
};

/// To be called in a process just forked. The other streams of the function lead nowhere.
[[noreturn]] void run_child(const Call& call, const platform::ClockProbe& probe,
                            const Parent& parent, Report& report) noexcept;

}  // namespace ridge::execute
