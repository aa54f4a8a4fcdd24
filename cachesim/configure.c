/* From a configuration to caches in memory. */
#include "cachesim/hierarchy.h"

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

static struct cachesim_cache geometry_of(uint64_t set_count, uint32_t ways, int with_users) {
  struct cachesim_cache cache = {0};
  cache.set_count = set_count;
  cache.set_mask = set_count - 1;
  cache.reciprocal = is_power_of_two(set_count) ? 0 : UINT64_MAX / set_count;
  cache.ways = ways;
  cache.words_offset = 16 + (ways + 7) / 8 * 8;
  uint32_t end = cache.words_offset + 8 * ways;
  if (with_users) {
    cache.users_offset = end;
    end += 4 * ways;
  }
  if (ways > CACHESIM_NIBBLE_WAYS) {
    cache.ranks_offset = end;
    end += 2 * ways;
  }
  cache.stride = (end + 7) / 8 * 8;
  return cache;
}

/* Any order will do for ways that are all empty. */
static void order_ways(const struct cachesim_cache* cache) {
  for (uint64_t index = 0; index < cache->set_count; ++index) {
    unsigned char* set = cache->sets + index * cache->stride;
    for (uint32_t way = 0; way < cache->ways; ++way) {
      if (cache->ranks_offset != 0) {
        cachesim_ranks(cache, set)[way] = (uint16_t)way;
      } else {
        *cachesim_order(set) |= (uint64_t)way << 4 * way;
      }
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
    level->geometry = geometry_of(set_count_of(from), from->ways, index == 0 || index != last);
  }
  const uint32_t ways = sim->levels[last].geometry.ways;
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    sim->share_ways[share] = (ways + (1u << share) - 1) >> share;
  }
}

/* Whether private_miss.h knows this machine: three levels of at most 16 ways that allocate, the
 * first two of one core each and not victims, the last one not inclusive. */
static int is_usual(const struct cachesim* sim) {
  int usual = sim->level_count == 3 && !cachesim_is_victim(sim, 1) &&
              !cachesim_is_inclusive(sim, 2) && cachesim_allocates(sim, 0) &&
              cachesim_allocates(sim, 1) &&
              (cachesim_is_victim(sim, 2) || cachesim_allocates(sim, 2));
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    usual = usual && sim->levels[level].geometry.ranks_offset == 0;
  }
  return usual && sim->levels[0].cores_per_cache == 1 && sim->levels[1].cores_per_cache == 1;
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
  sim->usual = (unsigned char)is_usual(sim);
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

static void free_instance(struct cachesim* sim, struct cachesim_cache* instance) {
  release(sim, instance->sets, instance->set_count * instance->stride);
  release(sim, instance, sizeof(*instance));
}

static struct cachesim_cache* make_instance(struct cachesim* sim, uint32_t level) {
  struct cachesim_cache* instance = allocate(sim, sizeof(*instance));
  if (instance == 0) {
    return 0;
  }
  *instance = sim->levels[level].geometry;
  instance->sets = allocate(sim, instance->set_count * instance->stride);
  if (instance->sets == 0) {
    free_instance(sim, instance);
    return 0;
  }
  order_ways(instance);
  return instance;
}

/* With one core nobody asks who shares a page. When the second one comes, what the first one's
 * caches hold is noted after the fact. */
static void note_all_lines(struct cachesim* sim, const struct cachesim_core* core) {
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    for (uint64_t set = 0; set < cache->set_count; ++set) {
      const uint64_t* words = cachesim_words(cache, cache->sets + set * cache->stride);
      for (uint32_t way = 0; way < cache->ways; ++way) {
        if (words[way] != 0) {
          cachesim_note_sharer(sim, core, words[way] & cachesim_tag_mask & ~cachesim_valid);
        }
      }
    }
  }
}

/* The short way of a hit must not match where the last level is the first one too (its shares see
 * every access), nor where a victim cache hands dirty lines up to the first level (other cores may
 * have copies of them), nor where sets are not found by a mask or the order is not in nibbles: it
 * then searches one set that stays empty. */
static struct cachesim_cache fast_path_of(struct cachesim* sim, struct cachesim_cache* first) {
  static unsigned char empty_set[64] __attribute__((aligned(8)));
  struct cachesim_cache fast = *first;
  if (sim->level_count == 1 || cachesim_is_victim(sim, 1) || first->reciprocal != 0 ||
      first->ranks_offset != 0) {
    fast = geometry_of(1, 1, 1);
    fast.sets = empty_set;
  }
  return fast;
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
      *instance = make_instance(sim, level);
    }
    if (*instance == 0) {
      release(sim, made, sizeof(*made));
      return 0;
    }
    made->caches[level] = *instance;
  }
  made->fast = fast_path_of(sim, made->caches[0]);
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
  for (uint32_t index = 0; index < sim->level_count; ++index) {
    struct cachesim_level* level = &sim->levels[index];
    for (uint32_t i = 0; level->instances != 0 && i < level->cache_count; ++i) {
      if (level->instances[i] != 0) {
        free_instance(sim, level->instances[i]);
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
