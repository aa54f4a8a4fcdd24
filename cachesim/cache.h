/* One set-associative LRU cache: tags and marks, no data. Internal to cachesim, inline for speed.
 *
 * A set is one block of memory:
 *
 *   uint32_t head;          physical index of the most recently used way   | stamped caches:
 *   uint16_t held[2];       last level: lines that its smaller shares hold | uint64_t clock;
 *   uint64_t tags[ways];    line number with bit 63 set; 0 = empty
 *   uint32_t marks[ways];   region that dirtied the line << 3 | dirty bits
 *   uint32_t users[ways];   region that used the line last; absent in the last level
 *   uint64_t stamps[ways];  stamped caches only: the set's clock at the last use; 0 = empty
 *
 * Recency has two forms. Most caches are rings: the way of recency rank r is (head + r) mod ways. A
 * miss costs no shifting: the ring turns back by one and the least recent entry is overwritten;
 * empty ways have the last ranks. The first level is stamped: it lives on hits, which then cost one
 * store, and a miss looks for the smallest stamp. */
#ifndef RIDGE_CACHESIM_CACHE_H
#define RIDGE_CACHESIM_CACHE_H

#include <stdint.h>

/* The machine itself and the machines with 1/2 and 1/4 of the last level each have a dirty bit: a
 * victim cache hands a line up dirty in one and clean in another. */
enum { CACHESIM_SHARES = 3 };
enum { CACHESIM_DIRTY_BITS = 3, CACHESIM_DIRTY_MASK = 7 };

static const uint64_t cachesim_valid = (uint64_t)1 << 63;

struct cachesim_cache {
  unsigned char* sets;
  uint64_t set_count;
  uint64_t set_mask;   /* set_count - 1 if that is a power of two */
  uint64_t reciprocal; /* floor(2^64 / set_count), or 0 if set_count is a power of two */
  uint32_t ways;
  uint32_t stride;        /* bytes of a set */
  uint32_t marks_offset;  /* bytes from the start of a set */
  uint32_t users_offset;  /* 0 = the cache has none */
  uint32_t stamps_offset; /* 0 = the cache is a ring */
};

struct cachesim_entry {
  uint64_t tag; /* 0 = none */
  uint32_t mark;
  uint32_t user;
};

/* line mod set_count without a division: the estimate of the quotient is at most one too small,
 * because line * (2^64 mod set_count) < 2^64 * set_count. */
static inline unsigned char* cachesim_set_of(const struct cachesim_cache* cache, uint64_t line) {
  uint64_t index;
  if (cache->reciprocal == 0) {
    index = line & cache->set_mask;
  } else {
    const uint64_t quotient = (uint64_t)(((unsigned __int128)line * cache->reciprocal) >> 64);
    index = line - quotient * cache->set_count;
    if (index >= cache->set_count) {
      index -= cache->set_count;
    }
  }
  return cache->sets + index * cache->stride;
}

static inline uint32_t* cachesim_head(unsigned char* set) {
  return (uint32_t*)set;
}
static inline uint16_t* cachesim_held(unsigned char* set) {
  return (uint16_t*)(set + 4);
}
static inline uint64_t* cachesim_tags(unsigned char* set) {
  return (uint64_t*)(set + 8);
}
static inline uint32_t* cachesim_marks(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint32_t*)(set + cache->marks_offset);
}
static inline uint32_t* cachesim_users(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint32_t*)(set + cache->users_offset);
}

static inline uint64_t* cachesim_clock(unsigned char* set) {
  return (uint64_t*)set;
}
static inline uint64_t* cachesim_stamps(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint64_t*)(set + cache->stamps_offset);
}

/* Physical way that holds `line`, or -1. Searches a ring by recency. */
static inline int32_t cachesim_find(const struct cachesim_cache* cache, unsigned char* set,
                                    uint64_t line) {
  const uint64_t key = line | cachesim_valid;
  const uint64_t* tags = cachesim_tags(set);
  const uint32_t head = cache->stamps_offset == 0 ? *cachesim_head(set) : 0;
  for (uint32_t way = head; way < cache->ways; ++way) {
    if (tags[way] == key) {
      return (int32_t)way;
    }
  }
  for (uint32_t way = 0; way < head; ++way) {
    if (tags[way] == key) {
      return (int32_t)way;
    }
  }
  return -1;
}

static inline void cachesim_copy_way(const struct cachesim_cache* cache, unsigned char* set,
                                     uint32_t to, uint32_t from) {
  cachesim_tags(set)[to] = cachesim_tags(set)[from];
  cachesim_marks(cache, set)[to] = cachesim_marks(cache, set)[from];
  if (cache->users_offset != 0) {
    cachesim_users(cache, set)[to] = cachesim_users(cache, set)[from];
  }
}

static inline struct cachesim_entry cachesim_read_way(const struct cachesim_cache* cache,
                                                      unsigned char* set, uint32_t way) {
  const struct cachesim_entry entry = {
      cachesim_tags(set)[way], cachesim_marks(cache, set)[way],
      cache->users_offset != 0 ? cachesim_users(cache, set)[way] : 0};
  return entry;
}

