#include <algorithm>
#include <map>

#include "serialize/profile.hpp"

namespace ridge::serialize {
namespace {

/// Characters that end a path inside a text.
bool ends_path(char c) {
  return std::string_view(" \t\n\"'()<>,;:=*").find(c) != std::string_view::npos;
}

/// "-I/home/me/include" and "@/tmp/list": options glued to a path.
bool may_precede_path(std::string_view before) {
  if (before.empty() || ends_path(before.back())) {
    return true;
  }
  const auto begin = std::find_if(before.rbegin(), before.rend(), ends_path).base();
  const std::string_view word = before.substr(static_cast<std::size_t>(begin - before.begin()));
  return word.front() == '-' || word.front() == '@' || word == "~" || word == "." || word == "..";
}

std::string_view last_component(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') {
    path.remove_suffix(1);
  }
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

/// Each path that starts at the root, at ~, or at . loses its directories. "flop/s" is no path.
std::string without_directories(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] != '/' || !may_precede_path(text.substr(0, at))) {
      out += text[at++];
      continue;
    }
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_path);
    const std::string_view path =
        text.substr(at, static_cast<std::size_t>(end - text.begin()) - at);
    while (!out.empty() && (out.back() == '.' || out.back() == '~')) {
      out.pop_back();
    }
    out += last_component(path);
    at += path.size();
  }
  return out;
}

void redact_text(std::string& text) {
  text = without_directories(text);
}

void redact_names(std::map<std::string, std::uint64_t>& counts) {
  std::map<std::string, std::uint64_t> redacted;
  for (const auto& [name, count] : counts) {
    redacted[without_directories(name)] += count;
  }
  counts = std::move(redacted);
}

void redact_notes(std::vector<Note>& notes) {
  for (Note& note : notes) {
    redact_text(note.text);
  }
}

void redact_region(Region& region) {
  redact_text(region.name);
  redact_text(region.function);
  if (region.file) {
    region.file = std::string(last_component(*region.file));
  }
  for (LineWork& line : region.lines) {
    if (line.file) {
      line.file = std::string(last_component(*line.file));
    }
  }
  if (region.not_vectorised) {
    redact_text(*region.not_vectorised);
  }
  redact_names(region.calls);
  redact_names(region.opaque);
  redact_notes(region.notes);
}

}  // namespace

Profile redact(Profile profile) {
  profile.program.argv.clear();
  if (profile.program.compiler) {
    redact_text(*profile.program.compiler);
  }
  profile.machine.host.reset();
  for (Process& process : profile.processes) {
    process.argv.clear();
    process.host.clear();
  }
  if (profile.parallel) {
    for (RankHost& host : profile.parallel->hosts) {
      host.name.clear();
    }
  }
  for (Region& region : profile.regions) {
    redact_region(region);
  }
  for (Import& import : profile.imports) {
    redact_text(import.file);
  }
  redact_notes(profile.notes);
  return profile;
}

}  // namespace ridge::serialize
