#include "render/chart/names.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "core/value/region_names.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string compute_words(std::string_view isa, std::string_view operation,
                          std::string_view precision) {
  std::string words = fmt::format("{} {}", isa, upper(operation));
  if (precision != "fp64") {
    words += fmt::format(" {}", precision);
  }
  return words;
}

std::string bandwidth_words(std::string_view level, std::string_view pattern) {
  return fmt::format("{} bandwidth ({})", level, pattern);
}

std::string_view file_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// "file:line", and the column where the region's name needs it to differ from its neighbour's.
std::string with_line(std::string_view file, const Region& region) {
  if (!region.line) {
    return std::string(file);
  }
  const std::string place = fmt::format("{}:{}", file, *region.line);
  const std::string column = region.column ? fmt::format(":{}", *region.column) : std::string();
  const bool named =
      !column.empty() && region.name.ends_with(fmt::format(":{}{}", *region.line, column));
  return named ? place + column : place;
}

/// Ends of the outermost namespaces and classes of a name, "::" included.
std::vector<std::size_t> scope_ends(std::string_view name) {
  std::vector<std::size_t> ends;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    depth += name[i] == '<' || name[i] == '(' ? 1 : name[i] == '>' || name[i] == ')' ? -1 : 0;
    if (depth == 0 && name[i] == ':' && name[i + 1] == ':') {
      ends.push_back(i + 2);
    }
  }
  return ends;
}

/// Length of the words before the name itself, which has no blank outside of brackets.
std::size_t words_before(std::string_view name) {
  std::size_t length = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' || name[i] == '(' ? 1 : name[i] == '>' || name[i] == ')' ? -1 : 0;
    length = depth == 0 && name[i] == ' ' && i + 1 < name.size() ? i + 1 : length;
  }
  return length;
}

std::string quoted(const std::string& argument) {
  const bool plain =
      !argument.empty() && argument.find_first_of(" \t\n'\"\\$`*?;&|<>()") == std::string::npos;
  if (plain) {
    return argument;
  }
  std::string out = "'";
  for (const char c : argument) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

}  // namespace

std::string_view isa_words(Isa isa) {
  return properties_of(isa).name;
}

std::string ceiling_words(std::string_view id, bool unicode) {
  const std::vector<std::string> parts = split(id, '.');
  if (parts.size() >= 4 && parts[0] == "compute") {
    const auto isa = parse_isa(parts[2]);
    return clean(compute_words(isa ? isa_words(*isa) : parts[2], parts[3], parts[1]), unicode);
  }
  if (parts.size() >= 3 && parts[0] == "bandwidth") {
    return clean(bandwidth_words(parts[1], parts[2]), unicode);
  }
  return clean(id, unicode);
}

std::string brief_ceiling_words(std::string_view id, bool unicode) {
  const std::vector<std::string> parts = split(id, '.');
  return parts.size() >= 3 && parts[0] == "bandwidth"
             ? clean(fmt::format("{} {}", parts[1], parts[2]), unicode)
             : ceiling_words(id, unicode);
}

std::string ceiling_words(const Ceiling& ceiling) {
  if (ceiling.kind == CeilingKind::compute && ceiling.isa && ceiling.operation) {
    return compute_words(isa_words(*ceiling.isa), to_string(*ceiling.operation),
                         ceiling.precision.value_or("fp64"));
  }
  if (ceiling.kind == CeilingKind::bandwidth && ceiling.level && ceiling.pattern) {
    return bandwidth_words(to_string(*ceiling.level), to_string(*ceiling.pattern));
  }
  return ceiling_words(ceiling.id);
}

std::string plain_name(const Region& region) {
  if (is_waiting(region)) {
    return waiting_name(region);
  }
  std::string name = region.name.empty() ? region.function : region.name;
  if (!region.file) {
    return name;
  }
  const std::string place = fmt::format(" {}", with_line(file_name(*region.file), region));
  return name.size() > place.size() && name.ends_with(place)
             ? name.substr(0, name.size() - place.size())
             : name;
}

std::string source_location(const Region& region) {
  return region.file ? with_line(*region.file, region) : std::string();
}

std::string fitted_name(std::string_view name, std::size_t width, bool unicode) {
  if (display_width(name) <= width) {
    return std::string(name);
  }
  const std::string_view ellipsis = unicode ? "\xE2\x80\xA6" : "...";
  // "run" tells less than the begin of the class before it.
  constexpr std::size_t kTooShort = 3;
  // "waits in a::b": only of what follows the words.
  const std::string words(name.substr(0, words_before(name)));
  const std::string start = words + std::string(ellipsis);
  name.remove_prefix(words.size());
  std::string_view last = name;
  for (const std::size_t end : scope_ends(name)) {
    const std::string_view wider = last;
    last = name.substr(end);
    const bool tells = last.size() > kTooShort || wider.size() == name.size();
    if (display_width(start) + display_width(last) <= width) {
      return tells ? start + std::string(last)
                   : shorten_end(start + std::string(wider), width, unicode);
    }
  }
  return shorten_end(words + std::string(last), width, unicode);
}

std::string where(const Region& region, std::string_view raw_name, std::size_t width,
                  bool unicode) {
  const std::string name = clean(raw_name, unicode);
  const auto fitted = [&](std::size_t room) {
    const bool waits = is_waiting(region) && display_width(name) > room;
    return fitted_name(waits ? "wait " + name.substr(words_before(name)) : name, room, unicode);
  };
  if (!region.file) {
    return fitted(width);
  }
  const std::string full = clean(source_location(region), unicode);
  const std::string brief = clean(with_line(file_name(*region.file), region), unicode);
  for (const std::string& location : {full, brief}) {
    std::string whole = fmt::format("{} {}", name, location);
    if (display_width(whole) <= width) {
      return whole;
    }
  }
  const std::string line = region.line ? fmt::format(":{}", *region.line) : std::string();
  const std::size_t room = width > line.size() ? width - line.size() : 0;
  return fitted(room) + line;
}

std::string where(const Region& region, std::size_t width, bool unicode) {
  const std::string whole_name = clean(plain_name(region), unicode);
  const std::string brief_words = clean(brief_name(plain_name(region)), unicode);
  const bool is_whole = display_width(whole_name) <= width / 2 || brief_words.empty();
  return where(region, is_whole ? whole_name : brief_words, width, unicode);
}

std::string command_line(const std::vector<std::string>& argv, bool unicode) {
  std::string line;
  for (const std::string& argument : argv) {
    line += line.empty() ? "" : " ";
    line += quoted(argument);
  }
  return clean(line, unicode);
}

std::string program_name(const Profile& profile, bool unicode) {
  const auto& argv = profile.program.argv;
  const std::string name = argv.empty() ? "" : clean(file_name(argv.front()), unicode);
  return name.empty() ? "program" : name;
}

}  // namespace ridge::render
