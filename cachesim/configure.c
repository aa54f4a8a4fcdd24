/* From a configuration to caches in memory. */
#include "cachesim/hierarchy.h"
#include "cachesim/line_access.h"
#include "cachesim/observer.h"

enum { MAX_WAYS = 4096, MAX_CORES = 65536, MIN_LINE_BYTES = 32, MAX_LINE_BYTES = 4096 };

static int is_power_of_two(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

static uint64_t set_count_of(const struct ridge_cache_level* level) {
  return level->size_bytes / ((uint64_t)level->ways * level->line_bytes);
}

static const char* check_level(const struct ridge_cache_config* config, uint32_t index) {
  const struct ridge_cache_level* level = &config->levels[index];
  if (level->ways == 0 || level->ways > MAX_WAYS) {
    return "a cache level must have 1 to 4096 ways";
  }
  if (!is_power_of_two(level->line_bytes) || level->line_bytes < MIN_LINE_BYTES ||
      level->line_bytes > MAX_LINE_BYTES || level->line_bytes != config->levels[0].line_bytes) {
    return "the line size must be a power of two from 32 to 4096 byte, equal on all levels";
  }
  if (set_count_of(level) == 0 || level->size_bytes > (uint64_t)1 << 40) {
    return "a cache level must hold at least one set and at most 1 TiB";
  }
  if (index == 0 && level->size_bytes > (uint64_t)1 << 30) {
    return "the first cache level must hold at most 1 GiB";
  }
  if (level->policy > RIDGE_VICTIM) {
    return "unknown cache policy";
  }
  if (level->cores_per_cache == 0 ||
      (index > 0 && level->cores_per_cache % config->levels[index - 1].cores_per_cache != 0)) {
    return "a cache must be shared by a whole number of the caches above it";
  }
  return 0;
}

const char* cachesim_check(const struct ridge_cache_config* config) {
  if (config->level_count == 0 || config->level_count > RIDGE_CACHE_LEVELS_MAX) {
    return "there must be 1 to 4 cache levels";
  }
  if (config->core_count == 0 || config->core_count > MAX_CORES) {
    return "there must be 1 to 65536 cores";
  }
  for (uint32_t index = 0; index < config->level_count; ++index) {
    const char* problem = check_level(config, index);
    if (problem != 0) {
      return problem;
    }
  }
  return 0;
}

static uint32_t round_up(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

struct cachesim_cache cachesim_geometry_of(uint64_t set_count, uint32_t ways) {
  struct cachesim_cache cache = {0};
  cache.set_count = set_count;
  cache.set_mask = set_count - 1;
  cache.reciprocal = is_power_of_two(set_count) ? 0 : UINT64_MAX / set_count;
  cache.ways = ways;
  cache.set_words = round_up(ways, 8);
  return cache;
}

/* The sets of one line have the same offset in a page in each level and part, where large tables
 * begin with a page: a processor takes a load from one of them for a load of what was just stored
 * to another. So each begins a few lines further into its page than the one before. */
static uint64_t offset_of(uint32_t part) {
  enum { LINE_BYTES = 64, LINES = 11 };
  return (uint64_t)part * LINES * LINE_BYTES;
}

/* The arrays that a level has beside the words: all but the last one know users, the first one of
 * several has a filter and times. */
struct parts {
  int users;
  int filter;
  uint32_t closes_gaps;
};

static struct parts parts_of(const struct cachesim* sim, uint32_t level) {
  const struct parts parts = {level == 0 || level != sim->last_level,
                              level == 0 && level != sim->last_level,
                              level != 0 && level != sim->last_level};
  return parts;
}

static uint64_t bytes_of(const struct cachesim_cache* cache, struct parts parts) {
  const uint64_t words = cache->set_count * cache->set_words;
  return words * (sizeof(*cache->words) + (parts.filter ? sizeof(*cache->stamps) : 0) +
                  (parts.users ? sizeof(*cache->users) : 0)) +
         offset_of(3 * RIDGE_CACHE_LEVELS_MAX);
}

/* Ways that are all empty. Those that only pad a set are never the oldest. */
static void begin_times(const struct cachesim_cache* cache) {
  for (uint64_t index = 0; index < cache->set_count; ++index) {
    for (uint32_t way = 0; way < cache->set_words; ++way) {
      cache->stamps[index * cache->set_words + way] = way < cache->ways ? way : UINT64_MAX;
    }
  }
}

static void* allocate(struct cachesim* sim, uint64_t bytes) {
  return sim->memory.allocate(sim->memory.context, bytes);
}
static void release(struct cachesim* sim, void* memory, uint64_t bytes) {
  if (memory != 0) {
    sim->memory.release(sim->memory.context, memory, bytes);
  }
}

static void configure(struct cachesim* sim, const struct ridge_cache_config* config) {
  const uint32_t last = config->level_count - 1;
  sim->level_count = config->level_count;
  sim->last_level = last;
  sim->core_count = config->core_count;
  sim->line_bytes = config->levels[0].line_bytes;
  sim->line_shift = (uint32_t)__builtin_ctz(sim->line_bytes);
  for (uint32_t index = 0; index <= last; ++index) {
    const struct ridge_cache_level* from = &config->levels[index];
    struct cachesim_level* level = &sim->levels[index];
    sim->victim[index] = index > 0 && from->policy == RIDGE_VICTIM;
    sim->inclusive[index] = index > 0 && from->policy == RIDGE_INCLUSIVE;
    sim->allocates[index] = from->write_allocate != 0 && !sim->victim[index];
    level->cores_per_cache = from->cores_per_cache;
    level->cache_count = (config->core_count + from->cores_per_cache - 1) / from->cores_per_cache;
    level->geometry = cachesim_geometry_of(set_count_of(from), from->ways);
  }
  const uint32_t ways = sim->levels[last].geometry.ways;
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    sim->share_ways[share] = (ways + (1u << share) - 1) >> share;
  }
}

static int is_usual(const struct cachesim* sim) {
  enum { MOST_WAYS = 32 };
  int usual = sim->level_count == 3 && !cachesim_is_victim(sim, 1) &&
              !cachesim_is_inclusive(sim, 2) && cachesim_allocates(sim, 0) &&
              cachesim_allocates(sim, 1) &&
              (cachesim_is_victim(sim, 2) || cachesim_allocates(sim, 2)) &&
              sim->levels[0].cores_per_cache == 1 && sim->levels[1].cores_per_cache == 1;
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    usual = usual && sim->levels[level].geometry.ways <= MOST_WAYS;
  }
  return usual;
}

