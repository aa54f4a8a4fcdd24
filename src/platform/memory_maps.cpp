#include "platform/memory_maps.hpp"

#include <charconv>
#include <utility>

#include "platform/process_files.hpp"

namespace ridge::platform {
namespace {

std::string_view next_word(std::string_view& rest) {
  const auto begin = rest.find_first_not_of(' ');
  rest.remove_prefix(begin == std::string_view::npos ? rest.size() : begin);
  const auto word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> hexadecimal(std::string_view word) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
  return error == std::errc() && stop == word.data() + word.size() ? std::optional(value)
                                                                   : std::nullopt;
}

/// The kernel writes a line feed in a path as \012.
std::string without_escapes(std::string_view text) {
  constexpr std::string_view kLineFeed = "\\012";
  std::string plain;
  for (auto at = text.find(kLineFeed); at != std::string_view::npos; at = text.find(kLineFeed)) {
    plain += text.substr(0, at);
    plain += '\n';
    text.remove_prefix(at + kLineFeed.size());
  }
  plain += text;
  return plain;
}

/// nullopt: no mapping, or none that can be executed.
std::optional<CodeMapping> parse_line(std::string_view line, pid_t pid) {
  const auto range = next_word(line);
  const auto dash = range.find('-');
  const auto rights = next_word(line);
  const auto offset = hexadecimal(next_word(line));
  if (dash == std::string_view::npos || rights.size() < 4 || rights[2] != 'x' || !offset) {
    return std::nullopt;
  }
  const auto begin = hexadecimal(range.substr(0, dash));
  const auto end = hexadecimal(range.substr(dash + 1));
  (void)next_word(line);  // device
  const auto inode = next_word(line);
  if (!begin || !end || *begin >= *end || inode.empty()) {
    return std::nullopt;
  }
  const auto name = line.find_first_not_of(' ');
  const auto path = name == std::string_view::npos ? std::string_view() : line.substr(name);
  return CodeMapping{pid, *begin, *end, *offset, without_escapes(path_of_mapping(path))};
}

}  // namespace

std::string_view path_of_mapping(std::string_view name) {
  const bool is_path = name.starts_with('/') && !name.starts_with("//");  // "//anon"
  return is_path || name == "[vdso]" ? name : std::string_view();
}

std::vector<CodeMapping> parse_memory_maps(std::string_view text, pid_t pid) {
  std::vector<CodeMapping> all;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (auto mapping = parse_line(line, pid)) {
      all.push_back(std::move(*mapping));
    }
  }
  return all;
}

std::optional<std::vector<CodeMapping>> read_memory_maps(pid_t pid) {
  const auto text = read_process_file(pid, "maps");
  if (!text || text->empty()) {
    return std::nullopt;
  }
  return parse_memory_maps(*text, pid);
}

/// Cuts off what lies between the two addresses.
void AddressSpaces::make_room(Space& space, std::uint64_t begin, std::uint64_t end) {
  auto at = space.upper_bound(begin);
  if (at != space.begin()) {
    const auto before = std::prev(at);
    Region& left = before->second;
    if (left.end > end) {
      const std::uint64_t cut = end - before->first;
      space.emplace(end, Region{left.end, left.file_offset + cut, left.path, kNoMapping});
    }
    if (before->first == begin) {
      space.erase(before);
    } else if (left.end > begin) {
      left.end = begin;
      left.index = kNoMapping;
    }
  }
  for (at = space.lower_bound(begin); at != space.end() && at->first < end;) {
    Region region = at->second;
    const std::uint64_t from = at->first;
    at = space.erase(at);
    if (region.end > end) {
      region.file_offset += end - from;
      region.index = kNoMapping;
      space.emplace(end, std::move(region));
      return;
    }
  }
}

void AddressSpaces::map(const CodeMapping& mapping) {
  if (mapping.begin >= mapping.end) {
    return;
  }
  Space& space = spaces_[mapping.pid];
  const auto same = space.find(mapping.begin);
  if (same != space.end() && same->second.end == mapping.end &&
      same->second.file_offset == mapping.file_offset && *same->second.path == mapping.path) {
    return;
  }
  make_room(space, mapping.begin, mapping.end);
  space[mapping.begin] = {mapping.end, mapping.file_offset,
                          std::make_shared<const std::string>(mapping.path), kNoMapping};
}

void AddressSpaces::replace(pid_t pid, const std::vector<CodeMapping>& all) {
  Space before = std::exchange(spaces_[pid], {});
  for (const CodeMapping& mapping : all) {
    map(mapping);
  }
  // What has not changed keeps its index, so that mappings() does not grow with every look.
  for (auto& [begin, region] : spaces_[pid]) {
    const auto old = before.find(begin);
    if (old != before.end() && old->second.end == region.end &&
        old->second.file_offset == region.file_offset && *old->second.path == *region.path) {
      region.index = old->second.index;
    }
  }
}

void AddressSpaces::fork(pid_t parent, pid_t child) {
  const auto found = spaces_.find(parent);
  if (parent == child || found == spaces_.end()) {
    return;
  }
  Space copy = found->second;
  for (auto& [begin, region] : copy) {
    region.index = kNoMapping;  // a mapping is of one process
  }
  spaces_[child] = std::move(copy);
}

void AddressSpaces::forget(pid_t pid) {
  spaces_.erase(pid);
}

std::uint32_t AddressSpaces::find(pid_t pid, std::uint64_t address) {
  const auto space = spaces_.find(pid);
  if (space == spaces_.end()) {
    return kNoMapping;
  }
  const auto behind = space->second.upper_bound(address);
  if (behind == space->second.begin()) {
    return kNoMapping;
  }
  const auto at = std::prev(behind);
  Region& region = at->second;
  if (address >= region.end) {
    return kNoMapping;
  }
  if (region.index == kNoMapping) {
    region.index = static_cast<std::uint32_t>(found_.size());
    found_.push_back({pid, at->first, region.end, region.file_offset, *region.path});
  }
  return region.index;
}

}  // namespace ridge::platform
