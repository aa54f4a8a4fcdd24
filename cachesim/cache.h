/* One set-associative LRU cache without data. Internal to cachesim, inline for speed.
 *
 * A set is one block of memory; entries stay at their way, only the order of recency changes:
 *
 *   uint64_t order;             up to 16 ways: nibble r is the way of recency rank r
 *   uint16_t held[2];           last level: lines that its smaller shares hold (last_level.c)
 *   uint32_t padding;
 *   uint8_t  fingerprints[];    8 bits of a hash of each line, padded to a multiple of 8 ways
 *   uint64_t words[ways];       0 = empty, else bit 63 | mark << 42 | line number;
 *                               mark = region that dirtied the line << 3 | dirty bits
 *   uint32_t users[ways];       region that used the line last; absent in the last level
 *   uint16_t ranks[ways];       more than 16 ways: instead of `order`, the ways by recency
 *
 * Empty ways always have the last ranks. */
#ifndef RIDGE_CACHESIM_CACHE_H
#define RIDGE_CACHESIM_CACHE_H

#include <stdint.h>

/* The machine itself and the machines with 1/2 and 1/4 of the last level each have a dirty bit: a
 * victim cache hands a line up dirty in one and clean in another. */
enum { CACHESIM_SHARES = 3 };
enum { CACHESIM_DIRTY_BITS = 3, CACHESIM_DIRTY_MASK = 7 };
enum { CACHESIM_NIBBLE_WAYS = 16 };

static const uint64_t cachesim_valid = (uint64_t)1 << 63;
enum { CACHESIM_MARK_SHIFT = 42, CACHESIM_MARK_MASK = (1 << 21) - 1 };
static const uint64_t cachesim_tag_mask =
    (uint64_t)1 << 63 | (((uint64_t)1 << CACHESIM_MARK_SHIFT) - 1);

struct cachesim_cache {
  unsigned char* sets;
  uint64_t set_count;
  uint64_t set_mask;   /* set_count - 1 if that is a power of two */
  uint64_t reciprocal; /* floor(2^64 / set_count), or 0 if set_count is a power of two */
  uint32_t ways;
  uint32_t stride; /* bytes of a set */
  uint32_t words_offset;
  uint32_t users_offset; /* 0 = none */
  uint32_t ranks_offset; /* 0 = the order is in nibbles */
};

struct cachesim_entry {
  uint64_t tag; /* bit 63 and the line number, 0 = none */
  uint32_t mark;
  uint32_t user;
};

/* Beside a user: the line was dirty when it came up from the victim cache below and has not been
 * written since. On its way down it is a victim of its last user, not a write-back of its owner. */
static const uint32_t cachesim_carried = (uint32_t)1 << 31;

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

static inline uint64_t* cachesim_order(unsigned char* set) {
  return (uint64_t*)set;
}
static inline uint16_t* cachesim_held(unsigned char* set) {
  return (uint16_t*)(set + 8);
}
static inline unsigned char* cachesim_fingerprints(unsigned char* set) {
  return set + 16;
}
static inline uint64_t* cachesim_words(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint64_t*)(set + cache->words_offset);
}
static inline uint32_t cachesim_get_mark(const struct cachesim_cache* cache, unsigned char* set,
                                         uint32_t way) {
  return (uint32_t)(cachesim_words(cache, set)[way] >> CACHESIM_MARK_SHIFT) & CACHESIM_MARK_MASK;
}
static inline void cachesim_set_mark(const struct cachesim_cache* cache, unsigned char* set,
                                     uint32_t way, uint32_t mark) {
  uint64_t* word = &cachesim_words(cache, set)[way];
  *word = (*word & cachesim_tag_mask) | (uint64_t)mark << CACHESIM_MARK_SHIFT;
}
static inline uint32_t* cachesim_users(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint32_t*)(set + cache->users_offset);
}
static inline uint16_t* cachesim_ranks(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint16_t*)(set + cache->ranks_offset);
}
static inline uint64_t cachesim_hash(uint64_t line) {
  return line * UINT64_C(0x9e3779b97f4a7c15);
}
static inline uint64_t cachesim_line_of(struct cachesim_entry entry) {
  return entry.tag & ~cachesim_valid;
}

/* The fingerprint of a line, eight times. */
static inline uint64_t cachesim_pattern(uint64_t line) {
  return (cachesim_hash(line) >> 56) * UINT64_C(0x0101010101010101);
}

/* Marks the zero bytes of x in their highest bits; a mark above a true one may be false. */
static inline uint64_t cachesim_zero_bytes(uint64_t x) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  return (x - ones) & ~x & (ones << 7);
}

/* Way that holds `line`, or -1: compares 8 fingerprints at a time, then the tags of those that
 * agree. */
static inline int32_t cachesim_find_pattern(const struct cachesim_cache* cache, unsigned char* set,
                                            uint64_t line, uint64_t pattern) {
  const uint64_t* fingerprints = (const uint64_t*)cachesim_fingerprints(set);
  const uint64_t* words = cachesim_words(cache, set);
  for (uint32_t first = 0; first < cache->ways; first += 8) {
    uint64_t candidates = cachesim_zero_bytes(*fingerprints++ ^ pattern);
    for (; candidates != 0; candidates &= candidates - 1) {
      const uint32_t way = first + (uint32_t)(__builtin_ctzll(candidates) >> 3);
      if (way < cache->ways && (words[way] & cachesim_tag_mask) == (line | cachesim_valid)) {
        return (int32_t)way;
      }
    }
  }
  return -1;
}

