#include "measure/binary/stacks/callers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "measure/binary/profile/region_seconds.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::size_t kFewestStacks = 8;
constexpr double kMostOfThem = 0.5;
constexpr std::size_t kLongestWay = 32;

/// What lies outside of these is how a program or thread begins.
constexpr std::array<std::string_view, 1> kBeginsOfPrograms = {"main"};
constexpr std::array<std::string_view, 8> kBeginsOfThreads = {"start_thread",
                                                              "clone",
                                                              "clone3",
                                                              "__clone",
                                                              "__clone3",
                                                              "_start",
                                                              "__libc_start_main",
                                                              "__libc_start_call_main"};

std::string_view function_name(const ProgramCode& code, std::uint32_t region) {
  const CodeModule& module = module_of(code, region);
  return module.regions.regions[region - module.first_region].function;
}

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name.substr(0, name.find('@'))) != names.end();
}

/// Functions by which a stack came, without repetitions of one by itself, the called one first.
struct Way {
  std::uint32_t function;
  std::uint32_t region;
};
std::vector<Way> way_of(const ProgramCode& code, const RegionStack& stack) {
  std::vector<Way> way;
  for (const std::uint32_t region : stack) {
    const std::uint32_t function = function_of(code, region);
    if (way.empty() || way.back().function != function) {
      way.push_back({function, region});
    }
  }
  return way;
}

template <class Key>
std::pair<Key, std::size_t> most_frequent(const std::map<Key, std::size_t>& counts) {
  const auto found = std::ranges::max_element(
      counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  return *found;
}

std::vector<CallingRegion> main_way(std::vector<const std::vector<Way>*> ways) {
  std::vector<CallingRegion> callers;
  const auto total = static_cast<double>(ways.size());
  for (std::size_t depth = 1; depth <= kLongestWay; ++depth) {
    std::erase_if(ways, [&](const auto* way) { return way->size() <= depth; });
    if (ways.empty()) {
      break;
    }
    std::map<std::uint32_t, std::size_t> functions;
    for (const auto* way : ways) {
      ++functions[(*way)[depth].function];
    }
    const auto [function, count] = most_frequent(functions);
    if (static_cast<double>(count) < kMostOfThem * total) {
      break;
    }
    std::map<std::uint32_t, std::size_t> regions;
    std::erase_if(ways, [&](const auto* way) { return (*way)[depth].function != function; });
    for (const auto* way : ways) {
      ++regions[(*way)[depth].region];
    }
    callers.push_back({most_frequent(regions).first, static_cast<double>(count) / total});
  }
  return callers;
}

}  // namespace

std::uint32_t function_of(const ProgramCode& code, std::uint32_t region) {
  while (code.parents[region]) {
    region = *code.parents[region];
  }
  return region;
}

std::vector<RegionStack> region_stacks(const ProgramCode& code,
                                       std::span<const PlaceStack> stacks) {
  std::vector<RegionStack> found;
  for (const PlaceStack& places : stacks) {
    RegionStack& stack = found.emplace_back();
    for (const std::uint32_t place : places) {
      const std::uint32_t region = code.region_of_place[place];
      if (region == kNoRegion && stack.empty()) {
        break;  // who was called is not known
      }
      const std::string_view name = region != kNoRegion ? function_name(code, region) : "";
      if (!stack.empty() && is_one_of(kBeginsOfThreads, name)) {
        break;
      }
      if (region != kNoRegion) {
        stack.push_back(region);
      }
      if (is_one_of(kBeginsOfPrograms, name)) {
        break;
      }
    }
  }
  return found;
}

std::vector<std::vector<CallingRegion>> callers(const ProgramCode& code,
                                                std::span<const RegionStack> stacks) {
  std::vector<std::vector<Way>> ways;
  for (const RegionStack& stack : stacks) {
    ways.push_back(way_of(code, stack));
  }
  std::vector<std::vector<const std::vector<Way>*>> by_region(code.region_count);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    if (stacks[i].empty()) {
      continue;
    }
    for (std::optional<std::uint32_t> at = stacks[i].front(); at; at = code.parents[*at]) {
      by_region[*at].push_back(&ways[i]);
    }
  }
  std::vector<std::vector<CallingRegion>> found(code.region_count);
  for (std::size_t region = 0; region < by_region.size(); ++region) {
    if (by_region[region].size() >= kFewestStacks) {
      found[region] = main_way(std::move(by_region[region]));
    }
  }
  return found;
}

}  // namespace ridge::measure::binary
