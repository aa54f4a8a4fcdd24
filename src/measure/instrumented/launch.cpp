#include "measure/instrumented/launch.hpp"

#include <unistd.h>

namespace ridge::measure {
namespace {

constexpr const char* kSessionVariable = "RIDGE_SESSION";

}  // namespace

platform::ProcessOptions options_for(const Request& request, const Arena& arena) {
  platform::ProcessOptions options;
  options.arguments = request.arguments;
  options.environment = {{kSessionVariable, arena.session()}};
  if (request.output_to_error) {
    options.standard_output = STDERR_FILENO;
  }
  return options;
}

}  // namespace ridge::measure
