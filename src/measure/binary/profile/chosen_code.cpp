#include "measure/binary/profile/chosen_code.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/binary/profile/region_seconds.hpp"
#include "measure/binary/profile/work_sum.hpp"

namespace ridge::measure::binary {
namespace {

/// Of the stacks of a function, so many have to lead to the others.
constexpr double kMostOfThem = 0.8;
/// With fewer samples of code that was not counted there is nothing to speak of.
constexpr std::uint64_t kFewestSamples = 20;
constexpr std::size_t kNamed = 3;

/// What each function did in both runs; by number of its region.
struct Function {
  std::uint32_t module = 0;  ///< index into ProgramCode::modules
  std::uint64_t samples = 0;
  std::uint64_t instructions = 0;
  bool is_caller = false;  ///< stands on a stack of the untouched run, not innermost
};

/// Functions that meet: sets that grow together.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t at) {
    while (parent_[at] != at) {
      at = parent_[at] = parent_[parent_[at]];
    }
    return at;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

struct Group {
  std::vector<std::uint32_t> timed;
  std::vector<std::uint32_t> counted;
  std::set<std::uint32_t> callers;
};

class Join {
 public:
  Join(ProgramCode& code, const SampledCode& samples, std::span<const RegionStack> timed,
       std::span<const RegionStack> counted)
      : code_(code), timed_(timed), counted_(counted), functions_(code.region_count) {
    read_runs(samples);
  }

  void run() {
    const auto timed_callers = meeting_points(timed_, true);
    for (const auto& [function, callers] : timed_callers) {
      for (const auto& [caller, count] : callers) {
        meets_.insert(caller);
      }
    }
    const auto counted_callers = meeting_points(counted_, false);
    Groups groups(code_.region_count);
    const auto timed = mostly(timed_callers, timed_, groups);
    const auto counted = mostly(counted_callers, counted_, groups);
    std::map<std::uint32_t, Group> found;
    for (const auto& [function, callers] : timed) {
      found[groups.find(function)].timed.push_back(function);
      found[groups.find(function)].callers.insert(callers.begin(), callers.end());
    }
    for (const auto& [function, callers] : counted) {
      found[groups.find(function)].counted.push_back(function);
    }
    for (auto& [number, group] : found) {
      keep_same_files(group);
      if (samples_of(group) >= kFewestSamples && !group.counted.empty()) {
        add(group);
      }
    }
  }

 private:
  using Counts = std::map<std::uint32_t, std::size_t>;

  void read_runs(const SampledCode& samples) {
    for (std::uint32_t m = 0; m < code_.modules.size(); ++m) {
      const CodeModule& module = code_.modules[m];
      for (std::uint32_t i = 0; i < module.work.size(); ++i) {
        const std::uint32_t number = module.first_region + i;
        functions_[number].module = m;
        functions_[function_of(code_, number)].instructions += module.work[i].instructions;
      }
    }
    for (const SampledMoment& moment : samples.moments) {
      const std::uint32_t region = code_.region_of_place[moment.place];
      if (region != kNoRegion) {
        ++functions_[function_of(code_, region)].samples;
      }
    }
    for (const RegionStack& stack : timed_) {
      for (std::size_t i = 1; i < stack.size(); ++i) {
        functions_[function_of(code_, stack[i])].is_caller = true;
      }
    }
  }

  [[nodiscard]] bool only_timed(std::uint32_t function) const {
    return functions_[function].instructions == 0 && functions_[function].samples > 0;
  }
  [[nodiscard]] bool only_counted(std::uint32_t function) const {
    const Function& of = functions_[function];
    return of.instructions > 0 && of.samples == 0 && !of.is_caller;
  }

  /// The function that both runs came by, seen from one of them: of a library the one by which it
  /// was entered, of the program itself the nearest.
  [[nodiscard]] std::uint32_t meeting_point(const RegionStack& stack, bool in_timed_run) const {
    const std::uint32_t module = functions_[function_of(code_, stack.front())].module;
    std::uint32_t nearest = kNoRegion;
    std::uint32_t outermost = kNoRegion;
    for (std::size_t i = 1; i < stack.size(); ++i) {
      const std::uint32_t function = function_of(code_, stack[i]);
      const bool is_in_both =
          in_timed_run ? functions_[function].instructions > 0 : meets_.contains(function);
      if (functions_[function].module != module) {
        return outermost != kNoRegion ? outermost : is_in_both ? function : kNoRegion;
      }
      if (is_in_both) {
        outermost = function;
        nearest = nearest != kNoRegion ? nearest : function;
      }
    }
    return nearest;
  }

  /// By function that ran in this run alone: how many of its stacks met where.
  [[nodiscard]] std::map<std::uint32_t, Counts> meeting_points(std::span<const RegionStack> stacks,
                                                               bool in_timed_run) const {
    std::map<std::uint32_t, Counts> found;
    for (const RegionStack& stack : stacks) {
      const std::uint32_t function = stack.empty() ? kNoRegion : function_of(code_, stack.front());
      if (function == kNoRegion ||
          !(in_timed_run ? only_timed(function) : only_counted(function))) {
        continue;
      }
      if (const std::uint32_t caller = meeting_point(stack, in_timed_run); caller != kNoRegion) {
        ++found[function][caller];
      }
    }
    return found;
  }

