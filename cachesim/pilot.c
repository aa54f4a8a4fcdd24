#include "cachesim/pilot.h"

#include "cachesim/line_class.h"

/* The verdict. Sampling 8 of 64 classes whose misses vary by v is wrong by v / 3 (standard error),
 * so 5 % of variation is what an error of 2 % bears. */
static const double variation_most = 0.05;
static const double sample_error_most = 0.02;
/* Fewer misses than this in a class prove nothing ... */
static const double class_misses_least = 32;
/* ... and before as many as this, no part of the variation is put down to chance. */
static const double chance_misses_least = 142;
/* Two standard deviations of a variance from 64 values. */
static const double variance_doubt = 0.356;

struct cachesim_pilot* cachesim_pilot_create(const struct ridge_cache_level* level,
                                             struct ridge_region_pilot* regions,
                                             uint32_t region_capacity,
                                             const struct cachesim_memory* memory) {
  struct cachesim_pilot* pilot = memory->allocate(memory->context, sizeof(*pilot));
  if (pilot == 0) {
    return 0;
  }
  pilot->memory = *memory;
  pilot->set_count = level->size_bytes / ((uint64_t)level->ways * level->line_bytes);
  pilot->ways = level->ways;
  pilot->allocates = level->write_allocate;
  pilot->regions = regions;
  pilot->region_capacity = region_capacity;
  pilot->sets =
      memory->allocate(memory->context, pilot->set_count * pilot->ways * sizeof(*pilot->sets));
  pilot->seen_in = memory->allocate(memory->context, region_capacity * sizeof(*pilot->seen_in));
  if (pilot->sets == 0 || pilot->seen_in == 0) {
    cachesim_pilot_destroy(pilot);
    return 0;
  }
  return pilot;
}

void cachesim_pilot_destroy(struct cachesim_pilot* pilot) {
  const struct cachesim_memory memory = pilot->memory;
  if (pilot->sets != 0) {
    memory.release(memory.context, pilot->sets,
                   pilot->set_count * pilot->ways * sizeof(*pilot->sets));
  }
  if (pilot->seen_in != 0) {
    memory.release(memory.context, pilot->seen_in,
                   pilot->region_capacity * sizeof(*pilot->seen_in));
  }
  memory.release(memory.context, pilot, sizeof(*pilot));
}

void cachesim_pilot_begin(struct cachesim_pilot* pilot) {
  for (uint64_t i = 0; i < pilot->set_count * pilot->ways; ++i) {
    pilot->sets[i] = 0;
  }
  pilot->full_sets = 0;
  pilot->misses = 0;
  pilot->counting = 0;
  pilot->seen_count = 0;
  ++pilot->window;
}

void cachesim_pilot_count(struct cachesim_pilot* pilot) {
  pilot->counting = 1;
}

static void count_miss(struct cachesim_pilot* pilot, uint64_t line, uint32_t region) {
  ++pilot->regions[region].misses[line % RIDGE_LINE_CLASSES];
  ++pilot->misses;
  if (pilot->seen_in[region] != pilot->window) {
    pilot->seen_in[region] = pilot->window;
    if (pilot->seen_count < CACHESIM_WINDOW_REGIONS) {
      pilot->seen[pilot->seen_count] = region;
    }
    ++pilot->seen_count;
  }
}

/* The way that holds the line, or the last one. */
static uint32_t find_way(const uint64_t* set, uint32_t ways, uint64_t tag) {
  uint32_t way = 0;
  while (way + 1 < ways && set[way] != tag) {
    ++way;
  }
  return way;
}

