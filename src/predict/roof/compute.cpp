// The compute part of the roof rule (docs/theory/roofline.md, section 2).
#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

constexpr Operation kMix = Operation::fma_add;
// One FMA (2 flop) and one ADD (1 flop) are two operations: operations per flop of the 1:1 mix.
constexpr double kMixOperationsPerFlop = 2.0 / 3.0;

/// Terms in one order whatever the order of the profile, equal keys merged: the order of summation
/// must not change a bound.
using TermKey = std::tuple<Precision, OperationKind, Isa>;
using Terms = std::map<TermKey, double>;

Terms terms_of(const Work& work) {
  std::map<TermKey, std::uint64_t> flops;
  for (const WorkTerm& term : work.terms) {
    if (term.flops > 0) {
      flops[{term.precision, term.kind, isa_of_width(term.precision, term.width_bits)}] +=
          term.flops;
    }
  }
  Terms terms;
  for (const auto& [key, count] : flops) {
    terms[key] = static_cast<double>(count);
  }
  return terms;
}

std::size_t flops_per_operation(OperationKind kind) {
  return kind == OperationKind::fma ? 2 : 1;
}

/// Times that add up on one resource; the id is that of the largest part.
class Sum {
 public:
  void add(double seconds, const std::string& ceiling) {
    seconds_ += seconds;
    if (seconds > largest_) {
      largest_ = seconds;
      ceiling_ = ceiling;
    }
  }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] Limit limit() const { return {{}, ceiling_, seconds_}; }

 private:
  double seconds_ = 0.0;
  double largest_ = 0.0;
  std::string ceiling_;
};

/// Index of the pipe group of an operation; operations outside all groups get one of their own.
std::size_t group_of(const Microarchitecture& microarchitecture, OperationKind kind) {
  const auto& groups = microarchitecture.pipe_groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (std::find(groups[i].begin(), groups[i].end(), operation_of(kind)) != groups[i].end()) {
      return i;
    }
  }
  return groups.size() + static_cast<std::size_t>(kind);
}

void note_nearest(std::vector<Note>& notes, const ComputeKey& key, const Match& match) {
  if (match.ceiling != nullptr && !match.exact) {
    add_note(notes, "nearest-ceiling",
             fmt::format("no ceiling {}; {} stands in for it", to_string(key), match.ceiling->id));
  }
}

std::string_view what_is_left_out(std::string_view operation) {
  return operation == to_string(OperationKind::div)    ? "divisions"
         : operation == to_string(OperationKind::sqrt) ? "square roots"
                                                       : "these operations";
}

void note_missing(std::vector<Note>& notes, Precision precision, std::string_view operation) {
  add_note(notes, "no-ceiling",
           fmt::format("no ceiling of {} {} was measured: {} are left out of the bound",
                       to_string(precision), operation, what_is_left_out(operation)));
}

bool has_ceiling(const CeilingIndex& ceilings, const TermKey& term, unsigned threads) {
  const auto& [precision, kind, isa] = term;
  return find_compute(ceilings, compute_key(precision, isa, operation_of(kind), threads)).ceiling !=
         nullptr;
}

/// Operations of one precision and width that the 1:1 mix of fma and add speaks for.
struct Paired {
  double all = 0.0;
  double speakable = 0.0;  ///< two for each fma, one for each operation without a ceiling
};

/// The joint constraint: operations at the operation rate of the measured 1:1 mix. The mix shows
/// what an fma costs the operation beside it; mul and add without fma may run faster (decision
/// 0044).
Sum joint_time(const Terms& terms, const CeilingIndex& ceilings, unsigned threads,
               std::vector<Note>& notes) {
  std::map<std::pair<Precision, Isa>, Paired> by_width;
  for (const auto& [term, flops] : terms) {
    const auto& [precision, kind, isa] = term;
    const double operations = flops / static_cast<double>(flops_per_operation(kind));
    Paired& paired = by_width[{precision, isa}];
    paired.all += operations;
    if (kind == OperationKind::fma) {
      paired.speakable += 2.0 * operations;
    } else if (!has_ceiling(ceilings, term, threads)) {
      paired.speakable += operations;
    }
  }
  Sum joint;
  for (const auto& [width, paired] : by_width) {
    const auto& [precision, isa] = width;
    const Match mix = find_compute(ceilings, compute_key(precision, isa, kMix, threads));
    // A stand-in of another width would put a wrong constraint on all operations: left out then.
    if (mix.ceiling != nullptr && mix.same_isa) {
      joint.add(std::min(paired.all, paired.speakable) /
                    (p90_of(mix.ceiling->value) * kMixOperationsPerFlop),
                mix.ceiling->id);
    } else if (paired.speakable > 0.0) {
      note_missing(notes, precision, to_string(kMix));
    }
  }
  return joint;
}