  /// Those of which most stacks meet somewhere; joins them to it.
  std::map<std::uint32_t, std::vector<std::uint32_t>> mostly(
      const std::map<std::uint32_t, Counts>& points, std::span<const RegionStack> stacks,
      Groups& groups) const {
    Counts all;
    for (const RegionStack& stack : stacks) {
      if (!stack.empty()) {
        ++all[function_of(code_, stack.front())];
      }
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> found;
    for (const auto& [function, callers] : points) {
      std::size_t met = 0;
      for (const auto& [caller, count] : callers) {
        met += count;
      }
      if (static_cast<double>(met) < kMostOfThem * static_cast<double>(all[function])) {
        continue;
      }
      for (const auto& [caller, count] : callers) {
        found[function].push_back(caller);
        groups.join(function, caller);
      }
    }
    return found;
  }

  [[nodiscard]] std::uint64_t samples_of(const Group& group) const {
    std::uint64_t samples = 0;
    for (const std::uint32_t function : group.timed) {
      samples += functions_[function].samples;
    }
    return samples;
  }

  /// Code is chosen among that of one file: what else was called from the same function is not its
  /// counterpart.
  void keep_same_files(Group& group) const {
    std::set<std::uint32_t> modules;
    for (const std::uint32_t function : group.timed) {
      modules.insert(functions_[function].module);
    }
    std::erase_if(group.counted, [&](std::uint32_t function) {
      return !modules.contains(functions_[function].module);
    });
  }

  [[nodiscard]] const ModuleRegion& region(std::uint32_t number) const {
    const CodeModule& module = code_.modules[functions_[number].module];
    return module.regions.regions[number - module.first_region];
  }

  [[nodiscard]] std::string names(std::vector<std::uint32_t> functions) const {
    std::ranges::stable_sort(functions, std::ranges::greater{}, [&](std::uint32_t number) {
      return std::pair(functions_[number].samples, functions_[number].instructions);
    });
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(functions.size(), kNamed); ++i) {
      shown.push_back(region(functions[i]).name);
    }
    return fmt::format("{}{}", fmt::join(shown, ", "),
                       functions.size() > kNamed
                           ? fmt::format(" and {} more", functions.size() - kNamed)
                           : std::string());
  }

  void add(const Group& group) {
    const std::string by = names({group.callers.begin(), group.callers.end()});
    CodeModule module;
    module.executed.path = code_.modules[functions_[group.timed.front()].module].executed.path;
    module.first_region = code_.region_count++;
    ModuleRegion& joined = module.regions.regions.emplace_back();
    joined.kind = RegionKind::function;
    joined.name = fmt::format("{} and the code it chose", by);
    joined.function = region(*group.callers.begin()).function;
    joined.identity = fmt::format("chosen by {}", by);
    joined.file = region(*group.callers.begin()).file;
    joined.line = region(*group.callers.begin()).line;
    module.work.push_back(take_work(group.counted));
    module.work.front().notes.push_back(
        {"chosen-code",
         fmt::format(
             "the program took other code than under the engine, as libraries do by what the "
             "processor can: timed in {}, counted in {}. Both were called from {}, so this "
             "is the time of the former with the work of the latter",
             names(group.timed), names(group.counted), by)});
    code_.modules.push_back(std::move(module));
    code_.parents.emplace_back();
    const std::uint32_t number = code_.region_count - 1;
    code_.stands_for.push_back(number);
    point_to(group.timed, number);
    point_to(group.counted, number);
    for (std::uint32_t& place : code_.region_of_place) {
      place = place != kNoRegion ? code_.stands_for[place] : kNoRegion;
    }
  }

  [[nodiscard]] bool is_in(const std::vector<std::uint32_t>& functions,
                           std::uint32_t number) const {
    return std::ranges::find(functions, function_of(code_, number)) != functions.end();
  }

  /// Of these functions and the loops in them, which have none from now on.
  ModuleWork take_work(const std::vector<std::uint32_t>& functions) {
    ModuleWork sum;
    WorkSum work;
    for (CodeModule& module : code_.modules) {
      for (std::uint32_t i = 0; i < module.work.size(); ++i) {
        if (is_in(functions, module.first_region + i)) {
          work.add(module.work[i].work);
          sum.instructions += module.work[i].instructions;
          sum.unknown.merge(module.work[i].unknown);
          module.work[i] = {};
        }
      }
    }
    sum.work = work.finish();
    return sum;
  }

  void point_to(const std::vector<std::uint32_t>& functions, std::uint32_t number) {
    for (std::uint32_t i = 0; i < number; ++i) {
      if (is_in(functions, i)) {
        code_.stands_for[i] = number;
      }
    }
  }

  ProgramCode& code_;
  std::span<const RegionStack> timed_;
  std::span<const RegionStack> counted_;
  std::vector<Function> functions_;  ///< by number of region
  std::set<std::uint32_t> meets_;    ///< functions at which the untouched run's stacks meet
};

}  // namespace

void join_chosen_code(ProgramCode& code, const SampledCode& samples,
                      std::span<const RegionStack> timed, std::span<const RegionStack> counted) {
  Join(code, samples, timed, counted).run();
}

}  // namespace ridge::measure::binary