static void access_line(struct cachesim_pilot* pilot, uint64_t line, uint64_t flags,
                        uint32_t region) {
  const uint64_t count = pilot->set_count;
  const uint64_t index = (count & (count - 1)) == 0 ? line & (count - 1) : line % count;
  uint64_t* set = pilot->sets + index * pilot->ways;
  const uint64_t tag = line + 1;
  const int write = (flags & RIDGE_TRACE_WRITE) != 0;
  if (set[0] == tag) {
    return;
  }
  const int passes = write && (flags & RIDGE_TRACE_NON_TEMPORAL) != 0;
  const uint32_t way = find_way(set, pilot->ways, tag);
  const int hit = set[way] == tag;
  const int full = set[pilot->ways - 1] != 0;
  if ((!hit || passes) && full && pilot->counting) {
    count_miss(pilot, line, region);
  }
  if (passes || (write && !hit && !pilot->allocates)) {
    return;
  }
  for (uint32_t i = way; i > 0; --i) {
    set[i] = set[i - 1];
  }
  set[0] = tag;
  pilot->full_sets += !full && set[pilot->ways - 1] != 0;
}

void cachesim_pilot_run(struct cachesim_pilot* pilot, const struct ridge_trace_entry* entries,
                        uint64_t count) {
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t meta = entries[i].meta;
    const uint64_t bytes = meta & byte_mask;
    const uint64_t region = meta >> RIDGE_TRACE_REGION_SHIFT;
    const uint64_t last = (entries[i].address + bytes - 1) >> CACHESIM_CLASS_SHIFT;
    for (uint64_t line = entries[i].address >> CACHESIM_CLASS_SHIFT; bytes != 0 && line <= last;
         ++line) {
      access_line(pilot, line, meta >> RIDGE_TRACE_FLAGS_SHIFT,
                  region < pilot->region_count ? (uint32_t)region : 0);
    }
  }
}

void cachesim_pilot_end(struct cachesim_pilot* pilot, uint64_t sample_mask) {
  const int all_known = pilot->seen_count <= CACHESIM_WINDOW_REGIONS;
  const uint32_t count = all_known ? pilot->seen_count : pilot->region_count;
  for (uint32_t i = 0; i < count; ++i) {
    cachesim_pilot_judge(&pilot->regions[all_known ? pilot->seen[i] : i], sample_mask);
  }
}

void cachesim_pilot_judge(struct ridge_region_pilot* region, uint64_t sample_mask) {
  double sum = 0;
  double sampled = 0;
  double most = 0;
  for (uint32_t i = 0; i < RIDGE_LINE_CLASSES; ++i) {
    const double misses = region->misses[i];
    sum += misses;
    sampled += (sample_mask >> i & 1) != 0 ? misses : 0;
    most = misses > most ? misses : most;
  }
  if (sum == 0) {
    return;
  }
  const double mean = sum / RIDGE_LINE_CLASSES;
  double squares = 0;
  for (uint32_t i = 0; i < RIDGE_LINE_CLASSES; ++i) {
    const double off = (region->misses[i] - mean) / mean;
    squares += off * off;
  }
  const double all = squares / (RIDGE_LINE_CLASSES - 1); /* variation squared, chance included */
  const double chance = mean < chance_misses_least ? 0 : 1 / mean;
  const double own = all > chance ? all - chance : 0;
  const double weight = (double)RIDGE_LINE_CLASSES / __builtin_popcountll(sample_mask);
  const double error = weight * sampled / sum - 1;
  region->variation = (float)__builtin_sqrt(own);
  region->sample_error = (float)error;
  region->hottest = (float)(most / mean);
  /* By chance alone the sample is off by this (two standard deviations). */
  const double luck = chance == 0 ? 0 : 2 * __builtin_sqrt((weight - 1) / sum);
  const double bound = sample_error_most + luck;
  const double worst = all * (1 + variance_doubt) - chance;
  const double best = all * (1 - variance_doubt) - 1 / mean;
  const double most_squared = variation_most * variation_most;
  const int even = worst <= most_squared && error <= bound && -error <= bound;
  const int uneven = best > most_squared;
  region->verdict = mean >= class_misses_least && even     ? RIDGE_PILOT_EVEN
                    : mean >= class_misses_least && uneven ? RIDGE_PILOT_UNEVEN
                                                           : RIDGE_PILOT_UNPROVEN;
}
