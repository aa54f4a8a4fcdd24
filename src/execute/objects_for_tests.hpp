// Shared objects that tests load, and arguments for their functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "execute/call.hpp"

namespace ridge::execute::testing_objects {

inline std::string object(const std::string& source) {
  return std::string(RIDGE_TEST_OBJECTS) + "/" + source + ".so";
}

inline Call call(const std::string& symbol, std::vector<Argument> arguments = {},
                 std::vector<Global> globals = {}) {
  Call made;
  made.object = object("functions.c");
  made.symbol = symbol;
  made.arguments = std::move(arguments);
  made.globals = std::move(globals);
  made.budget = Seconds{0.005};
  made.limit = std::chrono::minutes(2);  // no test waits for it that does not set its own
  return made;
}

inline Array array(const std::string& name, std::uint64_t extent, Element element = Element::fp64) {
  return {.name = name, .element = element, .extent = extent};
}

inline Integer integer(const std::string& name, std::int64_t value, unsigned bytes = 8) {
  return {name, value, bytes, true};
}

}  // namespace ridge::execute::testing_objects
