#include "measure/ranks/rank_notes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/quantity/percent.hpp"
#include "core/quantity/words.hpp"

namespace ridge::measure {
namespace {

constexpr std::size_t kRunsShown = 8;

const std::string& code_of(const CountedNote& counted) {
  return counted.note.code;
}

void add_note(CountedNotes& to, const CountedNote& from) {
  const auto found = std::ranges::find(to, from.note.code, code_of);
  if (found == to.end()) {
    to.push_back(from);
    return;
  }
  found->ranks += from.ranks;
  found->differs = found->differs || from.differs || found->note.text != from.note.text;
  if (from.lowest < found->lowest) {
    found->lowest = from.lowest;
    found->note = from.note;
  }
}

/// Its text is read again: where its functions were inlined, for matching regions.
bool stays_as_it_is(const Note& note) {
  return note.code == "inlined-at";
}

/// Seconds that threads waited for a CPU; of the regions where the program has none of its own.
std::optional<double> waited(const Profile& profile) {
  if (const Region* program = program_region(profile);
      program != nullptr && program->waited_seconds) {
    return program->waited_seconds->value();
  }
  std::optional<double> sum;
  for (const Region& region : profile.regions) {
    if (region.waited_seconds && !region.overlaps) {
      sum = sum.value_or(0.0) + region.waited_seconds->value();
    }
  }
  return sum;
}

}  // namespace

void add_notes(CountedNotes& to, const std::vector<Note>& from, unsigned rank) {
  std::set<std::string> seen;
  for (const Note& note : from) {
    if (seen.insert(note.code).second) {  // several of one code on a rank: the first speaks for all
      add_note(to, {note, 1, rank, false});
    }
  }
}

void add_notes(CountedNotes& to, const CountedNotes& from) {
  for (const CountedNote& counted : from) {
    add_note(to, counted);
  }
}

void take_totals(CountedNotes& notes, const Profile& profile) {
  const auto rewrite = [&](std::string_view code, const std::string& text) {
    const auto found = std::ranges::find(notes, code, code_of);
    if (found != notes.end() && !text.empty()) {
      found->note.text = text;
      found->differs = false;
      found->ranks = std::numeric_limits<unsigned>::max();  // it speaks of all
    }
  };
  rewrite("sampling", fmt::format("times are sampled on each rank; {} of the time in no region",
                                  percent_text(profile.time.unattributed_fraction)));
  const auto seconds = waited(profile);
  rewrite("machine-busy",
          seconds
              ? fmt::format("the machine was busy: the threads of all ranks waited {:.2g} s in "
                            "all for a CPU, so wall times are longer and rates lower than alone",
                            *seconds)
              : std::string());
}

std::vector<Note> finish_notes(CountedNotes notes, std::size_t ranks) {
  std::vector<Note> finished;
  for (CountedNote& counted : notes) {
    Note& note = counted.note;
    if (!stays_as_it_is(note) && counted.differs) {
      note.text += fmt::format(" (of rank {}, others differ)", counted.lowest);
    }
    if (!stays_as_it_is(note) && counted.ranks < ranks) {
      note.text += fmt::format(" (on {} of {} ranks)", counted.ranks, ranks);
    }
    finished.push_back(std::move(note));
  }
  return finished;
}

Note note_on_turns() {
  return {"ranks-oversubscribed",
          "more ranks ran on a machine than there were CPUs for them, so they took turns: roofs, "
          "gains and the bound of the network are left out; times, those in MPI too, include "
          "waiting for a CPU"};
}

std::vector<Note> rank_notes(const ParallelRun& run) {
  std::vector<Note> notes;
  const std::size_t chosen = run.measured + run.lost.size();
  notes.push_back(
      {"ranks-summed",
       fmt::format("figures are sums over {}; the time of a region is that of the rank that was "
                   "longest in it, so rates are those of all ranks at work at once",
                   counted(run.measured, "rank"))});
  if (chosen < run.ranks) {
    notes.push_back({"ranks-chosen",
                     fmt::format("{} of {} ranks were to be measured: sums, rates and shares of "
                                 "roofs are those of the measured ones",
                                 chosen, run.ranks)});
  }
  if (!run.lost.empty()) {
    notes.push_back(
        {"ranks-lost", fmt::format("lost: {} left no record, so the sums lack {}",
                                   run.lost.size() == 1 ? "rank " + number_list(run.lost)
                                                        : "ranks " + number_list(run.lost),
                                   run.lost.size() == 1 ? "it" : "them")});
  }
  if (run.oversubscribed) {
    notes.push_back(note_on_turns());
  }
  if (run.hosts.size() > 1) {
    notes.push_back(
        {"machines-summed",
         fmt::format("ranks ran on {} machines: the roofs are those of as many machines "
                     "like this one, taken together",
                     run.hosts.size())});
  }
  return notes;
}

std::string number_list(const std::vector<unsigned>& numbers) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) {
      ++end;
    }
    runs.push_back(end - i > 2 ? fmt::format("{} to {}", numbers[i], numbers[end - 1])
                               : fmt::format("{}", numbers[i]));
    i = end - i > 2 ? end : i + 1;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kRunsShown); ++i) {
    text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i];
  }
  return runs.size() > kRunsShown ? text + " and more" : text;
}

}  // namespace ridge::measure
