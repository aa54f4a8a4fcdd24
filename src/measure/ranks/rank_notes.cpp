#include "measure/ranks/rank_notes.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/quantity/words.hpp"

namespace ridge::measure {
namespace {

constexpr std::size_t kRunsShown = 8;

void add_note(CountedNotes& to, const Note& note, unsigned ranks) {
  const auto found =
      std::ranges::find(to, note.code, [](const auto& entry) { return entry.first.code; });
  if (found == to.end()) {
    to.emplace_back(note, ranks);
  } else {
    found->second += ranks;
  }
}

}  // namespace

void add_notes(CountedNotes& to, const std::vector<Note>& from) {
  std::set<std::string> seen;
  for (const Note& note : from) {
    if (seen.insert(note.code).second) {  // several of one code on a rank: the first speaks for all
      add_note(to, note, 1);
    }
  }
}

void add_notes(CountedNotes& to, const CountedNotes& from) {
  for (const auto& [note, ranks] : from) {
    add_note(to, note, ranks);
  }
}

std::vector<Note> finish_notes(CountedNotes notes, std::size_t ranks) {
  std::vector<Note> finished;
  for (auto& [note, on] : notes) {
    if (on < ranks) {
      note.text += fmt::format(" (on {} of {} ranks)", on, ranks);
    }
    finished.push_back(std::move(note));
  }
  return finished;
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
    notes.push_back({"ranks-oversubscribed",
                     "more ranks ran on a machine than there were CPUs for them, so they took "
                     "turns: roofs, gains and the bound of the network are left out; times, those "
                     "in MPI too, include waiting for a CPU"});
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
