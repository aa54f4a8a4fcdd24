#include "cachesim/pilot.h"

#include "cachesim/line_class.h"

/* The verdict. Sampling 8 of 64 classes whose lines vary by v is wrong by v / 3 (standard error),
 * so 5 % of variation is what an error of 2 % bears. */
static const double variation_most = 0.05;
static const double sample_error_most = 0.02;
/* Fewer lines than this in a class prove nothing ... */
static const double class_lines_least = 32;
/* ... and before as many as this, no part of the variation is put down to chance. */
static const double chance_lines_least = 142;
/* Two standard deviations of a variance from 64 values. */
static const double variance_doubt = 0.356;

enum {
  LOOKUPS_LEAST = 1024, /* before what is known of a level is looked at */
  KNOWN_LEAST = 64,     /* misses in full sets for each other one: the level is known */
  WINDOW_LINES = 1 << 14,
  /* Next to nothing goes below a level: of so many lookups, at most one in ... */
  QUIET_ACCESSES = 1 << 20,
  QUIET_LOOKUPS = 1 << 16,
  QUIET_AMONG_ACCESSES = 1024,
  QUIET_AMONG_LOOKUPS = 256
};

/* A word of a set: line number + 1, the region that wrote the line last, whether it is dirty. */
enum { OWNER_SHIFT = 1, LINE_SHIFT = 20, PASSED_DOWN = 4 /* beside the flags of a trace entry */ };
static const uint64_t user_addresses = ((uint64_t)1 << 47) - 1; /* as the simulator has them */

static uint64_t word_of(uint64_t line, uint32_t owner, int dirty) {
  return (line + 1) << LINE_SHIFT | (uint64_t)owner << OWNER_SHIFT | (uint64_t)dirty;
}
static uint64_t line_of(uint64_t word) {
  return (word >> LINE_SHIFT) - 1;
}
static uint32_t owner_of(uint64_t word) {
  return (uint32_t)(word >> OWNER_SHIFT) & ((1U << (LINE_SHIFT - OWNER_SHIFT)) - 1);
}

static int make_level(struct cachesim_pilot_level* level, const struct ridge_cache_level* cache,
                      const struct cachesim_memory* memory) {
  level->set_count = cache->size_bytes / ((uint64_t)cache->ways * cache->line_bytes);
  level->ways_of_cache = cache->ways;
  level->cores_per_cache = cache->cores_per_cache;
  level->allocates = cache->write_allocate;
  level->words =
      memory->allocate(memory->context, level->set_count * cache->ways * sizeof(*level->words));
  level->used_in = memory->allocate(memory->context, level->set_count * sizeof(*level->used_in));
  return level->words != 0 && level->used_in != 0;
}

struct cachesim_pilot* cachesim_pilot_create(const struct ridge_cache_config* caches,
                                             struct ridge_region_pilot* regions,
                                             uint32_t region_capacity,
                                             const struct cachesim_memory* memory) {
  struct cachesim_pilot* pilot = memory->allocate(memory->context, sizeof(*pilot));
  if (pilot == 0) {
    return 0;
  }
  pilot->memory = *memory;
  pilot->level_count = caches->level_count;
  pilot->regions = regions;
  pilot->region_capacity = region_capacity;
  pilot->seen_in = memory->allocate(memory->context, region_capacity * sizeof(*pilot->seen_in));
  int made = pilot->seen_in != 0;
  for (uint32_t level = 0; made && level < pilot->level_count; ++level) {
    made = make_level(&pilot->levels[level], &caches->levels[level], memory);
  }
  if (!made) {
    cachesim_pilot_destroy(pilot);
    return 0;
  }
  return pilot;
}

void cachesim_pilot_destroy(struct cachesim_pilot* pilot) {
  const struct cachesim_memory memory = pilot->memory;
  for (uint32_t i = 0; i < pilot->level_count; ++i) {
    const struct cachesim_pilot_level* level = &pilot->levels[i];
    if (level->words != 0) {
      memory.release(memory.context, level->words,
                     level->set_count * level->ways_of_cache * sizeof(*level->words));
    }
    if (level->used_in != 0) {
      memory.release(memory.context, level->used_in, level->set_count * sizeof(*level->used_in));
    }
  }
  if (pilot->seen_in != 0) {
    memory.release(memory.context, pilot->seen_in,
                   pilot->region_capacity * sizeof(*pilot->seen_in));
  }
  memory.release(memory.context, pilot, sizeof(*pilot));
}

