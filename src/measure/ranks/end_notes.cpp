#include "measure/ranks/end_notes.hpp"

#include <algorithm>
#include <csignal>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "measure/ranks/rank_notes.hpp"

namespace ridge::measure {
namespace {

std::string ranks_words(const std::vector<unsigned>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + number_list(ranks);
}

std::optional<Note> killed_note(std::span<const RankEnd> ends) {
  std::map<std::pair<bool, int>, std::vector<unsigned>> by_signal;  // telling ones first
  for (const RankEnd& end : ends) {
    if (end.signal) {
      by_signal[{!is_telling(*end.signal), *end.signal}].push_back(end.rank);
    }
  }
  std::string text;
  for (const auto& [signal, ranks] : by_signal) {
    text += fmt::format("{}{} {}by signal {}", text.empty() ? "" : ", ", ranks_words(ranks),
                        !text.empty()       ? ""
                        : ranks.size() == 1 ? "was killed "
                                            : "were killed ",
                        signal.second);
  }
  return text.empty() ? std::nullopt : std::optional(Note{"ranks-killed", text});
}

std::optional<Note> cut_note(std::span<const RankEnd> ends) {
  std::vector<unsigned> ranks;
  for (const RankEnd& end : ends) {
    if (end.is_snapshot) {
      ranks.push_back(end.rank);
    }
  }
  if (ranks.empty()) {
    return std::nullopt;
  }
  return Note{"rank-cut-short",
              fmt::format("the record of {} was written while the program ran: figures are those "
                          "up to then",
                          ranks_words(ranks))};
}

}  // namespace

bool is_telling(int signal) {
  return signal != SIGTERM && signal != SIGINT && signal != SIGHUP;
}

std::vector<Note> end_notes(std::span<const RankEnd> ends) {
  std::vector<Note> notes;
  for (auto& note : {killed_note(ends), cut_note(ends)}) {
    if (note) {
      notes.push_back(*note);
    }
  }
  return notes;
}

}  // namespace ridge::measure