static inline int32_t cachesim_find(const struct cachesim_cache* cache, unsigned char* set,
                                    uint64_t line) {
  return cachesim_find_pattern(cache, set, line, cachesim_pattern(line));
}

/* 4 * rank of `way` in the order: the lowest zero nibble of order ^ way in all nibbles. */
static inline uint32_t cachesim_nibble_of(uint64_t order, uint32_t way) {
  const uint64_t ones = UINT64_C(0x1111111111111111);
  const uint64_t differs = order ^ way * ones;
  return (uint32_t)__builtin_ctzll((differs - ones) & ~differs & (ones << 3)) & ~3u;
}

static inline uint32_t cachesim_rank_of(const struct cachesim_cache* cache, unsigned char* set,
                                        uint32_t way) {
  if (cache->ranks_offset == 0) {
    return cachesim_nibble_of(*cachesim_order(set), way) / 4;
  }
  uint32_t rank = 0;
  while (cachesim_ranks(cache, set)[rank] != way) {
    ++rank;
  }
  return rank;
}

static inline uint32_t cachesim_way_at(const struct cachesim_cache* cache, unsigned char* set,
                                       uint32_t rank) {
  return cache->ranks_offset == 0 ? (uint32_t)(*cachesim_order(set) >> (4 * rank & 63)) & 15
                                  : cachesim_ranks(cache, set)[rank];
}

/* Makes `way` the most recently used. */
static inline void cachesim_promote(const struct cachesim_cache* cache, unsigned char* set,
                                    uint32_t way) {
  if (cache->ranks_offset == 0) {
    const uint64_t order = *cachesim_order(set);
    const uint32_t shift = cachesim_nibble_of(order, way);
    const uint64_t below = order & (((uint64_t)1 << shift) - 1);
    const uint64_t above = order & (~(uint64_t)15 << shift);
    *cachesim_order(set) = above | below << 4 | way;
    return;
  }
  uint16_t* ranks = cachesim_ranks(cache, set);
  for (uint32_t rank = cachesim_rank_of(cache, set, way); rank > 0; --rank) {
    ranks[rank] = ranks[rank - 1];
  }
  ranks[0] = (uint16_t)way;
}

/* Makes `way` the first one to be replaced. */
static inline void cachesim_demote(const struct cachesim_cache* cache, unsigned char* set,
                                   uint32_t way) {
  if (cache->ranks_offset == 0) {
    const uint64_t order = *cachesim_order(set);
    const uint64_t below = ((uint64_t)1 << cachesim_nibble_of(order, way)) - 1;
    *cachesim_order(set) =
        (order & below) | (order >> 4 & ~below) | (uint64_t)way << 4 * (cache->ways - 1);
    return;
  }
  uint16_t* ranks = cachesim_ranks(cache, set);
  for (uint32_t rank = cachesim_rank_of(cache, set, way); rank + 1 < cache->ways; ++rank) {
    ranks[rank] = ranks[rank + 1];
  }
  ranks[cache->ways - 1] = (uint16_t)way;
}

static inline struct cachesim_entry cachesim_read_way(const struct cachesim_cache* cache,
                                                      unsigned char* set, uint32_t way) {
  const uint64_t word = cachesim_words(cache, set)[way];
  const struct cachesim_entry entry = {
      word & cachesim_tag_mask, cachesim_get_mark(cache, set, way),
      cache->users_offset != 0 ? cachesim_users(cache, set)[way] : 0};
  return entry;
}

static inline void cachesim_write_way(const struct cachesim_cache* cache, unsigned char* set,
                                      uint32_t way, struct cachesim_entry entry) {
  cachesim_fingerprints(set)[way] = (unsigned char)(cachesim_hash(cachesim_line_of(entry)) >> 56);
  cachesim_words(cache, set)[way] = entry.tag | (uint64_t)entry.mark << CACHESIM_MARK_SHIFT;
  if (cache->users_offset != 0) {
    cachesim_users(cache, set)[way] = entry.user;
  }
}

/* The way that the next new line takes: an empty one or the least recently used. */
static inline uint32_t cachesim_next_victim(const struct cachesim_cache* cache,
                                            unsigned char* set) {
  return cachesim_way_at(cache, set, cache->ways - 1);
}

/* Puts `entry` in as the most recently used; returns what it displaced. The line must be absent. */
static inline struct cachesim_entry cachesim_insert(const struct cachesim_cache* cache,
                                                    unsigned char* set,
                                                    struct cachesim_entry entry) {
  const uint32_t way = cachesim_next_victim(cache, set);
  const struct cachesim_entry displaced = cachesim_read_way(cache, set, way);
  cachesim_write_way(cache, set, way, entry);
  cachesim_promote(cache, set, way);
  return displaced;
}

static inline struct cachesim_entry cachesim_remove(const struct cachesim_cache* cache,
                                                    unsigned char* set, uint32_t way) {
  const struct cachesim_entry entry = cachesim_read_way(cache, set, way);
  const struct cachesim_entry empty = {0, 0, 0};
  cachesim_write_way(cache, set, way, empty);
  cachesim_demote(cache, set, way);
  return entry;
}

#endif
