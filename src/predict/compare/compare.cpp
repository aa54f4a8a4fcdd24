#include "predict/compare/compare.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/words.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "predict/compare/figures.hpp"
#include "predict/compare/match.hpp"
#include "predict/compare/same_run.hpp"
#include "predict/compare/sentence.hpp"
#include "predict/compare/words.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

ComparedResult describe(const ResultToCompare& from) {
  const Profile& profile = *from.profile;
  ComparedResult result;
  result.label = from.label;
  result.argv = profile.program.argv;
  result.date = profile.date;
  result.machine = profile.machine.name;
  result.host = profile.machine.host;
  result.compiler = profile.program.compiler;
  result.processes = profile.processes.size();
  for (const Region& region : profile.regions) {
    result.threads = std::max(result.threads, region.threads);
  }
  if (const double seconds = program_seconds(profile); seconds > 0.0) {
    result.seconds = seconds;
  }
  result.exit_code = profile.program.exit_code;
  result.signal = profile.program.signal;
  result.traffic_floors = traffic_floors_of(profile.machine);
  result.levels = levels_of(profile);
  return result;
}

/// Predictions stand in the order of the regions; one made by hand may not.
const RegionPrediction* prediction_of(const ResultToCompare& from, std::size_t index) {
  if (from.prediction == nullptr) {
    return nullptr;
  }
  const std::uint32_t id = from.profile->regions[index].id;
  const auto& entries = from.prediction->regions;
  return index < entries.size() && entries[index].region == id
             ? &entries[index]
             : find_prediction(*from.prediction, id);
}

Place place_of(std::size_t result, const ResultToCompare& from, std::size_t index, MatchedBy by,
               const std::vector<Level>& levels) {
  const Region& region = from.profile->regions[index];
  Place place;
  place.result = result;
  place.region = region.id;
  place.name = region.name;
  place.function = region.function;
  place.file = region.file;
  place.line = region.line;
  place.threads = region.threads;
  place.partial = region.partial;
  place.matched_by = by;
  const RegionPrediction* prediction = prediction_of(from, index);
  if (prediction != nullptr && prediction->code) {
    place.limit = resource_of(prediction->code->ceiling);
    place.ceiling = prediction->code->ceiling;
    place.fraction = prediction->code->fraction;
  }
  place.figures = figures_of(region, *from.profile, levels);
  return place;
}

bool same_cpu(const Machine& a, const Machine& b) {
  return a.cpu == b.cpu && a.topology.sockets == b.topology.sockets &&
         a.topology.cores == b.topology.cores;
}

bool same_hierarchy(const Profile& a, const Profile& b) {
  return same_caches(shared_by_cores(a.machine.caches), shared_by_cores(b.machine.caches)) &&
         a.origins.traffic == b.origins.traffic;
}

std::string words(const std::vector<std::string>& argv, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < argv.size(); ++i) {
    text += (text.empty() ? "" : " ") + argv[i];
  }
  return text.empty() ? "none" : text;
}

bool same_arguments(const ComparedResult& a, const ComparedResult& b) {
  const std::size_t skip_a = a.argv.empty() ? 0 : 1;
  const std::size_t skip_b = b.argv.empty() ? 0 : 1;
  return std::equal(a.argv.begin() + static_cast<std::ptrdiff_t>(skip_a), a.argv.end(),
                    b.argv.begin() + static_cast<std::ptrdiff_t>(skip_b), b.argv.end());
}

/// Results in order, and which region of each is which loop.
class Comparer {
 public:
  explicit Comparer(const std::vector<ResultToCompare>& results) : results_(results) {}

  Comparison run() {
    for (const ResultToCompare& result : results_) {
      out_.results.push_back(describe(result));
    }
    for (std::size_t to = 1; to < results_.size(); ++to) {
      out_.steps.push_back(step_between(to - 1, to));
    }
    if (results_.size() > 2) {
      out_.steps.push_back(step_between(0, results_.size() - 1));
    }
    follow();
    collect();
    sort_loops();
    set_labels(out_);
    note_other_runs();
    note_equal_work();
    for (std::size_t step = 0; step < out_.steps.size(); ++step) {
      out_.steps[step].summary = sentence_of(out_, step);
    }
    out_.summary = out_.steps.back().summary;
    return std::move(out_);
  }

 private:
  /// One loop: its region in each result, or kNone.
  struct Chain {
    std::vector<std::size_t> regions;
    std::vector<MatchedBy> by;
  };