static inline void cachesim_write_way(const struct cachesim_cache* cache, unsigned char* set,
                                      uint32_t way, struct cachesim_entry entry) {
  cachesim_tags(set)[way] = entry.tag;
  cachesim_marks(cache, set)[way] = entry.mark;
  if (cache->users_offset != 0) {
    cachesim_users(cache, set)[way] = entry.user;
  }
}

static inline uint32_t cachesim_next_way(const struct cachesim_cache* cache, uint32_t way) {
  return way + 1 == cache->ways ? 0 : way + 1;
}
static inline uint32_t cachesim_previous_way(const struct cachesim_cache* cache, uint32_t way) {
  return (way == 0 ? cache->ways : way) - 1;
}

static inline uint32_t cachesim_rank_of(const struct cachesim_cache* cache, unsigned char* set,
                                        uint32_t way) {
  const uint32_t head = *cachesim_head(set);
  return way >= head ? way - head : way + cache->ways - head;
}
static inline uint32_t cachesim_way_at(const struct cachesim_cache* cache, unsigned char* set,
                                       uint32_t rank) {
  const uint32_t way = *cachesim_head(set) + rank;
  return way < cache->ways ? way : way - cache->ways;
}

/* Closes the gap at `way` from the less recent side; the gap is then just behind the head. */
static inline void cachesim_close_gap(const struct cachesim_cache* cache, unsigned char* set,
                                      uint32_t way) {
  const uint32_t last = cachesim_previous_way(cache, *cachesim_head(set));
  while (way != last) {
    const uint32_t next = cachesim_next_way(cache, way);
    cachesim_copy_way(cache, set, way, next);
    way = next;
  }
}

/* Makes the entry of `way` the most recently used; returns its new way. */
static inline uint32_t cachesim_promote(const struct cachesim_cache* cache, unsigned char* set,
                                        uint32_t way) {
  if (cache->stamps_offset != 0) {
    cachesim_stamps(cache, set)[way] = ++*cachesim_clock(set);
    return way;
  }
  const uint32_t head = *cachesim_head(set);
  if (way == head) {
    return way;
  }
  const struct cachesim_entry entry = cachesim_read_way(cache, set, way);
  const uint32_t rank = cachesim_rank_of(cache, set, way);
  if (2 * rank <= cache->ways) { /* move the more recent ones back by one */
    while (way != head) {
      const uint32_t previous = cachesim_previous_way(cache, way);
      cachesim_copy_way(cache, set, way, previous);
      way = previous;
    }
  } else { /* move the less recent ones up by one and turn the ring */
    cachesim_close_gap(cache, set, way);
    way = cachesim_previous_way(cache, head);
    *cachesim_head(set) = way;
  }
  cachesim_write_way(cache, set, way, entry);
  return way;
}

static inline uint32_t cachesim_oldest(const struct cachesim_cache* cache, unsigned char* set) {
  const uint64_t* stamps = cachesim_stamps(cache, set);
  uint32_t oldest = 0;
  for (uint32_t way = 1; way < cache->ways; ++way) {
    oldest = stamps[way] < stamps[oldest] ? way : oldest;
  }
  return oldest;
}

/* The way that the next new line takes: an empty one or the least recently used. */
static inline uint32_t cachesim_next_victim(const struct cachesim_cache* cache,
                                            unsigned char* set) {
  return cache->stamps_offset != 0 ? cachesim_oldest(cache, set)
                                   : cachesim_previous_way(cache, *cachesim_head(set));
}

/* Puts `entry` at `way`, from cachesim_next_victim, as the most recently used; returns what it
 * displaced. The line must be absent. */
static inline struct cachesim_entry cachesim_replace(const struct cachesim_cache* cache,
                                                     unsigned char* set, uint32_t way,
                                                     struct cachesim_entry entry) {
  const struct cachesim_entry displaced = cachesim_read_way(cache, set, way);
  cachesim_write_way(cache, set, way, entry);
  if (cache->stamps_offset != 0) {
    cachesim_stamps(cache, set)[way] = ++*cachesim_clock(set);
  } else {
    *cachesim_head(set) = way;
  }
  return displaced;
}

static inline struct cachesim_entry cachesim_insert(const struct cachesim_cache* cache,
                                                    unsigned char* set,
                                                    struct cachesim_entry entry) {
  return cachesim_replace(cache, set, cachesim_next_victim(cache, set), entry);
}

static inline struct cachesim_entry cachesim_remove(const struct cachesim_cache* cache,
                                                    unsigned char* set, uint32_t way) {
  const struct cachesim_entry entry = cachesim_read_way(cache, set, way);
  const struct cachesim_entry empty = {0, 0, 0};
  if (cache->stamps_offset != 0) {
    cachesim_write_way(cache, set, way, empty);
    cachesim_stamps(cache, set)[way] = 0;
    return entry;
  }
  cachesim_close_gap(cache, set, way);
  cachesim_write_way(cache, set, cachesim_previous_way(cache, *cachesim_head(set)), empty);
  return entry;
}

static inline uint64_t cachesim_line_of(struct cachesim_entry entry) {
  return entry.tag & ~cachesim_valid;
}

#endif
