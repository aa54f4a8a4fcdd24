#include "core/value/comparison.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace ridge {
namespace {

constexpr std::array<std::string_view, 7> kVerdicts{
    "same", "within-spread", "changed", "one-run", "doubtful", "unknown", "not-comparable"};
constexpr std::array<std::string_view, 5> kMatches{"first", "position", "moved",
                                                   "template-arguments", "renamed"};

template <class Items, class Test>
auto find_item(const Items& items, Test test) -> decltype(items.data()) {
  const auto found = std::find_if(items.begin(), items.end(), test);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

std::string_view to_string(MatchedBy how) {
  return kMatches[static_cast<std::size_t>(how)];
}

const RegionFigure* find_figure(const Place& place, std::string_view quantity) {
  return find_item(place.figures, [&](const RegionFigure& f) { return f.quantity == quantity; });
}

const Place* find_place(const ComparedLoop& loop, std::size_t result) {
  return find_item(loop.places, [&](const Place& place) { return place.result == result; });
}

const LoopStep* find_step(const ComparedLoop& loop, std::size_t step) {
  return find_item(loop.steps, [&](const LoopStep& s) { return s.step == step; });
}

const Change* find_change(const LoopStep& step, std::string_view quantity) {
  return find_item(step.changes, [&](const Change& c) { return c.quantity == quantity; });
}

const ComparedStep& overall_step(const Comparison& comparison) {
  assert(!comparison.steps.empty());
  return comparison.steps.back();
}

LoopLists lists_of(const Comparison& comparison, std::size_t step) {
  const ComparedStep& between = comparison.steps[step];
  const auto undecided = [&](const Place& place, bool before) {
    return std::any_of(between.ambiguous.begin(), between.ambiguous.end(),
                       [&](const AmbiguousMatch& match) {
                         const auto& ids = before ? match.before : match.after;
                         return std::find(ids.begin(), ids.end(), place.region) != ids.end();
                       });
  };
  LoopLists lists;
  for (const ComparedLoop& loop : comparison.loops) {
    const Place* before = find_place(loop, between.from);
    const Place* after = find_place(loop, between.to);
    if ((before == nullptr) == (after == nullptr)) {
      continue;
    }
    if (undecided(before != nullptr ? *before : *after, before != nullptr)) {
      lists.ambiguous.push_back(&loop);
    } else {
      (before != nullptr ? lists.vanished : lists.added).push_back(&loop);
    }
  }
  return lists;
}

}  // namespace ridge