static unsigned char kind_of(const struct cachesim* sim) {
  const struct cachesim_cache* first = &sim->levels[0].geometry;
  const struct cachesim_cache* second = &sim->levels[1].geometry;
  const struct cachesim_cache* last = &sim->levels[2].geometry;
  const int upper_powers = first->reciprocal == 0 && second->reciprocal == 0;
  const int kind = (cachesim_is_inclusive(sim, 1) ? CACHESIM_SECOND_IS_INCLUSIVE : 0) |
                   (cachesim_is_victim(sim, 2) ? CACHESIM_LAST_IS_VICTIM : 0);
  const int inclusive_to_victim = kind == (CACHESIM_SECOND_IS_INCLUSIVE | CACHESIM_LAST_IS_VICTIM);
  const int known_last = upper_powers && last->reciprocal == 0 && last->ways == 16 &&
                         first->set_count <= second->set_count;
  if (inclusive_to_victim && known_last && first->ways == 8 && second->ways == 8) {
    return CACHESIM_ZEN;
  }
  if (cachesim_is_victim(sim, 2) && upper_powers && first->ways == 12 && second->ways == 16) {
    if (!inclusive_to_victim) {
      return CACHESIM_SAPPHIRE_RAPIDS;
    }
    return known_last ? CACHESIM_ZEN_5 : CACHESIM_ZEN_5_ANY_LAST;
  }
  return (unsigned char)kind;
}

void cachesim_use_vectors(struct cachesim* sim, enum cachesim_vectors vectors) {
  sim->access_line = vectors == CACHESIM_AVX512 ? cachesim_line_access_avx512(sim->kind)
                     : vectors == CACHESIM_AVX2 ? cachesim_line_access_avx2(sim->kind)
                                                : cachesim_line_access_any(sim->kind);
}

static int allocate_tables(struct cachesim* sim) {
  sim->cores = allocate(sim, sim->core_count * sizeof(*sim->cores));
  sim->active = allocate(sim, sim->core_count * sizeof(*sim->active));
  int complete = sim->cores != 0 && sim->active != 0;
  for (uint32_t index = 0; index < sim->level_count; ++index) {
    struct cachesim_level* level = &sim->levels[index];
    level->instances = allocate(sim, level->cache_count * sizeof(*level->instances));
    complete = complete && level->instances != 0;
  }
  complete = complete && cachesim_page_table_init(&sim->footprint, &sim->memory);
  return complete && cachesim_page_table_init(&sim->sharers, &sim->memory);
}

struct cachesim* cachesim_create(const struct ridge_cache_config* config,
                                 struct ridge_region_traffic* regions, uint32_t region_count,
                                 const struct cachesim_memory* memory) {
  if (cachesim_check(config) != 0 || region_count == 0) {
    return 0;
  }
  struct cachesim* sim = memory->allocate(memory->context, sizeof(*sim));
  if (sim == 0) {
    return 0;
  }
  sim->memory = *memory;
  sim->regions = regions;
  configure(sim, config);
  if (is_usual(sim)) {
    sim->kind = kind_of(sim);
    cachesim_use_vectors(sim, cachesim_widest_vectors());
  }
  cachesim_set_region_count(sim, region_count);
  if (!allocate_tables(sim)) {
    cachesim_destroy(sim);
    return 0;
  }
  return sim;
}

