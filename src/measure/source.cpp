#include "measure/source.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

struct Refusal {
  const Source* source;
  Error error;
};

/// Higher is closer to a measurement.
int closeness(const Error& error) {
  switch (error.code) {
    case ErrorCode::unavailable:
      return 2;  // it would do elsewhere
    case ErrorCode::usage:
      return 0;  // it was not asked for what it can do
    default:
      return 1;
  }
}

/// The first of the closest, with the others' reasons where they are others.
Error closest(std::vector<Refusal> refusals) {
  const auto best = std::max_element(
      refusals.begin(), refusals.end(),
      [](const Refusal& a, const Refusal& b) { return closeness(a.error) < closeness(b.error); });
  Error error = best->error;
  for (const Refusal& other : refusals) {
    if (other.error.message != best->error.message) {
      error.hint += fmt::format("{}Source {}: {}.", error.hint.empty() ? "" : " ",
                                other.source->name, other.error.message);
    }
  }
  return error;
}

}  // namespace

const Source* find_source(std::span<const Source> sources, std::string_view name) {
  const auto found = std::find_if(sources.begin(), sources.end(),
                                  [&](const Source& source) { return source.name == name; });
  return found == sources.end() ? nullptr : &*found;
}

Result<void> check_source(const Source& source, const Request& request) {
  if (request.needs_simulation && !source.capabilities.simulates) {
    return fail(ErrorCode::usage,
                fmt::format("the source `{}` does not simulate caches", source.name),
                "Without --traffic, --also and --cache it measures what it can.");
  }
  return source.check(request);
}

Result<const Source*> choose_source(std::span<const Source> sources, const Request& request) {
  assert(!sources.empty());
  std::vector<Refusal> refusals;
  for (const Source& source : sources) {
    const auto usable = check_source(source, request);
    if (usable) {
      return &source;
    }
    refusals.push_back({&source, usable.error()});
  }
  return tl::make_unexpected(closest(std::move(refusals)));
}

}  // namespace ridge::measure
