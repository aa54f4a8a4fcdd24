#include "measure/binary/code/region_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::measure::binary {

std::uint32_t RegionTable::find_or_make(const std::string& identity, RegionKind kind) {
  const auto [entry, is_new] =
      by_identity_.try_emplace(identity, static_cast<std::uint32_t>(drafts_.size()));
  if (is_new) {
    Draft& draft = drafts_.emplace_back();
    draft.region.kind = kind;
    draft.region.identity = identity;
  }
  return entry->second;
}

std::uint32_t RegionTable::function(const std::string& key) {
  return find_or_make(key, RegionKind::function);
}

std::uint32_t RegionTable::wait(const RuntimeWait& wait) {
  const std::uint32_t region = find_or_make(wait.name, RegionKind::library);
  at(region).wait = wait.kind;
  at(region).name = wait.name;
  at(region).function = wait.name;
  return region;
}

std::uint32_t RegionTable::other(const std::string& name) {
  const std::uint32_t region = find_or_make(name, RegionKind::library);
  at(region).name = name;
  at(region).function = name;
  return region;
}

std::uint32_t RegionTable::loop(std::uint32_t function, std::uint32_t parent,
                                const std::string& place) {
  unsigned around = 0;
  for (std::optional<std::uint32_t> at = parent; at; at = drafts_[*at].region.parent) {
    around += drafts_[*at].place == place ? 1 : 0;
  }
  std::string identity = fmt::format("{}\x1f{}", drafts_[function].region.identity, place);
  if (around != 0) {
    identity += fmt::format("\x1f{}", around);
  }
  const std::uint32_t region = find_or_make(identity, RegionKind::loop);
  Draft& draft = drafts_[region];
  draft.place = place;
  // A copy outside the loop that encloses it (the first iteration, peeled off) tells less.
  if (!is_within(parent, region) &&
      (!draft.region.parent || depth(parent) > depth(*draft.region.parent))) {
    draft.region.parent = parent;
  }
  return region;
}

bool RegionTable::is_within(std::uint32_t region, std::uint32_t other) const {
  std::optional<std::uint32_t> at = region;
  while (at && *at != other) {
    at = drafts_[*at].region.parent;
  }
  return at.has_value();
}

unsigned RegionTable::depth(std::uint32_t region) const {
  unsigned depth = 0;
  for (std::optional<std::uint32_t> at = region; at; at = drafts_[*at].region.parent) {
    ++depth;
  }
  return depth;
}

void RegionTable::set_symbol(std::uint32_t region, std::string symbol) {
  by_symbol_.try_emplace(std::move(symbol), region);
}

void RegionTable::set_outlined(std::uint32_t region, std::string symbol) {
  outlined_.emplace_back(region, std::move(symbol));
}

void RegionTable::place_outlined() {
  std::unordered_map<std::uint32_t, std::string> renamed;
  for (const auto& [region, symbol] : outlined_) {
    const auto starter = by_symbol_.find(symbol);
    if (starter != by_symbol_.end() && !is_within(starter->second, region)) {
      ModuleRegion& body = at(region);
      body.parent = starter->second;
      renamed[region] = body.name;
      body.name = at(starter->second).name;
    }
  }
  // Loops that are the body's own follow its name.
  for (Draft& draft : drafts_) {
    for (auto above = draft.region.parent; above; above = drafts_[*above].region.parent) {
      const auto old = renamed.find(*above);
      if (draft.region.kind == RegionKind::loop && old != renamed.end() &&
          draft.region.function == old->second) {
        const std::string& name = drafts_[*above].region.name;
        draft.region.name.replace(0, old->second.size(), name);
        draft.region.function = name;
        break;
      }
    }
  }
  for (const auto& [region, name] : renamed) {
    at(region).function = at(region).name;
  }
}

void RegionTable::keep(Result<machine_code::Function> function) {
  if (function) {
    functions_.push_back(std::move(*function));
  }
}

void RegionTable::own(machine_code::AddressRange code, std::uint32_t region) {
  if (code.begin >= code.end) {
    return;
  }
  owners_.push_back({code, region});
}

std::vector<std::uint32_t> RegionTable::parents_first() const {
  std::vector<std::vector<std::uint32_t>> children(drafts_.size());
  std::vector<std::uint32_t> open;
  for (auto i = static_cast<std::uint32_t>(drafts_.size()); i-- > 0;) {
    const auto parent = drafts_[i].region.parent;
    (parent ? children[*parent] : open).push_back(i);
  }
  std::vector<std::uint32_t> order;
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    order.push_back(next);
    open.insert(open.end(), children[next].begin(), children[next].end());
  }
  return order;
}

ModuleRegions RegionTable::finish() && {
  ModuleRegions result;
  std::vector<std::uint32_t> place(drafts_.size());
  for (const std::uint32_t old : parents_first()) {
    place[old] = static_cast<std::uint32_t>(result.regions.size());
    ModuleRegion& region = result.regions.emplace_back(std::move(drafts_[old].region));
    if (region.parent) {
      region.parent = place[*region.parent];
    }
    std::ranges::sort(region.entries);
  }
  std::ranges::sort(owners_, {}, [](const auto& owner) { return owner.range.begin; });
  for (const auto& owner : owners_) {
    const std::uint32_t region = place[owner.region];
    auto& owners = result.owners;
    if (!owners.empty() && owners.back().region == region &&
        owners.back().range.end == owner.range.begin) {
      owners.back().range.end = owner.range.end;
    } else {
      owners.push_back({owner.range, region});
    }
  }
  for (const auto& owner : result.owners) {
    result.regions[owner.region].ranges.push_back(owner.range);
  }
  result.functions = std::move(functions_);
  return result;
}

}  // namespace ridge::measure::binary
