#include "cli/run/run_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/common/also_caches.hpp"
#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"
#include "core/value/cache_geometry.hpp"

namespace ridge::cli {
namespace {

constexpr const char* kForm = "The form is: ridge run [OPTIONS] -- PROGRAM [ARGUMENTS...]";

bool is_program(const std::string& word) {
  return !word.empty() && word.front() != '-';
}

/// `no_traffic` is the short form of off.
Result<measure::TrafficRequest> traffic_request(const std::optional<std::string>& word,
                                                bool no_traffic) {
  using measure::TrafficRequest;
  constexpr std::array<std::pair<std::string_view, TrafficRequest>, 4> kWords{
      {{"auto", TrafficRequest::automatic},
       {"exact", TrafficRequest::exact},
       {"sampled", TrafficRequest::sampled},
       {"off", TrafficRequest::off}}};
  if (no_traffic && word && *word != "off") {
    return fail(ErrorCode::usage, "run: --no-traffic contradicts --traffic=" + *word);
  }
  const std::string chosen = no_traffic ? "off" : word.value_or("auto");
  const auto* const found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& w) { return w.first == chosen; });
  if (found == kWords.end()) {
    return fail(ErrorCode::usage, "run: unknown kind of traffic: " + chosen,
                "It is one of auto, exact, sampled, off.");
  }
  return found->second;
}

/// A slip is to be said before a machine is measured.
Result<void> read_also(const std::vector<std::string>& texts, RunOptions& options) {
  auto items = split_also(texts);
  if (!items) {
    return tl::make_unexpected(items.error());
  }
  options.also = std::move(*items);
  if (!options.also.empty() && options.traffic != measure::TrafficRequest::exact) {
    return fail(ErrorCode::usage, "run: --also simulates all lines: it needs --traffic=exact",
                "Whether some lines may stand for all is known for this machine's caches only.");
  }
  const auto caches = also_caches(options.also, Machine());
  return caches ? Result<void>{} : tl::make_unexpected(caches.error());
}

}  // namespace

Result<std::optional<RunOptions>> parse_run_options(const std::vector<std::string>& arguments) {
  const auto split = std::find(arguments.begin(), arguments.end(), "--");
  RunOptions options;
  std::optional<std::string> traffic;
  std::vector<std::string> also;
  std::optional<unsigned> wait_descendants;
  bool no_traffic = false;
  OptionParser parser("run", embedded::run_help);
  parser.option("-o,--output", options.output);
  parser.option("--machine", options.machine);
  parser.option("--cache", options.cache);
  parser.option("--also", also);
  parser.option("--explain", options.explain);
  parser.flag("--force", options.force);
  parser.option("--traffic", traffic);
  parser.flag("--no-traffic", no_traffic);
  parser.flag("--launcher", options.launcher);
  parser.option("--wait-descendants", wait_descendants);
  parser.flag("--detach", options.detach);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  parser.flag("--redact", options.redact);
  const auto outcome = parser.parse({arguments.begin(), split});
  if (!outcome) {
    // The likely reason for a word that is no option.
    const bool forgot_dashes =
        split == arguments.end() && std::any_of(arguments.begin(), arguments.end(), is_program);
    Error error = outcome.error();
    error.hint = forgot_dashes ? std::string(kForm) : error.hint;
    return tl::make_unexpected(error);
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  if (!also.empty() && !traffic && !no_traffic) {
    traffic = "exact";  // whatever the default is
  }
  const auto request = traffic_request(traffic, no_traffic);
  if (!request) {
    return tl::make_unexpected(request.error());
  }
  options.traffic = *request;
  options.wait_descendants = wait_descendants.value_or(options.wait_descendants);
  if (split == arguments.end() || split + 1 == arguments.end()) {
    return fail(ErrorCode::usage, "run: no program to measure", kForm);
  }
  if (options.explain && options.json) {
    return fail(ErrorCode::usage, "run: --explain and --json exclude each other",
                "profile.json holds everything that --explain prints.");
  }
  if (options.cache && options.traffic == measure::TrafficRequest::off) {
    return fail(ErrorCode::usage,
                "run: --cache and --no-traffic (--traffic=off) exclude each other",
                "Without traffic no cache is simulated.");
  }
  if (const auto items = read_also(also, options); !items) {
    return tl::make_unexpected(items.error());
  }
  if (options.cache) {
    // Once more with the machine; but a slip is to be said before a machine is measured.
    if (const auto caches = parse_cache_geometry(*options.cache, Machine()); !caches) {
      return tl::make_unexpected(caches.error());
    }
  }
  options.program.assign(split + 1, arguments.end());
  return options;
}

}  // namespace ridge::cli
