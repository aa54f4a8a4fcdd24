#include "predict/compare/same_run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "predict/compare/words.hpp"

namespace ridge::predict {
namespace {

bool ended_well(const Process& process) {
  return process.exit_code == 0 || (!process.exit_code && !process.signal);
}

/// How often each end of a process other than exit code 0 is there.
std::map<std::string, std::size_t> bad_ends(const Profile& profile) {
  std::map<std::string, std::size_t> ends;
  for (const Process& process : profile.processes) {
    if (!ended_well(process)) {
      ++ends[end_words(process.exit_code, process.signal)];
    }
  }
  return ends;
}

std::string bad_words(const std::map<std::string, std::size_t>& ends) {
  std::string text;
  for (const auto& [end, count] : ends) {
    text += fmt::format("{}{} with {}", text.empty() ? "" : ", ", count, end);
  }
  return text.empty() ? "none" : text;
}

/// What every program of a language has.
bool is_common(std::string_view function) {
  constexpr std::array<std::string_view, 7> kPrefixes{
      "std::",     "__gnu_cxx::",  "operator new", "operator delete",
      "_GLOBAL__", "__cxx_global", "omp "};
  return function.empty() || function == "main" || function == "_start" ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return function.starts_with(prefix); });
}

/// `step` and `v2::step`.
bool same_last_name(const Place& a, const Place& b) {
  const auto last = [](const Place& place) {
    const std::string name = brief_name(place.function);
    const std::size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
  };
  return last(a) == last(b);
}

/// Functions of the program's own in both ends of a step.
struct Functions {
  std::set<std::string> before;
  std::set<std::string> after;
  std::size_t common_before = 0;
  std::size_t common_after = 0;
};

Functions functions_of(const Comparison& comparison, std::size_t step) {
  const ComparedStep& between = comparison.steps[step];
  Functions functions;
  std::set<std::string> matched_before;  // the same loops in a function that is called otherwise
  std::set<std::string> matched_after;
  for (const ComparedLoop& loop : comparison.loops) {
    const Place* before = find_place(loop, between.from);
    const Place* after = find_place(loop, between.to);
    const auto own = [&](const Place* place) {
      return loop.kind != RegionKind::library && place != nullptr &&
             !is_common(brief_name(place->function));
    };
    if (own(before)) {
      functions.before.insert(brief_name(before->function));
    }
    if (own(after)) {
      functions.after.insert(brief_name(after->function));
    }
    if (own(before) && own(after) &&
        (after->matched_by != MatchedBy::renamed || same_last_name(*before, *after))) {
      matched_before.insert(brief_name(before->function));
      matched_after.insert(brief_name(after->function));
    }
  }
  for (const std::string& name : functions.before) {
    functions.common_before += matched_before.contains(name) || functions.after.contains(name);
  }
  for (const std::string& name : functions.after) {
    functions.common_after += matched_after.contains(name) || functions.before.contains(name);
  }
  return functions;
}

bool same_program(const std::string& a, const std::string& b, const Functions& functions) {
  if (a == b || a.empty() || b.empty()) {
    return functions.before.empty() || functions.after.empty() || functions.common_after > 0;
  }
  return functions.common_after > 0 && 2 * functions.common_before >= functions.before.size() &&
         2 * functions.common_after >= functions.after.size();
}

/// Empty: not known.
std::string executable_of(const ComparedResult& result) {
  const std::string path = result.argv.empty() ? "" : result.argv.front();
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

std::string end_words(const std::optional<int>& exit_code, const std::optional<int>& signal) {
  if (signal) {
    const char* name = sigabbrev_np(*signal);
    return name != nullptr ? fmt::format("signal {} (SIG{})", *signal, name)
                           : fmt::format("signal {}", *signal);
  }
  return exit_code ? fmt::format("exit code {}", *exit_code) : "an end that is not known";
}

std::optional<Note> other_end(const Profile& before, const Profile& after) {
  const auto end = [](const Profile& profile) {
    return end_words(profile.program.exit_code, profile.program.signal);
  };
  if (end(before) != end(after)) {
    return Note{"other-end", fmt::format("the program ended otherwise: {} before, {} after",
                                         end(before), end(after))};
  }
  const auto bad_before = bad_ends(before);
  const auto bad_after = bad_ends(after);
  if (bad_before != bad_after) {
    return Note{"other-end",
                fmt::format("processes of the program ended otherwise: {} before, {} after",
                            bad_words(bad_before), bad_words(bad_after))};
  }
  return std::nullopt;
}

std::optional<Note> partial_regions(const Comparison& comparison, std::size_t step) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (const std::size_t result : {comparison.steps[step].from, comparison.steps[step].to}) {
    std::size_t count = 0;
    std::string names;
    for (const ComparedLoop& loop : comparison.loops) {
      const Place* place = find_place(loop, result);
      if (place != nullptr && place->partial && ++count <= kNamed) {
        names += (names.empty() ? "" : ", ") + loop.label;
      }
    }
    if (count > 0) {
      text += fmt::format("{}{}: {} region{} cut midway ({}{})", text.empty() ? "" : "; ",
                          comparison.results[result].label, count, count == 1 ? " was" : "s were",
                          names, count > kNamed ? ", ..." : "");
    }
  }
  return text.empty()
             ? std::nullopt
             : std::optional(Note{"partial-regions", text + ": their counts are not exact"});
}

std::optional<Note> other_program(const Comparison& comparison, std::size_t step) {
  const ComparedResult& before = comparison.results[comparison.steps[step].from];
  const ComparedResult& after = comparison.results[comparison.steps[step].to];
  const Functions functions = functions_of(comparison, step);
  if (same_program(executable_of(before), executable_of(after), functions)) {
    return std::nullopt;
  }
  return Note{
      "other-program",
      fmt::format(
          "another program: {} against {}; of its {} function{} {} in the other one "
          "(main and those of the language's libraries do not count)",
          program_words(before), program_words(after), functions.after.size(),
          functions.after.size() == 1 ? "" : "s",
          functions.common_after == 0 ? "none is" : fmt::format("{} are", functions.common_after))};
}

std::string program_words(const ComparedResult& result) {
  const std::string name = executable_of(result);
  return name.empty() ? "a program of unknown name" : name;
}

}  // namespace ridge::predict
