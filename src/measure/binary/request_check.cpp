#include "measure/binary/request_check.hpp"

#include <fmt/format.h>

#include "measure/binary/binary.hpp"
#include "measure/binary/program_file.hpp"
#include "measure/calls/call_memory.hpp"
#include "platform/process.hpp"

namespace ridge::measure {

namespace binary {

Result<std::string> program_of(const Request& request) {
  return platform::find_program(request.arguments.empty() ? "" : request.arguments.front());
}

Result<std::vector<const Engine*>> engines_for(const Request& request, const std::string& program) {
  const bool simulates = request.traffic != TrafficRequest::off &&
                         (request.runs == RunsWanted::all || request.runs == RunsWanted::traffic);
  return usable_engines(request.engine, program, simulates);
}

}  // namespace binary

namespace {

Result<void> check_runs(const Request& request) {
  if (request.runs == RunsWanted::one) {
    return fail(ErrorCode::usage, "run: a program as it is cannot be measured by one run",
                "Without --one-run its times come first; then --into RESULT --only-counts, and "
                "--into RESULT --only-traffic.");
  }
  if (request.runs == RunsWanted::traffic && request.traffic == TrafficRequest::off) {
    return fail(ErrorCode::usage, "run: --no-traffic leaves nothing to do for this run");
  }
  return {};
}

}  // namespace

Result<void> check_binary(const Request& request) {
  const auto path = binary::program_of(request);
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  if (auto fine = binary::check_program_file(*path); !fine) {
    return fine;
  }
  if (request.runs == RunsWanted::first) {
    return {};  // no engine has anything to do
  }
  if (auto fine = check_runs(request); !fine) {
    return fine;
  }
  const auto engines = binary::engines_for(request, binary::program_that_runs(*path));
  if (!engines) {
    return tl::make_unexpected(engines.error());
  }
  if (auto layers = check_call_layers(request); !layers) {
    return layers;
  }
  const binary::Engine& first = *engines->front();
  if (request.runs == RunsWanted::traffic && !first.simulates) {
    return fail(ErrorCode::unavailable, fmt::format("the engine {} only counts", first.name),
                "`ridge run --engine list` says which simulate, and what to install.");
  }
  if (request.needs_simulation && !first.simulates) {
    return fail(ErrorCode::usage, fmt::format("run: the engine {} only counts", first.name),
                "Without --traffic, --also and --cache it measures what it can.");
  }
  return {};
}

std::string engine_list() {
  std::string text = "Engines, in the order in which they are tried:\n";
  for (const binary::Engine& engine : binary::engines()) {
    const auto here = engine.available();
    text += fmt::format(
        "\n  {}\n    {}\n    needs: {}\n    {}\n", engine.name, engine.summary, engine.needs,
        here ? std::string("it is here")
             : fmt::format("not here: {}. {}", here.error().message, here.error().hint));
  }
  return text;
}

}  // namespace ridge::measure