void cachesim_pilot_begin(struct cachesim_pilot* pilot, uint32_t cores) {
  for (uint32_t i = 0; i < pilot->level_count; ++i) {
    struct cachesim_pilot_level* level = &pilot->levels[i];
    const uint32_t sharing = cores < level->cores_per_cache ? cores : level->cores_per_cache;
    const uint32_t share = level->ways_of_cache / (sharing != 0 ? sharing : 1);
    level->ways = share != 0 ? share : 1;
    level->counts = 0;
    level->counted = 0;
    level->lookups = 0;
    level->misses = 0;
    level->unknown = 0;
  }
  pilot->seen_count = 0;
  ++pilot->window;
}

static void count_line(struct cachesim_pilot* pilot, uint32_t level, uint64_t line,
                       uint32_t region) {
  if (!pilot->levels[level].counts) {
    return;
  }
  ++pilot->regions[region].levels[level].lines[line % RIDGE_LINE_CLASSES];
  ++pilot->levels[level].counted;
  if (pilot->seen_in[region] != pilot->window) {
    pilot->seen_in[region] = pilot->window;
    if (pilot->seen_count < CACHESIM_WINDOW_REGIONS) {
      pilot->seen[pilot->seen_count] = region;
    }
    ++pilot->seen_count;
  }
}

static uint64_t* set_of(const struct cachesim_pilot* pilot, struct cachesim_pilot_level* level,
                        uint64_t line) {
  const uint64_t count = level->set_count;
  const uint64_t index = (count & (count - 1)) == 0 ? line & (count - 1) : line % count;
  uint64_t* set = level->words + index * level->ways_of_cache;
  if (level->used_in[index] != pilot->window) {
    level->used_in[index] = pilot->window;
    for (uint32_t way = 0; way < level->ways_of_cache; ++way) {
      set[way] = 0;
    }
  }
  return set;
}

/* The way that holds the line, or the last one. */
static uint32_t find_way(const uint64_t* set, uint32_t ways, uint64_t line) {
  uint32_t way = 0;
  while (way + 1 < ways && set[way] >> LINE_SHIFT != line + 1) {
    ++way;
  }
  return way;
}

/* A use of a line in one level: whether nothing below has to do with it. `displaced` is what had
 * to leave for it, or 0. */
static int use_in(struct cachesim_pilot* pilot, uint32_t at, uint64_t line, uint32_t flags,
                  uint32_t region, uint64_t* displaced) {
  struct cachesim_pilot_level* level = &pilot->levels[at];
  uint64_t* set = set_of(pilot, level, line);
  const int write = (flags & RIDGE_TRACE_WRITE) != 0;
  const uint64_t written = word_of(line, region, 1);
  const int comes_down = (flags & PASSED_DOWN) != 0;
  *displaced = 0;
  level->lookups += !comes_down;
  if (write && (flags & RIDGE_TRACE_NON_TEMPORAL) != 0) {
    count_line(pilot, at, line, region);
    return 0;
  }
  if (set[0] >> LINE_SHIFT == line + 1) {
    set[0] = write ? written : set[0];
    return 1;
  }
  const uint32_t way = find_way(set, level->ways, line);
  const uint64_t last = set[way];
  const int hit = last >> LINE_SHIFT == line + 1;
  if (!hit && !comes_down) {
    level->misses += last != 0;
    level->unknown += last == 0;
    if (last != 0) {
      count_line(pilot, at, line, region);
    }
  }
  if (write && !hit && !level->allocates) {
    return 0;
  }
  for (uint32_t i = way; i > 0; --i) {
    set[i] = set[i - 1];
  }
  set[0] = write ? written : hit ? last : word_of(line, region, 0);
  *displaced = hit ? 0 : last;
  return hit || comes_down;
}

/* What leaves `level` dirty crosses the boundary below it, and so on. */
static void write_back(struct cachesim_pilot* pilot, uint32_t level, uint64_t word) {
  while ((word & 1) != 0) {
    const uint64_t line = line_of(word);
    count_line(pilot, level, line, owner_of(word));
    if (++level == pilot->level_count) {
      return;
    }
    uint64_t displaced = 0;
    const uint32_t flags = RIDGE_TRACE_WRITE | PASSED_DOWN;
    word = use_in(pilot, level, line, flags, owner_of(word), &displaced) ? displaced : word;
  }
}

static void use_line(struct cachesim_pilot* pilot, uint64_t line, uint32_t flags, uint32_t region) {
  for (uint32_t level = 0; level < pilot->level_count; ++level) {
    uint64_t displaced = 0;
    if (use_in(pilot, level, line, flags, region, &displaced)) {
      return;
    }
    write_back(pilot, level, displaced);
    if (pilot->levels[level].allocates && (flags & RIDGE_TRACE_NON_TEMPORAL) == 0) {
      flags = 0; /* the line is read */
    }
  }
}

