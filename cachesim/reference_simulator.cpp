#include "cachesim/reference_simulator.hpp"

#include <algorithm>

namespace ridge::cachesim_reference {

Line* Cache::peek(std::uint64_t number) {
  for (Line& line : set_of(number)) {
    if (line.number == number) {
      return &line;
    }
  }
  return nullptr;
}

Line* Cache::use(std::uint64_t number) {
  std::list<Line>& set = set_of(number);
  for (auto line = set.begin(); line != set.end(); ++line) {
    if (line->number == number) {
      set.splice(set.begin(), set, line);
      return &set.front();
    }
  }
  return nullptr;
}

std::list<Line> Cache::put(const Line& line) {
  std::list<Line>& set = set_of(line.number);
  set.push_front(line);
  std::list<Line> displaced;
  if (set.size() > ways_) {
    displaced.splice(displaced.begin(), set, std::prev(set.end()));
  }
  return displaced;
}

void Cache::drop(std::uint64_t number) {
  set_of(number).remove_if([number](const Line& line) { return line.number == number; });
}

Simulator::Simulator(const ridge_cache_config& config)
    : config_(config), levels_(config.level_count), line_bytes_(config.levels[0].line_bytes) {
  for (std::uint32_t level = 0; level < levels_; ++level) {
    const ridge_cache_level& from = config.levels[level];
    const std::uint64_t sets = from.size_bytes / from.ways / from.line_bytes;
    caches_.emplace_back(config.core_count, Cache(sets, from.ways));
  }
}

Cache& Simulator::cache(std::uint32_t level, std::uint32_t core) {
  return caches_[level][core / config_.levels[level].cores_per_cache];
}
bool Simulator::same_cache(std::uint32_t level, std::uint32_t a, std::uint32_t b) const {
  const std::uint32_t cores = config_.levels[level].cores_per_cache;
  return a / cores == b / cores;
}
bool Simulator::victim(std::uint32_t level) const {
  return level > 0 && level < levels_ && config_.levels[level].policy == RIDGE_VICTIM;
}
bool Simulator::allocates(std::uint32_t level) const {
  return config_.levels[level].write_allocate != 0 && !victim(level);
}

void Simulator::access(const Access& access) {
  ++traffic_[access.region].accesses;
  const std::uint64_t end = access.address + access.bytes;
  for (std::uint64_t at = access.address; at < end;) {
    const std::uint64_t line = at / line_bytes_;
    const std::uint64_t next = std::min(end, (line + 1) * line_bytes_);
    const Piece piece{line, next - at, &access};
    touch(piece);
    if (access.write && access.non_temporal) {
      bypass(piece);
    } else if (access.write) {
      store(piece);
    } else {
      load(piece);
    }
    at = next;
  }
}

void Simulator::touch(const Piece& piece) {
  const Access& access = *piece.access;
  Traffic& traffic = traffic_[access.region];
  const bool reads = !access.write || (!access.non_temporal && allocates(0));
  if (reads && touched_.insert({access.region, piece.line}).second) {
    traffic.least.read += line_bytes_;
  }
  if (access.write && dirtied_.insert({access.region, piece.line}).second) {
    traffic.least.written += line_bytes_;
  }
}

void Simulator::load(const Piece& piece) {
  const Access& access = *piece.access;
  if (Line* line = cache(0, access.core).use(piece.line)) {
    line->user = access.region;
    return;
  }
  Supply supply;
  fill(piece, 0, supply, false);
}

void Simulator::store(const Piece& piece) {
  const Access& access = *piece.access;
  Cache& first = cache(0, access.core);
  Line* line = allocates(0) ? first.use(piece.line) : first.peek(piece.line);
  Supply supply;
  supply.all_asked = true;
  take_back(piece.line, access.core, true, std::nullopt, supply);
  if (line != nullptr) {
    line->dirty = true;
    line->carried = false;
    line->owner = access.region;
    line->user = allocates(0) ? access.region : line->user;
  } else if (allocates(0)) {
    fill(piece, 0, supply, true);
  } else {
    if (supply.dirty) {
      arrive(*supply.dirty, supply.dirty_level, access.core);
      supply.dirty.reset();
    }
    store_past(piece, 0, supply);
  }
}

// The store missed `level`, which does not allocate.
void Simulator::store_past(const Piece& piece, std::uint32_t level, Supply& supply) {
  const Access& access = *piece.access;
  traffic_[access.region].crossed[level].written += piece.bytes;
  if (++level == levels_) {
    return;
  }
  Cache& here = cache(level, access.core);
  if (Line* line = allocates(level) ? here.use(piece.line) : here.peek(piece.line)) {
    line->dirty = true;
    line->carried = false;
    line->owner = line->user = access.region;
  } else if (allocates(level)) {
    fill(piece, level, supply, true);
  } else {
    store_past(piece, level, supply);
  }
}

void Simulator::bypass(const Piece& piece) {
  const Access& access = *piece.access;
  Supply supply;
  take_back(piece.line, access.core, true, std::nullopt, supply);
  bool dirty = false;
  std::uint32_t owner = 0;
  for (std::uint32_t level = 0; level < levels_; ++level) {
    if (supply.dirty && supply.dirty_level == level) {
      dirty = true;
      owner = supply.dirty->owner;
    }
    if (const Line* line = cache(level, access.core).peek(piece.line)) {
      owner = line->dirty && !dirty ? line->owner : owner;
      dirty = dirty || line->dirty;
      cache(level, access.core).drop(piece.line);
    }
    if (dirty) {
      traffic_[owner].crossed[level].written += line_bytes_;
    }
  }
  traffic_[access.region].crossed[levels_ - 1].written += piece.bytes;
}

void Simulator::fill(const Piece& piece, std::uint32_t level, Supply& supply, bool make_dirty) {
  const Access& access = *piece.access;
  Line line = obtain(piece, level + 1, supply);
  if (make_dirty) {
    line.dirty = true;
    line.carried = false;
    line.owner = access.region;
  }
  for (const Line& displaced : cache(level, access.core).put(line)) {
    leave(displaced, level, access.core);
  }
}

Line Simulator::obtain(const Piece& piece, std::uint32_t level, Supply& supply) {
  const Access& access = *piece.access;
  Line clean{piece.line, false, access.region, access.region};
  traffic_[access.region].crossed[level - 1].read += line_bytes_;
  if (!supply.all_asked) {
    take_back(piece.line, access.core, false, level, supply);
    if (level + 1 == levels_) {  // who shares not even the last level is asked there as well
      take_back(piece.line, access.core, false, levels_, supply);
    }
  }
  if (level == levels_) {
    return clean;
  }
  Cache& here = cache(level, access.core);
  Line* line = here.use(piece.line);
  if (victim(level)) {
    Line up = clean;
    if (line == nullptr && supply.levels.count(level) == 0) {
      up = obtain(piece, level + 1, supply);
    }
    if (line != nullptr && line->dirty) {
      up.dirty = true;
      up.owner = line->owner;
    }
    if (supply.dirty && supply.dirty_level == level) {
      up.dirty = true;
      up.owner = supply.dirty->owner;
    }
    here.drop(piece.line);
    up.carried = up.dirty;
    return up;
  }
  if (line != nullptr) {
    line->user = access.region;
    return clean;
  }
  for (const Line& displaced : here.put(obtain(piece, level + 1, supply))) {
    leave(displaced, level, access.core);
  }
  return clean;
}

// `line` was displaced from cache `level`.
void Simulator::leave(const Line& displaced, std::uint32_t level, std::uint32_t core) {
  Line line = displaced;
  if (level > 0 && config_.levels[level].policy == RIDGE_INCLUSIVE) {
    bool dirty = false;
    for (std::uint32_t above = 0; above < level; ++above) {
      for (std::uint32_t other = 0; other < config_.core_count; ++other) {
        Line* copy =
            same_cache(level, core, other) ? cache(above, other).peek(line.number) : nullptr;
        if (copy == nullptr) {
          continue;
        }
        if (copy->dirty && !dirty) {
          dirty = line.dirty = true;
          line.carried = false;
          line.owner = copy->owner;
        }
        cache(above, other).drop(line.number);
      }
      if (dirty) {
        traffic_[line.owner].crossed[above].written += line_bytes_;
      }
    }
  }
  if (line.dirty || victim(level + 1)) {
    const bool written_here = line.dirty && !line.carried;
    traffic_[written_here ? line.owner : line.user].crossed[level].written += line_bytes_;
    arrive(line, level + 1, core);
  }
}

// A write-back, or a clean line for a victim cache, reaches `level`.
void Simulator::arrive(const Line& arriving, std::uint32_t level, std::uint32_t core) {
  if (level == levels_) {
    return;
  }
  Line line = arriving;
  line.user = line.dirty ? line.owner : line.user;
  line.carried = false;
  Cache& here = cache(level, core);
  const bool takes = victim(level) || allocates(level);
  if (Line* present = takes ? here.use(line.number) : here.peek(line.number)) {
    *present = line.dirty ? line : *present;
  } else if (takes) {
    for (const Line& displaced : here.put(line)) {
      leave(displaced, level, core);
    }
  } else {
    traffic_[line.owner].crossed[level].written += line_bytes_;
    arrive(line, level + 1, core);
  }
}

std::uint32_t Simulator::first_common(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t level = 0;
  while (level < levels_ && !same_cache(level, a, b)) {
    ++level;
  }
  return level;
}

void Simulator::take_back(std::uint64_t number, std::uint32_t core, bool remove,
                          std::optional<std::uint32_t> joined, Supply& supply) {
  bool dirty = false;
  Line newest;
  std::uint32_t source = 0;
  for (std::uint32_t level = 0; level < levels_; ++level) {
    if (dirty && same_cache(level, source, core)) {
      dirty = false;
      newest.user = newest.owner;
      if (victim(level)) {
        supply.dirty = newest;
        supply.dirty_level = level;
      } else {
        arrive(newest, level, core);
      }
    }
    for (std::uint32_t other = 0; other < config_.core_count; ++other) {
      const bool asked = !joined || first_common(core, other) == *joined;
      Line* copy =
          same_cache(level, core, other) || !asked ? nullptr : cache(level, other).peek(number);
      if (copy == nullptr) {
        continue;
      }
      if (copy->dirty && !dirty) {
        newest = *copy;
        newest.carried = false;
        dirty = true;
        source = other;
      }
      copy->dirty = false;
      for (std::uint32_t below = level + 1; below < levels_; ++below) {
        if (victim(below) && same_cache(below, core, other)) {
          supply.levels.insert(below);
        }
      }
      if (remove) {
        cache(level, other).drop(number);
      }
    }
    if (dirty) {
      traffic_[newest.owner].crossed[level].written += line_bytes_;
    }
  }
}

}  // namespace ridge::cachesim_reference
