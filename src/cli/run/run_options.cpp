#include "cli/run/run_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/common/also_caches.hpp"
#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"
#include "core/quantity/quantity_text.hpp"
#include "core/value/cache_geometry.hpp"

namespace ridge::cli {
namespace {

constexpr const char* kForm = "The form is: ridge run [OPTIONS] -- PROGRAM [ARGUMENTS...]";

/// In place of a name behind --source or --engine.
constexpr const char* kList = "list";

/// [s] A run of the program takes as long to start.
constexpr double kBudgetLeast = 0.001;

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

/// The words behind options whose meaning depends on others.
struct Words {
  std::optional<std::string> traffic;
  std::optional<std::string> budget;
  std::optional<std::string> exact_below;
  std::vector<std::string> also;
  std::optional<unsigned> wait_descendants;
  std::optional<std::string> ranks;
  std::optional<unsigned> every;
  bool no_traffic = false;
  bool only_counts = false;
  bool only_traffic = false;
  bool one_run = false;
};

/// The options that stand before `--`.
Result<ParseOutcome> parse_words(const std::vector<std::string>& arguments, RunOptions& options,
                                 Words& words) {
  OptionParser parser("run", embedded::run_help);
  parser.option("-o,--output", options.output);
  parser.option("--machine", options.machine);
  parser.option("--cache", options.cache);
  parser.option("--also", words.also);
  parser.option("--explain", options.explain);
  parser.option("--source", options.source);
  parser.option("--engine", options.engine);
  parser.flag("--same-code", options.same_code);
  parser.flag("--mpi", options.mpi);
  parser.flag("--libraries", options.libraries);
  parser.flag("--force", options.force);
  parser.option("--traffic", words.traffic);
  parser.flag("--no-traffic", words.no_traffic);
  parser.option("--budget", words.budget);
  parser.option("--exact-below", words.exact_below);
  parser.flag("-q,--quiet", options.quiet);
  parser.flag("--launcher", options.launcher);
  parser.option("--into", options.into);
  parser.flag("--only-counts", words.only_counts);
  parser.flag("--only-traffic", words.only_traffic);
  parser.flag("--one-run", words.one_run);
  parser.option("--ranks", words.ranks);
  parser.option("--every", words.every);
  parser.flag("--alone", options.alone);
  parser.option("--wait-descendants", words.wait_descendants);
  parser.flag("--detach", options.detach);
  parser.flag("--intops", options.intops);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  parser.flag("--redact", options.redact);
  return parser.parse(arguments);
}

/// With the likely reason for a word that is no option: forgotten dashes.
Error with_form(Error error, const std::vector<std::string>& arguments) {
  const bool has_dashes = std::find(arguments.begin(), arguments.end(), "--") != arguments.end();
  if (!has_dashes && !error.hint.starts_with("Did you mean") &&
      std::any_of(arguments.begin(), arguments.end(), is_program)) {
    error.hint = kForm;
  }
  return error;
}

Result<void> set_traffic(const Words& words, RunOptions& options) {
  const bool is_implied = !words.also.empty() && !words.traffic && !words.no_traffic;
  const auto request =  // --also needs all lines, whatever the default is
      traffic_request(is_implied ? std::optional<std::string>("exact") : words.traffic,
                      words.no_traffic);
  if (!request) {
    return tl::make_unexpected(request.error());
  }
  options.traffic = *request;
  return {};
}

Result<Seconds> read_time(const char* option, const std::string& text, double least) {
  const auto seconds = parse_seconds(text);
  if (!seconds || *seconds < least) {
    return fail(ErrorCode::usage, fmt::format("run: {} {} is no time", option, text),
                "A number with ms, s or min, such as 60s or 5min.");
  }
  return Seconds(*seconds);
}

/// Both steer what automatic traffic does.
Result<void> set_times(const Words& words, RunOptions& options) {
  if (!words.budget && !words.exact_below) {
    return {};
  }
  if (options.traffic != measure::TrafficRequest::automatic) {
    return fail(
        ErrorCode::usage,
        fmt::format("run: {} needs --traffic=auto", words.budget ? "--budget" : "--exact-below"),
        "It chooses what is simulated; --traffic and --also have chosen already.");
  }
  if (words.budget) {
    const auto budget = read_time("--budget", *words.budget, kBudgetLeast);
    if (!budget) {
      return tl::make_unexpected(budget.error());
    }
    options.budget = *budget;
  }
  if (words.exact_below) {
    const auto below = read_time("--exact-below", *words.exact_below, 0.0);
    if (!below) {
      return tl::make_unexpected(below.error());
    }
    options.exact_below = *below;
  }
  return {};
}

constexpr unsigned kMostRanks = 10'000'000;

std::optional<unsigned> read_rank(std::string_view text) {
  unsigned rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  return error == std::errc() && end == text.data() + text.size() && rank < kMostRanks
             ? std::optional(rank)
             : std::nullopt;
}

/// "0,4,8-11" in ascending order, each once; nullopt where it is something else.
std::optional<std::vector<unsigned>> read_ranks(const std::string& text) {
  std::set<unsigned> ranks;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto dash = word.find('-');
    const auto first = read_rank(std::string_view(word).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : read_rank(std::string_view(word).substr(dash + 1));
    if (!first || !last || *last < *first) {
      return std::nullopt;
    }
    for (unsigned rank = *first; rank <= *last; ++rank) {
      ranks.insert(rank);
    }
  }
  return ranks.empty() ? std::nullopt
                       : std::optional(std::vector<unsigned>(ranks.begin(), ranks.end()));
}

Result<void> set_ranks(const Words& words, RunOptions& options) {
  if (words.ranks && words.every) {
    return fail(ErrorCode::usage, "run: --ranks and --every exclude each other");
  }
  if (words.ranks) {
    auto ranks = read_ranks(*words.ranks);
    if (!ranks) {
      return fail(ErrorCode::usage, fmt::format("run: --ranks {} names no ranks", *words.ranks),
                  "Numbers and ranges, such as 0,1,8-15.");
    }
    options.ranks.ranks = std::move(*ranks);
  }
  options.ranks.every = words.every.value_or(1);
  if (options.ranks.every == 0) {
    return fail(ErrorCode::usage, "run: --every 0 measures no rank",
                "--every 16 measures ranks 0, 16, 32 and so on.");
  }
  return {};
}

Result<void> set_runs(const Words& words, RunOptions& options) {
  const int chosen =
      (words.only_counts ? 1 : 0) + (words.only_traffic ? 1 : 0) + (words.one_run ? 1 : 0);
  if (chosen > 1) {
    return fail(ErrorCode::usage,
                "run: --only-counts, --only-traffic and --one-run exclude each other");
  }
  options.runs = words.only_counts    ? measure::RunsWanted::counts
                 : words.only_traffic ? measure::RunsWanted::traffic
                 : words.one_run      ? measure::RunsWanted::one
                                      : measure::RunsWanted::all;
  return {};
}

/// What only programs as they are need chooses their source.
Result<void> choose_binary(RunOptions& options) {
  const char* word = options.engine ? "--engine" : options.same_code ? "--same-code" : nullptr;
  if (word == nullptr) {
    return {};
  }
  if (options.source && *options.source != "binary") {
    return fail(ErrorCode::usage,
                fmt::format("run: {} and --source {} exclude each other", word, *options.source),
                "Engines measure programs as they are: --source binary.");
  }
  options.source = "binary";
  return {};
}

Result<void> check_combinations(const RunOptions& options) {
  if (options.explain && options.json) {
    return fail(ErrorCode::usage, "run: --explain and --json exclude each other",
                "profile.json holds everything that --explain prints.");
  }
  if (options.cache && options.traffic == measure::TrafficRequest::off) {
    return fail(ErrorCode::usage,
                "run: --cache and --no-traffic (--traffic=off) exclude each other",
                "Without traffic no cache is simulated.");
  }
  return {};
}

/// Once more with the machine; but a slip is to be said before a machine is measured.
Result<void> check_caches(const RunOptions& options) {
  if (options.cache) {
    if (const auto caches = parse_cache_geometry(*options.cache, Machine()); !caches) {
      return tl::make_unexpected(caches.error());
    }
  }
  return {};
}

}  // namespace

Result<std::optional<RunOptions>> parse_run_options(const std::vector<std::string>& arguments) {
  const auto split = std::find(arguments.begin(), arguments.end(), "--");
  RunOptions options;
  Words words;
  const auto outcome = parse_words({arguments.begin(), split}, options, words);
  if (!outcome) {
    return tl::make_unexpected(with_form(outcome.error(), arguments));
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  options.list_sources = options.source == kList;
  options.list_engines = options.engine == kList;
  if (options.list_sources || options.list_engines) {
    return options;
  }
  if (const auto traffic = set_traffic(words, options); !traffic) {
    return tl::make_unexpected(traffic.error());
  }
  options.wait_descendants = words.wait_descendants.value_or(options.wait_descendants);
  if (split == arguments.end() || split + 1 == arguments.end()) {
    return fail(ErrorCode::usage, "run: no program to measure", kForm);
  }
  const auto fits = set_times(words, options)
                        .and_then([&] { return choose_binary(options); })
                        .and_then([&] { return set_ranks(words, options); })
                        .and_then([&] { return set_runs(words, options); })
                        .and_then([&] { return check_combinations(options); })
                        .and_then([&] { return read_also(words.also, options); })
                        .and_then([&] { return check_caches(options); });
  if (!fits) {
    return tl::make_unexpected(fits.error());
  }
  options.program.assign(split + 1, arguments.end());
  return options;
}

}  // namespace ridge::cli