  ComparedStep step_between(std::size_t from, std::size_t to) {
    const Profile& a = *results_[from].profile;
    const Profile& b = *results_[to].profile;
    ComparedStep step;
    step.from = from;
    step.to = to;
    step.times_comparable = same_cpu(a.machine, b.machine) && a.origins.time == b.origins.time;
    step.traffic_comparable = same_hierarchy(a, b);
    add_notes(step, a, b);
    return step;
  }

  void add_notes(ComparedStep& step, const Profile& a, const Profile& b) const {
    const ComparedResult& before = out_.results[step.from];
    const ComparedResult& after = out_.results[step.to];
    const auto add = [&](const char* code, std::string text) {
      step.notes.push_back({code, std::move(text)});
    };
    if (!same_cpu(a.machine, b.machine)) {
      add("other-machine", fmt::format("times and rates are not comparable: {} against {}",
                                       before.machine, after.machine));
    } else if (before.host != after.host) {
      add("other-host",
          fmt::format("the hosts differ ({} against {}), the processor is the same",
                      before.host.value_or("unknown"), after.host.value_or("unknown")));
    }
    if (!step.traffic_comparable) {
      add("other-caches", a.origins.traffic == b.origins.traffic
                              ? "traffic beyond L1 is not comparable: the caches differ"
                              : "traffic is not comparable: simulated against measured");
    }
    if (!same_arguments(before, after)) {
      add("other-arguments", fmt::format("the arguments differ: {} against {}",
                                         words(before.argv, 1), words(after.argv, 1)));
    }
    if (before.threads != after.threads) {
      add("other-threads",
          fmt::format("{} against {}", counted(before.threads, "thread"), after.threads));
    }
    if (before.processes != after.processes) {
      add("other-processes",
          fmt::format("{} processes against {}", before.processes, after.processes));
    }
    if (before.compiler != after.compiler) {
      add("other-compiler",
          fmt::format("compiled by {} against {}", before.compiler.value_or("an unknown compiler"),
                      after.compiler.value_or("an unknown compiler")));
    }
    if (a.ridge_version != b.ridge_version) {
      add("other-version", fmt::format("measured by Ridge {} against {}: what counts may differ",
                                       a.ridge_version, b.ridge_version));
    }
    for (const auto& [profile, result] : {std::pair(&a, &before), std::pair(&b, &after)}) {
      for (const Note& note : profile->notes) {
        if (note.code == "machine-busy" || note.code == "partial" ||
            note.code == "ended-by-signal") {
          add(note.code.c_str(), fmt::format("{}: {}", result->label, note.text));
        }
      }
    }
  }

  /// Continues every chain into the results behind, nearest first.
  void follow() {
    start(0);
    for (std::size_t to = 1; to < results_.size(); ++to) {
      for (std::size_t from = to; from-- > 0;) {
        extend(from, to);
      }
      start(to);
    }
  }

  /// Regions of this result that are in no chain begin one.
  void start(std::size_t result) {
    const std::size_t count = results_[result].profile->regions.size();
    for (std::size_t region = 0; region < count; ++region) {
      if (!taken_[{result, region}]) {
        Chain chain{std::vector<std::size_t>(results_.size(), kNone),
                    std::vector<MatchedBy>(results_.size(), MatchedBy::first)};
        chain.regions[result] = region;
        chains_.push_back(std::move(chain));
        chain_of_[{result, region}] = chains_.size() - 1;
      }
    }
  }

  /// Matches the regions of `to` that are free with those chains that end in `from`.
  void extend(std::size_t from, std::size_t to) {
    const Profile& before = *results_[from].profile;
    const Profile& after = *results_[to].profile;
    std::vector<bool> open_before(before.regions.size(), false);
    std::vector<bool> open_after(after.regions.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < open_before.size(); ++i) {
      const Chain& chain = chains_[chain_of_.at({from, i})];
      const bool ends = std::all_of(chain.regions.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                                    chain.regions.end(), [](std::size_t r) { return r == kNone; });
      open_before[i] = ends;
      any = any || open_before[i];
    }
    for (std::size_t j = 0; j < open_after.size(); ++j) {
      open_after[j] = !taken_[{to, j}] && !undecided_.contains({to, j});
    }
    if (!any) {
      return;
    }
    const Matching matching = match_regions(before, open_before, after, open_after);
    for (const RegionMatch& match : matching.matches) {
      const std::size_t chain = chain_of_.at({from, match.before});
      chains_[chain].regions[to] = match.after;
      chains_[chain].by[to] = match.by;
      chain_of_[{to, match.after}] = chain;
      taken_[{to, match.after}] = true;
    }
    for (const AmbiguousRegions& ambiguous : matching.ambiguous) {
      tell(ambiguous, from, to);
    }
  }

