#include "cli/run/run_source.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"

namespace ridge::cli {
namespace {

tl::unexpected<Error> unknown(const std::string& name, std::span<const measure::Source> sources) {
  std::vector<std::string> names;
  for (const measure::Source& source : sources) {
    names.emplace_back(source.name);
  }
  const auto near = nearest_names(name, names);
  return fail(ErrorCode::usage, fmt::format("run: there is no source `{}`", name),
              fmt::format("{}Known are: {}. `ridge run --source list` explains them.",
                          near.empty() ? "" : fmt::format("Did you mean {}? ", near.front()),
                          fmt::join(names, ", ")));
}

std::string words_of(const measure::Capabilities& can) {
  std::vector<std::string_view> words;
  if (can.counts) {
    words.emplace_back("work");
  }
  if (can.times) {
    words.emplace_back("time");
  }
  if (can.simulates) {
    words.emplace_back("simulated traffic");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

Result<const measure::Source*> source_for(const std::optional<std::string>& name,
                                          std::span<const measure::Source> sources,
                                          const measure::Request& request) {
  if (!name) {
    return measure::choose_source(sources, request);
  }
  const measure::Source* source = measure::find_source(sources, *name);
  if (source == nullptr) {
    return unknown(*name, sources);
  }
  return measure::check_source(*source, request).map([&] { return source; });
}

std::string source_list(std::span<const measure::Source> sources) {
  std::string text = "Sources, in the order in which they are tried:\n";
  for (const measure::Source& source : sources) {
    text += fmt::format("\n  {}\n    {}\n    gives: {}\n    needs: {}\n", source.name,
                        source.summary, words_of(source.capabilities), source.needs);
  }
  return text;
}

}  // namespace ridge::cli