void cachesim_pilot_run(struct cachesim_pilot* pilot, const struct ridge_trace_entry* entries,
                        uint64_t count) {
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  const uint32_t flag_mask = RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t meta = entries[i].meta;
    const uint64_t bytes = meta & byte_mask;
    const uint64_t region = meta >> RIDGE_TRACE_REGION_SHIFT;
    const uint64_t address = entries[i].address & user_addresses;
    const uint64_t last = (address + bytes - 1) >> CACHESIM_CLASS_SHIFT;
    for (uint64_t line = address >> CACHESIM_CLASS_SHIFT; bytes != 0 && line <= last; ++line) {
      use_line(pilot, line, (uint32_t)(meta >> RIDGE_TRACE_FLAGS_SHIFT) & flag_mask,
               region < pilot->region_count ? (uint32_t)region : 0);
    }
  }
}

/* ---- what is known ---- */

static void begin_to_count(struct cachesim_pilot_level* level) {
  if (level->counts || level->lookups < LOOKUPS_LEAST) {
    return;
  }
  level->counts = level->unknown * KNOWN_LEAST <= level->misses;
  level->lookups = 0;
  level->misses = 0;
  level->unknown = 0;
}

static int is_quiet(const struct cachesim_pilot_level* level, int first) {
  const uint64_t least = first ? QUIET_ACCESSES : QUIET_LOOKUPS;
  const uint64_t among = first ? QUIET_AMONG_ACCESSES : QUIET_AMONG_LOOKUPS;
  return level->counts && level->lookups >= least &&
         (level->misses + level->unknown) * among <= level->lookups;
}

int cachesim_pilot_look(struct cachesim_pilot* pilot) {
  for (uint32_t level = 0; level < pilot->level_count; ++level) {
    begin_to_count(&pilot->levels[level]);
  }
  for (uint32_t level = 0; level < pilot->level_count; ++level) {
    if (is_quiet(&pilot->levels[level], level == 0)) {
      return 1;
    }
    if (pilot->levels[level].counted < WINDOW_LINES) {
      return 0;
    }
  }
  return 1;
}

static void judge_region(const struct cachesim_pilot* pilot, uint32_t region,
                         uint64_t sample_mask) {
  for (uint32_t level = 0; level < pilot->level_count; ++level) {
    cachesim_pilot_judge(&pilot->regions[region].levels[level], sample_mask);
  }
}

void cachesim_pilot_end(struct cachesim_pilot* pilot, uint64_t sample_mask) {
  const int all_known = pilot->seen_count <= CACHESIM_WINDOW_REGIONS;
  const uint32_t count = all_known ? pilot->seen_count : pilot->region_count;
  for (uint32_t i = 0; i < count; ++i) {
    judge_region(pilot, all_known ? pilot->seen[i] : i, sample_mask);
  }
}

void cachesim_pilot_judge(struct ridge_pilot_level* level, uint64_t sample_mask) {
  double sum = 0;
  double sampled = 0;
  double most = 0;
  for (uint32_t i = 0; i < RIDGE_LINE_CLASSES; ++i) {
    const double lines = level->lines[i];
    sum += lines;
    sampled += (sample_mask >> i & 1) != 0 ? lines : 0;
    most = lines > most ? lines : most;
  }
  if (sum == 0) {
    return;
  }
  const double mean = sum / RIDGE_LINE_CLASSES;
  double squares = 0;
  for (uint32_t i = 0; i < RIDGE_LINE_CLASSES; ++i) {
    const double off = (level->lines[i] - mean) / mean;
    squares += off * off;
  }
  const double all = squares / (RIDGE_LINE_CLASSES - 1); /* variation squared, chance included */
  const double chance = mean < chance_lines_least ? 0 : 1 / mean;
  const double own = all > chance ? all - chance : 0;
  const double weight = (double)RIDGE_LINE_CLASSES / __builtin_popcountll(sample_mask);
  const double error = weight * sampled / sum - 1;
  level->variation = (float)__builtin_sqrt(own);
  level->sample_error = (float)error;
  level->hottest = (float)(most / mean);
  /* By chance alone the sample is off by this (two standard deviations). */
  const double luck = chance == 0 ? 0 : 2 * __builtin_sqrt((weight - 1) / sum);
  const double bound = sample_error_most + luck;
  const double worst = all * (1 + variance_doubt) - chance;
  const double best = all * (1 - variance_doubt) - 1 / mean;
  const double most_squared = variation_most * variation_most;
  const int even = worst <= most_squared && error <= bound && -error <= bound;
  const int uneven = best > most_squared;
  level->verdict = mean >= class_lines_least && even     ? RIDGE_PILOT_EVEN
                   : mean >= class_lines_least && uneven ? RIDGE_PILOT_UNEVEN
                                                         : RIDGE_PILOT_UNPROVEN;
}