  void tell(const AmbiguousRegions& ambiguous, std::size_t from, std::size_t to) {
    AmbiguousMatch told;
    const Region* example = nullptr;
    for (const std::size_t i : ambiguous.before) {
      example = &results_[from].profile->regions[i];
      told.before.push_back(example->id);
    }
    for (const std::size_t j : ambiguous.after) {
      undecided_.insert({to, j});
      told.after.push_back(results_[to].profile->regions[j].id);
    }
    told.text = fmt::format(
        "{} {}s of {} against {}: which is which is not clear, so they are not compared",
        told.before.size(), example != nullptr ? to_string(example->kind) : "region",
        example != nullptr ? brief_name(example->function) : "", told.after.size());
    for (ComparedStep& step : out_.steps) {
      if (step.from == from && step.to == to) {
        step.ambiguous.push_back(told);
      }
    }
  }

  void collect() {
    for (const Chain& chain : chains_) {
      ComparedLoop loop;
      std::size_t count = 0;
      for (std::size_t result = 0; result < results_.size(); ++result) {
        if (chain.regions[result] != kNone) {
          loop.places.push_back(place_of(result, results_[result], chain.regions[result],
                                         chain.by[result], out_.results[result].levels));
          loop.kind = results_[result].profile->regions[chain.regions[result]].kind;
          ++count;
        }
      }
      for (std::size_t step = 0; step < out_.steps.size(); ++step) {
        const Place* before = find_place(loop, out_.steps[step].from);
        const Place* after = find_place(loop, out_.steps[step].to);
        if (before != nullptr && after != nullptr) {
          loop.steps.push_back({step, changes_of(before->figures, after->figures,
                                                 {out_.steps[step].times_comparable,
                                                  out_.steps[step].traffic_comparable})});
        }
      }
      if (loop.kind != RegionKind::program) {
        out_.loops.push_back(std::move(loop));
      } else if (!out_.program || count > out_.program->places.size()) {
        out_.program = std::move(loop);
      }
    }
  }

  void note_other_runs() {
    for (std::size_t i = 0; i < out_.steps.size(); ++i) {
      ComparedStep& step = out_.steps[i];
      for (auto& note : {other_end(*results_[step.from].profile, *results_[step.to].profile),
                         partial_regions(out_, i), other_program(out_, i)}) {
        if (note) {
          step.notes.push_back(*note);
        }
      }
    }
  }

  /// The same program did the same: what differs in time is the environment, or chance.
  void note_equal_work() {
    for (std::size_t i = 0; i < out_.steps.size(); ++i) {
      bool same = out_.program && out_.steps[i].times_comparable;
      bool slower = false;
      for (const ComparedLoop& loop : out_.loops) {
        const LoopStep* step = find_step(loop, i);
        same =
            same && (loop.kind == RegionKind::library || (step != nullptr && same_counts(*step)));
        const Change* time = step != nullptr ? find_change(*step, "time") : nullptr;
        slower = slower || (time != nullptr && time->verdict == Verdict::changed);
      }
      if (same && slower) {
        out_.steps[i].notes.push_back(
            {"only-time",
             "work, bytes and traffic are the same everywhere: only times differ. Measure again "
             "before believing that the program changed"});
      }
    }
  }

  static bool same_counts(const LoopStep& step) {
    return std::all_of(step.changes.begin(), step.changes.end(), [](const Change& change) {
      const bool counted =
          (change.before && change.before->count) || (change.after && change.after->count);
      return !counted || change.verdict == Verdict::same;
    });
  }

  static double most(const ComparedLoop& loop, std::string_view quantity) {
    double value = 0.0;
    for (const Place& place : loop.places) {
      const RegionFigure* figure = find_figure(place, quantity);
      value = figure != nullptr ? std::max(value, figure->value) : value;
    }
    return value;
  }

  void sort_loops() {
    const auto key = [](const ComparedLoop& loop) {
      const Place& last = loop.places.back();
      return std::make_tuple(-most(loop, "time"), -most(loop, "flops"), -most(loop, "bytes"),
                             last.function, last.line.value_or(0), last.name, last.result,
                             last.region);
    };
    std::stable_sort(out_.loops.begin(), out_.loops.end(),
                     [&](const ComparedLoop& a, const ComparedLoop& b) { return key(a) < key(b); });
  }

  const std::vector<ResultToCompare>& results_;
  Comparison out_;
  std::vector<Chain> chains_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> chain_of_;  ///< by result and region
  std::map<std::pair<std::size_t, std::size_t>, bool> taken_;
  std::set<std::pair<std::size_t, std::size_t>> undecided_;
};

}  // namespace

Comparison compare(const std::vector<ResultToCompare>& results) {
  return Comparer(results).run();
}

}  // namespace ridge::predict