/// Time of the slowest pipe group, the joint constraint as one more.
std::optional<Limit> grouped_limit(const Terms& terms, const CeilingIndex& ceilings,
                                   const Microarchitecture& microarchitecture, unsigned threads,
                                   std::vector<Note>& notes) {
  std::map<std::size_t, Sum> groups;
  for (const auto& [term, flops] : terms) {
    const auto& [precision, kind, isa] = term;
    const ComputeKey key = compute_key(precision, isa, operation_of(kind), threads);
    const Match own = find_compute(ceilings, key);
    if (own.ceiling == nullptr) {
      note_missing(notes, precision, to_string(kind));
      continue;
    }
    note_nearest(notes, key, own);
    groups[group_of(microarchitecture, kind)].add(flops / p90_of(own.ceiling->value),
                                                  own.ceiling->id);
  }
  // On equal times (one group holding all pipes) a group names the cause better than the mix.
  Sum slowest;
  for (const auto& [index, group] : groups) {
    slowest = group.seconds() > slowest.seconds() ? group : slowest;
  }
  const Sum joint = joint_time(terms, ceilings, threads, notes);
  slowest = joint.seconds() > slowest.seconds() ? joint : slowest;
  return slowest.seconds() > 0.0 ? std::optional(slowest.limit()) : std::nullopt;
}

/// The highest flop rate of any mix at one precision and instruction set.
const Ceiling* balanced_maximum_of(const CeilingIndex& ceilings, Precision precision, Isa isa,
                                   unsigned threads, std::vector<Note>& notes) {
  const auto fastest = [&](bool same_isa) {
    Match best;
    for (const Operation operation : kMixes) {
      const Match match = find_compute(ceilings, compute_key(precision, isa, operation, threads));
      if (match.ceiling != nullptr && match.same_isa == same_isa &&
          (best.ceiling == nullptr || p90_of(match.ceiling->value) > p90_of(best.ceiling->value))) {
        best = match;
      }
    }
    return best;
  };
  Match best = fastest(true);
  if (best.ceiling == nullptr) {
    best = fastest(false);
  }
  note_nearest(notes, compute_key(precision, isa, kMix, threads), best);
  return best.ceiling;
}

/// All work at the balanced maximum of its precision (and width if `own_isa`), times added.
std::optional<Limit> balanced_limit(const Terms& terms, const CeilingIndex& ceilings, bool own_isa,
                                    unsigned threads, std::vector<Note>& notes) {
  Sum sum;
  for (const auto& [term, flops] : terms) {
    const auto& [precision, kind, isa] = term;
    const Ceiling* best = own_isa ? balanced_maximum_of(ceilings, precision, isa, threads, notes)
                                  : fastest_mix(ceilings, to_string(precision), threads);
    if (best != nullptr) {
      sum.add(flops / p90_of(best->value), best->id);
    } else {
      note_missing(notes, precision, "arithmetic");
    }
  }
  return sum.seconds() > 0.0 ? std::optional(sum.limit()) : std::nullopt;
}

/// Merges kinds and widths, which the balanced maximum does not tell apart.
Terms by_precision(const Terms& terms) {
  Terms merged;
  for (const auto& [term, flops] : terms) {
    merged[{std::get<0>(term), OperationKind::add, Isa::scalar}] += flops;
  }
  return merged;
}

}  // namespace

void add_note(std::vector<Note>& notes, std::string code, std::string text) {
  Note note{std::move(code), std::move(text)};
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
    notes.push_back(std::move(note));
  }
}

std::optional<Limit> own_mix_limit(const Work& work, const CeilingIndex& ceilings,
                                   const Microarchitecture* microarchitecture, unsigned threads,
                                   std::vector<Note>& notes) {
  const Terms terms = terms_of(work);
  if (terms.empty()) {
    return std::nullopt;
  }
  if (microarchitecture == nullptr) {
    add_note(notes, "unknown-microarchitecture",
             "the pipes of this CPU are not known: the compute bound is the highest rate that any "
             "mix of operations reached, not that of this code's mix");
    return balanced_limit(terms, ceilings, true, threads, notes);
  }
  return grouped_limit(terms, ceilings, *microarchitecture, threads, notes);
}

std::optional<Limit> best_mix_limit(const Work& work, const CeilingIndex& ceilings,
                                    unsigned threads, const std::optional<Limit>& own_mix) {
  const Terms terms = terms_of(work);
  std::vector<Note> unused;  // the code bound has said what is missing
  const auto best = balanced_limit(by_precision(terms), ceilings, false, threads, unused);
  const bool complete = std::all_of(terms.begin(), terms.end(), [&](const auto& entry) {
    return has_ceiling(ceilings, entry.first, threads);
  });
  // Between fma alone and the 1:1 mix a code's own mix can be faster than either.
  return best && own_mix && complete && own_mix->seconds < best->seconds ? own_mix : best;
}

Isa dominating_isa(const Work& work) {
  std::map<Isa, double> flops_by_isa;  // narrow to wide
  for (const auto& [term, flops] : terms_of(work)) {
    flops_by_isa[std::get<Isa>(term)] += flops;
  }
  std::pair<double, Isa> best{0.0, kWidestIsa};
  for (const auto& [isa, flops] : flops_by_isa) {
    if (flops >= best.first) {
      best = {flops, isa};
    }
  }
  return best.second;
}

}  // namespace ridge::predict
