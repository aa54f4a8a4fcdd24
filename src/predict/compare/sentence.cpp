#include "predict/compare/sentence.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "predict/compare/figures.hpp"
#include "predict/compare/same_run.hpp"
#include "predict/compare/words.hpp"

namespace ridge::predict {
namespace {

/// One run each: less than this is no statement about the program.
constexpr double kNotable = 1.05;
/// A loop is named when its time changes by at least this part of the program's.
constexpr double kLoopMatters = 0.05;

bool has_note(const ComparedStep& step, std::string_view code) {
  return std::any_of(step.notes.begin(), step.notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

class Sentence {
 public:
  Sentence(const Comparison& comparison, std::size_t step)
      : comparison_(comparison), index_(step), step_(comparison.steps[step]) {}

  std::string run() {
    const ComparedLoop* loop = main_loop();
    std::string text = caution() + head();
    std::vector<std::string> parts;
    if (loop != nullptr) {
      parts.push_back(loop_words(*loop));
    }
    add_counts(loop, parts);
    add_list(parts);
    const char* separator = ": ";
    for (const std::string& part : parts) {
      text += separator + part;
      separator = "; ";
    }
    return text;
  }

 private:
  /// What makes the two runs different things.
  [[nodiscard]] std::string caution() const {
    std::string with;
    const auto add = [&](const char* code, const char* words) {
      if (has_note(step_, code)) {
        with += std::string(with.empty() ? "with " : " and ") + words;
      }
    };
    if (!has_note(step_, "other-program")) {
      add("other-arguments", "other arguments");
    }
    add("other-threads", "another number of threads");
    add("other-processes", "another number of processes");
    return with.empty() ? with : with + ", ";
  }

  [[nodiscard]] const Change* program_change(std::string_view quantity) const {
    if (!comparison_.program) {
      return nullptr;
    }
    const LoopStep* step = find_step(*comparison_.program, index_);
    return step != nullptr ? find_change(*step, quantity) : nullptr;
  }

  /// A run that ended otherwise, or another program, is not faster: it is another thing.
  [[nodiscard]] std::optional<std::string> no_comparison(const std::string& times) const {
    const ComparedResult& before = comparison_.results[step_.from];
    const ComparedResult& after = comparison_.results[step_.to];
    if (has_note(step_, "other-program")) {
      return fmt::format("these are two programs, {} and {} before {}", program_words(after),
                         program_words(before), times);
    }
    if (!has_note(step_, "other-end")) {
      return std::nullopt;
    }
    const std::string end = end_words(after.exit_code, after.signal);
    const std::string end_before = end_words(before.exit_code, before.signal);
    return end == end_before
               ? fmt::format("not all its processes ended as before {}", times)
               : fmt::format("it ended with {}, with {} before {}", end, end_before, times);
  }

  [[nodiscard]] std::string head() const {
    if (!step_.times_comparable) {
      return "the times are not comparable (another machine)";
    }
    const Change* time = program_change("time");
    if (time == nullptr || !time->before || !time->after || !time->ratio || !(*time->ratio > 0.0)) {
      return "the time of the whole program is not known in both";
    }
    const std::string times =
        fmt::format("({}, {} before; one run each)", seconds_words(time->after->value),
                    seconds_words(time->before->value));
    if (const auto words = no_comparison(times)) {
      return *words;
    }
    const double faster = 1.0 / *time->ratio;
    if (faster >= kNotable) {
      return fmt::format("{}x faster {}", factor_words(faster), times);
    }
    if (*time->ratio >= kNotable) {
      return fmt::format("{}x slower {}", factor_words(*time->ratio), times);
    }
    return fmt::format("as fast within 5 % {}", times);
  }

  [[nodiscard]] static const Change* change_in(const ComparedLoop& loop, std::size_t step,
                                               std::string_view quantity) {
    const LoopStep* changes = find_step(loop, step);
    return changes != nullptr ? find_change(*changes, quantity) : nullptr;
  }

  /// The loop whose time changed most, by more than the spread and enough to matter.
  [[nodiscard]] const ComparedLoop* main_loop() const {
    const auto& whole = comparison_.results[step_.from].seconds;
    const ComparedLoop* found = nullptr;
    double most = whole.value_or(0.0) * kLoopMatters;
    const bool has_code = std::any_of(
        comparison_.loops.begin(), comparison_.loops.end(), [](const ComparedLoop& loop) {
          return loop.kind == RegionKind::loop || loop.kind == RegionKind::function;
        });
    for (const ComparedLoop& loop : comparison_.loops) {
      const Change* time = change_in(loop, index_, "time");
      // A marker changes by what ran in it.
      const bool is_other =
          loop.kind == RegionKind::library || (loop.kind == RegionKind::marker && has_code);
      if (is_other || time == nullptr || time->verdict != Verdict::changed) {
        continue;
      }
      const double difference = std::fabs(time->after->value - time->before->value);
      if (difference > most) {
        most = difference;
        found = &loop;
      }
    }
    return found;
  }

  [[nodiscard]] std::string loop_words(const ComparedLoop& loop) const {
    const Place& before = *find_place(loop, step_.from);
    const Place& after = *find_place(loop, step_.to);
    const std::string name = loop.label;
    if (before.limit && after.limit && *before.limit != *after.limit) {
      return fmt::format("{} moved from {}-bound to {}-bound{}", name, *before.limit, *after.limit,
                         speed_words(loop, ", "));
    }
    const std::string bound =
        before.limit && after.limit ? fmt::format(", still {}-bound,", *after.limit) : "";
    return name + bound + speed_words(loop, " ");
  }

  [[nodiscard]] std::string speed_words(const ComparedLoop& loop, const char* before) const {
    const Change* time = change_in(loop, index_, "time");
    if (time == nullptr || !time->after) {
      return "";
    }
    if (!time->ratio) {
      return fmt::format("{}takes {} (no sample met it before)", before,
                         seconds_words(time->after->value));
    }
    if (!(*time->ratio > 0.0)) {
      return fmt::format("{}is too short for a sample now", before);
    }
    return *time->ratio >= 2.0
               ? fmt::format("{}takes {}x the time", before, factor_words(*time->ratio))
           : *time->ratio < 1.0
               ? fmt::format("{}takes {} less time", before, percent_words(1.0 - *time->ratio))
               : fmt::format("{}takes {} more time", before, percent_words(*time->ratio - 1.0));
  }

  /// The change of a count at the loop, or of the whole program without one.
  [[nodiscard]] const Change* count_change(const ComparedLoop* loop,
                                           std::string_view quantity) const {
    return loop != nullptr ? change_in(*loop, index_, quantity) : program_change(quantity);
  }

  /// The outermost level at which both sides know the traffic.
  [[nodiscard]] const Change* outer_traffic(const ComparedLoop* loop) const {
    const auto& levels = comparison_.results[step_.to].levels;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      const Change* change = count_change(loop, fmt::format("traffic.{}", to_string(*level)));
      if (change != nullptr && change->before && change->after && *level != Level::L1) {
        return change;
      }
    }
    return nullptr;
  }

  void add_counts(const ComparedLoop* loop, std::vector<std::string>& parts) const {
    const std::string whose = loop != nullptr ? "its" : "the";
    if (const Change* traffic = outer_traffic(loop);
        traffic != nullptr && traffic->verdict == Verdict::changed) {
      if (const auto words = moved_words(*traffic)) {
        parts.push_back(
            fmt::format("{} traffic at {} {}", whose, part_of(traffic->quantity), *words));
      }
    }
    if (const Change* work = count_change(loop, "flops");
        work != nullptr && work->verdict == Verdict::changed) {
      if (const auto words = moved_words(*work)) {
        parts.push_back(fmt::format("{} work {}", whose, *words));
      }
    } else if (parts.empty() && work != nullptr && work->verdict == Verdict::same) {
      parts.emplace_back("the same work");
    }
  }

  void add_list(std::vector<std::string>& parts) const {
    const LoopLists lists = lists_of(comparison_, index_);
    const auto loops = [](const std::vector<const ComparedLoop*>& from) {
      return std::count_if(from.begin(), from.end(),
                           [](const ComparedLoop* loop) { return loop->kind == RegionKind::loop; });
    };
    const auto add = [&](auto count, const char* what) {
      if (count > 0) {
        parts.push_back(fmt::format("{} loop{} {}", count, count == 1 ? "" : "s", what));
      }
    };
    add(loops(lists.added), "new");
    add(loops(lists.vanished), "vanished");
    add(loops(lists.ambiguous), "not matched");
  }

  const Comparison& comparison_;
  std::size_t index_;
  const ComparedStep& step_;
};

}  // namespace

std::string sentence_of(const Comparison& comparison, std::size_t step) {
  return Sentence(comparison, step).run();
}

}  // namespace ridge::predict
