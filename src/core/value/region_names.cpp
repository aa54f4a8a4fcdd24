#include "core/value/region_names.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace ridge {
namespace {

/// Pieces of a name: text outside of angle brackets, and the arguments of the outermost ones.
struct Pieces {
  std::vector<std::string> texts;                   ///< one more than lists
  std::vector<std::vector<std::string>> arguments;  ///< one for each pair of brackets
};

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Of a name without operators: their brackets are no lists.
Pieces pieces_of(std::string_view name) {
  Pieces pieces;
  pieces.texts.emplace_back();
  int depth = 0;
  for (const char c : name) {
    const int before = depth;
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    const bool is_outside = before == 0 || (before == 1 && depth == 0 && c != '>');
    const bool in_parentheses = depth != 0 && pieces.arguments.size() < pieces.texts.size();
    if (before == 0 && c == '<') {
      pieces.arguments.push_back({""});
    } else if (is_outside || in_parentheses) {
      pieces.texts.back() += c;
    } else if (depth == 0) {
      pieces.texts.emplace_back();
    } else if (depth == 1 && c == ',') {
      pieces.arguments.back().emplace_back();
    } else {
      pieces.arguments.back().back() += c;
    }
  }
  return pieces;
}

std::string without_anonymous(std::string name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (auto at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous)) {
    name.erase(at, kAnonymous.size());
  }
  return name;
}

bool is_differing(const std::vector<Pieces>& all, std::size_t list, std::size_t argument) {
  return std::any_of(all.begin(), all.end(), [&](const Pieces& other) {
    return other.arguments[list].size() <= argument ||
           other.arguments[list][argument] != all.front().arguments[list][argument];
  });
}

/// With the arguments that differ from those of any other of `all`; lists in which none does: left
/// out.
std::string with_differing(const Pieces& own, const std::vector<Pieces>& all) {
  std::string name = own.texts.front();
  for (std::size_t list = 0; list < own.arguments.size(); ++list) {
    std::string arguments;
    bool differs = false;
    for (std::size_t i = 0; i < own.arguments[list].size(); ++i) {
      const bool tells = i >= all.front().arguments[list].size() || is_differing(all, list, i);
      differs = differs || tells;
      arguments += (i > 0 ? ", " : "") + (tells ? trimmed(own.arguments[list][i]) : "..");
    }
    name += (differs ? "<" + arguments + ">" : "") + own.texts[list + 1];
  }
  return name;
}

/// Functions of one brief name, told apart.
std::map<std::string, std::string> told_apart(const std::set<std::string>& names) {
  std::vector<Pieces> all;
  for (const std::string& name : names) {
    all.push_back(pieces_of(without_anonymous(name)));
  }
  const bool comparable = std::all_of(all.begin(), all.end(), [&](const Pieces& pieces) {
    return pieces.texts.size() == pieces.arguments.size() + 1 &&
           pieces.arguments.size() == all.front().arguments.size();
  });
  std::map<std::string, std::string> told;
  std::set<std::string> short_names;
  std::size_t i = 0;
  for (const std::string& name : names) {
    const bool has_operator = name.find("operator") != std::string::npos;
    told[name] = comparable && !has_operator ? with_differing(all[i], all) : name;
    short_names.insert(told[name]);
    ++i;
  }
  if (short_names.size() < names.size()) {
    for (auto& [name, short_name] : told) {
      short_name = name;
    }
  }
  return told;
}

std::string file_name(const Region& region) {
  return region.file ? region.file->substr(region.file->find_last_of('/') + 1) : std::string();
}

/// Without the place that names of unnamed functions end with.
std::string_view whole_name(const Region& region) {
  const std::string_view name = region.name.empty() ? region.function : region.name;
  const std::string file = file_name(region);
  const auto place = file.empty() ? std::string_view::npos : name.rfind(" " + file + ":");
  const bool is_place =
      place != std::string_view::npos && place > 0 &&
      name.find_first_not_of("0123456789:", place + file.size() + 2) == std::string_view::npos;
  return is_place ? name.substr(0, place) : name;
}

}  // namespace

bool is_waiting(const Region& region) {
  return region.wait || region.name == "omp wait";  // the name alone in older files
}

std::string waiting_name(const Region& region) {
  return region.wait || region.function.empty()
             ? region.name
             : (region.threads > 1 ? "waits in " : "waits at the end of ") + region.function;
}

std::string name_with_place(std::string_view name, const Region& region) {
  std::string text(name);
  const std::string file = file_name(region);
  return file.empty()
             ? text
             : text + " (" + file + (region.line ? ":" + std::to_string(*region.line) : "") + ")";
}

std::map<std::uint32_t, std::string> distinct_names(const std::vector<const Region*>& regions) {
  std::map<std::string, std::set<std::string>> by_brief;
  std::map<std::uint32_t, std::pair<std::string, std::string>> names;  // whole, brief
  for (const Region* region : regions) {
    const std::string whole =
        is_waiting(*region) ? waiting_name(*region) : std::string(whole_name(*region));
    const std::string brief = brief_name(whole);
    by_brief[brief].insert(whole);
    names[region->id] = {whole, brief};
  }
  std::map<std::string, std::string> told;
  for (const auto& [brief, wholes] : by_brief) {
    if (wholes.size() > 1) {
      told.merge(told_apart(wholes));
    }
  }
  std::map<std::uint32_t, std::string> result;
  for (const auto& [id, name] : names) {
    const auto found = told.find(name.first);
    result[id] = found != told.end()   ? found->second
                 : name.second.empty() ? name.first
                                       : name.second;
  }
  return result;
}

}  // namespace ridge