void cachesim_set_region_count(struct cachesim* sim, uint32_t region_count) {
  sim->region_count =
      region_count < CACHESIM_REGION_LIMIT ? region_count : (uint32_t)CACHESIM_REGION_LIMIT;
}

void cachesim_free_instance(struct cachesim* sim, uint32_t level, struct cachesim_cache* instance) {
  release(sim, instance->filter, sizeof(*instance->filter));
  release(sim, instance->memory, bytes_of(instance, parts_of(sim, level)));
  release(sim, instance, sizeof(*instance));
}

static void lay_out(struct cachesim_cache* cache, uint32_t level, struct parts parts) {
  const uint64_t words = cache->set_count * cache->set_words;
  unsigned char* memory = (unsigned char*)cache->memory + offset_of(3 * level);
  cache->words = (uint64_t*)memory;
  memory += words * sizeof(*cache->words) + offset_of(1);
  if (parts.filter) {
    cache->stamps = (uint64_t*)memory;
    cache->filter->clock = cache->ways;
    begin_times(cache);
    memory += words * sizeof(*cache->stamps) + offset_of(1);
  }
  cache->users = parts.users ? (uint32_t*)memory : 0;
  cache->closes_gaps = parts.closes_gaps;
}

struct cachesim_cache* cachesim_make_instance(struct cachesim* sim, uint32_t level) {
  struct cachesim_cache* instance = allocate(sim, sizeof(*instance));
  if (instance == 0) {
    return 0;
  }
  const struct parts parts = parts_of(sim, level);
  *instance = sim->levels[level].geometry;
  instance->memory = allocate(sim, bytes_of(instance, parts));
  instance->filter = parts.filter ? allocate(sim, sizeof(*instance->filter)) : 0;
  if (instance->memory == 0 || (parts.filter && instance->filter == 0)) {
    cachesim_free_instance(sim, level, instance);
    return 0;
  }
  lay_out(instance, level, parts);
  return instance;
}

/* With one core nobody asks who shares a page. When the second one comes, what the first one's
 * caches hold is noted after the fact. */
static void note_all_lines(struct cachesim* sim, const struct cachesim_core* core) {
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    for (uint64_t set = 0; set < cache->set_count; ++set) {
      const uint64_t* words = cache->words + set * cache->set_words;
      for (uint32_t way = 0; way < cache->ways; ++way) {
        if (words[way] != 0) {
          cachesim_note_sharer(sim, core, words[way] & cachesim_tag_mask & ~cachesim_valid);
        }
      }
    }
  }
}

struct cachesim_core* cachesim_activate(struct cachesim* sim, uint32_t core) {
  struct cachesim_core* made = allocate(sim, sizeof(*made));
  if (made == 0) {
    return 0;
  }
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    struct cachesim_level* shared = &sim->levels[level];
    struct cachesim_cache** instance = &shared->instances[core / shared->cores_per_cache];
    if (*instance == 0) {
      *instance = cachesim_make_instance(sim, level);
    }
    if (*instance == 0) {
      release(sim, made, sizeof(*made));
      return 0;
    }
    made->caches[level] = *instance;
    made->views[level] = **instance;
  }
  made->slot = sim->active_count;
  sim->active[sim->active_count++] = core;
  sim->cores[core] = made;
  cachesim_note_joined(sim, made);
  if (sim->active_count == 2) {
    note_all_lines(sim, sim->cores[sim->active[0]]);
  }
  return made;
}

void cachesim_destroy(struct cachesim* sim) {
  cachesim_observer_destroy(sim);
  for (uint32_t index = 0; index < sim->level_count; ++index) {
    struct cachesim_level* level = &sim->levels[index];
    for (uint32_t i = 0; level->instances != 0 && i < level->cache_count; ++i) {
      if (level->instances[i] != 0) {
        cachesim_free_instance(sim, index, level->instances[i]);
      }
    }
    release(sim, level->instances, level->cache_count * sizeof(*level->instances));
  }
  for (uint32_t core = 0; sim->cores != 0 && core < sim->core_count; ++core) {
    release(sim, sim->cores[core], sizeof(*sim->cores[core]));
  }
  release(sim, sim->cores, sim->core_count * sizeof(*sim->cores));
  release(sim, sim->active, sim->core_count * sizeof(*sim->active));
  cachesim_page_table_free(&sim->footprint, &sim->memory);
  cachesim_page_table_free(&sim->sharers, &sim->memory);
  const struct cachesim_memory memory = sim->memory;
  memory.release(memory.context, sim, sizeof(*sim));
}
