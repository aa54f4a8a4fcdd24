#include "cachesim/watched_lines.h"

#include "abi/layout.h"

enum { INITIAL_BLOCKS = 256 };

static uint64_t bytes_of(uint64_t capacity) {
  return capacity * sizeof(struct cachesim_watched_block);
}

static uint64_t key_of(uint64_t line, uint32_t region) {
  return line / CACHESIM_WATCHED_BLOCK * RIDGE_REGION_CAPACITY + region;
}

int cachesim_watched_init(struct cachesim_watched* watched, const struct cachesim_memory* memory) {
  watched->blocks = memory->allocate(memory->context, bytes_of(INITIAL_BLOCKS));
  watched->capacity = watched->blocks != 0 ? INITIAL_BLOCKS : 0;
  watched->used = 0;
  return cachesim_page_table_init(&watched->numbers, memory) && watched->blocks != 0;
}

void cachesim_watched_free(struct cachesim_watched* watched, const struct cachesim_memory* memory) {
  cachesim_page_table_free(&watched->numbers, memory);
  if (watched->blocks != 0) {
    memory->release(memory->context, watched->blocks, bytes_of(watched->capacity));
  }
  watched->blocks = 0;
  watched->capacity = 0;
}

struct cachesim_watched_line* cachesim_watched_find(const struct cachesim_watched* watched,
                                                    uint64_t line, uint32_t region) {
  const struct cachesim_page* number = cachesim_page_find(&watched->numbers, key_of(line, region));
  if (number->key_plus_1 == 0 || number->first == 0) {
    return 0;
  }
  struct cachesim_watched_line* found =
      &watched->blocks[number->first - 1].lines[line % CACHESIM_WATCHED_BLOCK];
  return found->writers != 0 ? found : 0;
}

static int grow(struct cachesim_watched* watched, const struct cachesim_memory* memory) {
  struct cachesim_watched_block* larger =
      memory->allocate(memory->context, bytes_of(watched->capacity * 2));
  if (larger == 0) {
    return 0;
  }
  for (uint64_t i = 0; i < watched->used; ++i) {
    larger[i] = watched->blocks[i];
  }
  memory->release(memory->context, watched->blocks, bytes_of(watched->capacity));
  watched->blocks = larger;
  watched->capacity *= 2;
  return 1;
}

struct cachesim_watched_line* cachesim_watched_get(struct cachesim_watched* watched,
                                                   const struct cachesim_memory* memory,
                                                   uint64_t line, uint32_t region) {
  struct cachesim_page* number = cachesim_page_get(&watched->numbers, memory, key_of(line, region));
  if (number == 0) {
    return 0;
  }
  if (number->first == 0) {
    if (watched->used == watched->capacity && !grow(watched, memory)) {
      return 0;
    }
    number->first = ++watched->used;
  }
  return &watched->blocks[number->first - 1].lines[line % CACHESIM_WATCHED_BLOCK];
}
