#include "bench/selection.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bench/variants.hpp"

namespace ridge::bench {
namespace {

constexpr std::array<std::string_view, 2> kIntegerNames{"int32", "int64"};
constexpr std::array kParts{Part::roof, Part::sustained, Part::siblings, Part::numa};

using Words = std::vector<std::string>;

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// An empty group leaves everything in.
bool admits(const Words& group, std::string_view word) {
  return group.empty() || contains(group, word);
}

void add(Words& words, std::string_view word) {
  if (!contains(words, word)) {
    words.emplace_back(word);
  }
}

/// The words of each group on this machine.
struct Vocabulary {
  Words kinds{"compute", "bandwidth", "latency"};
  Words precisions;
  Words isas;
  Words operations;
  Words levels;
  Words patterns;
  Words parts;
};

Vocabulary vocabulary_of(const std::vector<PlannedKernel>& planned) {
  Vocabulary known;
  for (const PlannedKernel& kernel : planned) {
    add(known.isas, to_string(kernel.isa));
    if (kernel.is_compute()) {
      add(known.precisions, data_name(*kernel.kernel, kernel.precision));
      add(known.operations, kernel.kernel->name());
    } else {
      add(known.levels, ridge::to_string(*kernel.level));
      add(known.patterns, kernel.kernel->name());
    }
  }
  for (const Part part : kParts) {
    add(known.parts, to_string(part));
  }
  if (std::any_of(kIntegerNames.begin(), kIntegerNames.end(),
                  [&](std::string_view name) { return contains(known.precisions, name); })) {
    add(known.precisions, kIntegers);
  }
  return known;
}

std::string list_of(const Vocabulary& known) {
  return fmt::format("{}; {}; {}; {}; {}; {}; {}", fmt::join(known.kinds, ", "),
                     fmt::join(known.precisions, ", "), fmt::join(known.isas, ", "),
                     fmt::join(known.operations, ", "), fmt::join(known.levels, ", "),
                     fmt::join(known.patterns, ", "), fmt::join(known.parts, ", "));
}

}  // namespace

std::string_view to_string(Part part) {
  constexpr std::array<std::string_view, kParts.size()> names{"roof", "sustained", "siblings",
                                                              "numa"};
  return names.at(static_cast<std::size_t>(part));
}

IntegerWidths integers_of(const Words& words) {
  const bool named = contains(words, kIntegers) ||
                     std::any_of(kIntegerNames.begin(), kIntegerNames.end(),
                                 [&](std::string_view name) { return contains(words, name); });
  return named ? IntegerWidths::all : IntegerWidths::widest;
}

Result<Selection> Selection::parse(const Words& words, const std::vector<PlannedKernel>& planned) {
  const Vocabulary known = vocabulary_of(planned);
  Selection made;
  made.everything_ = words.empty();
  for (const std::string& word : words) {
    bool found = false;
    const auto sort_in = [&](const Words& group, Words& chosen) {
      if (contains(group, word)) {
        add(chosen, word);
        found = true;
      }
    };
    sort_in(known.kinds, made.kinds_);
    sort_in(known.precisions, made.precisions_);
    sort_in(known.isas, made.isas_);
    sort_in(known.operations, made.operations_);
    sort_in(known.levels, made.levels_);
    sort_in(known.patterns, made.patterns_);
    sort_in(known.parts, made.parts_);
    if (found && word == kIntegers) {
      for (const std::string_view name : kIntegerNames) {
        add(made.precisions_, name);
      }
    }
    if (!found) {
      return fail(ErrorCode::usage, fmt::format("--only: nothing is called `{}`", word),
                  fmt::format("this effort measures: {}", list_of(known)));
    }
  }
  return made;
}

bool Selection::asks_for(CeilingKind kind) const {
  const bool in_core = !precisions_.empty() || !operations_.empty();
  const bool in_memory = !levels_.empty() || !patterns_.empty();
  if (kinds_.empty() && !in_core && !in_memory) {
    return !isas_.empty();
  }
  return contains(kinds_, ridge::to_string(kind)) ||
         (kind == CeilingKind::compute ? in_core : in_memory);
}

bool Selection::wants(const PlannedKernel& planned) const {
  if (everything_) {
    return true;
  }
  if (!asks_for(planned.kernel->kind) || !admits(isas_, to_string(planned.isa))) {
    return false;
  }
  return planned.is_compute()
             ? admits(precisions_, data_name(*planned.kernel, planned.precision)) &&
                   admits(operations_, planned.kernel->name())
             : admits(levels_, ridge::to_string(*planned.level)) &&
                   admits(patterns_, planned.kernel->name());
}

bool Selection::names(Part part) const {
  return contains(parts_, to_string(part));
}

bool Selection::wants_level(Level level) const {
  return everything_ || admits(levels_, ridge::to_string(level));
}

}  // namespace ridge::bench
