/* One set-associative LRU cache without data. Internal to cachesim, inline for speed.
 *
 * Entries stay at their way; only the order of recency changes. A set has a head, which a search
 * looks at, and a block, of which it needs one word when the head says that the line may be there.
 * Heads lie together, and so do blocks: sets next to each other share the cache lines of the
 * machine that simulates.
 *
 * Head:
 *   uint64_t order;             up to 16 ways: nibble r is the way of recency rank r
 *   uint16_t held[2];           last level: lines that its smaller shares hold (last_level.c)
 *   uint16_t dirty;             last level, up to 16 ways: the ways whose words have dirty bits
 *   uint16_t padding;
 *   uint8_t  fingerprints[];    8 bits of a hash of each line, padded to a multiple of 16 ways
 *   uint16_t ranks[ways];       more than 16 ways: instead of `order`, the ways by recency
 * Block:
 *   uint64_t words[ways];       0 = empty, else bit 63 | mark << 42 | line number;
 *                               mark = region that dirtied the line << 3 | dirty bits
 *   uint64_t stamps[ways];      with a filter: instead of the order, time of the last use (0 =
 *                               empty) << 32 | way
 *   uint32_t users[ways];       region that used the line last; absent in the last level
 *
 * Empty ways always have the last ranks. */
#ifndef RIDGE_CACHESIM_CACHE_H
#define RIDGE_CACHESIM_CACHE_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The machine itself and the machines with 1/2 and 1/4 of the last level each have a dirty bit: a
 * victim cache hands a line up dirty in one and clean in another. */
enum { CACHESIM_SHARES = 3 };
enum { CACHESIM_DIRTY_BITS = 3, CACHESIM_DIRTY_MASK = 7 };
enum { CACHESIM_NIBBLE_WAYS = 16 };

static const uint64_t cachesim_valid = (uint64_t)1 << 63;
enum { CACHESIM_MARK_SHIFT = 42, CACHESIM_MARK_MASK = (1 << 21) - 1 };
static const uint64_t cachesim_tag_mask =
    (uint64_t)1 << 63 | (((uint64_t)1 << CACHESIM_MARK_SHIFT) - 1);

/* What the first level knows by heart: the accesses that hit and change nothing but the recency.
 * A key is 0 or
 *     bit 63 | bit 60 if stores are meant too | region << 42 | line number
 * of a line that is in the cache; whatever changes the line there forgets the key. */
enum { CACHESIM_FILTER_BITS = 10, CACHESIM_FILTER_ENTRIES = 1 << CACHESIM_FILTER_BITS };
struct cachesim_filter {
  uint32_t clock; /* time of the last use of any line */
  uint64_t keys[CACHESIM_FILTER_ENTRIES];
  uint32_t times[CACHESIM_FILTER_ENTRIES]; /* where the time of that line is: offset in blocks */
};
static const uint64_t cachesim_store_key = (uint64_t)1 << 60;
/* Lines at distances of a power of two have different entries. `line`: or a word or key of it. */
static inline uint64_t cachesim_filter_entry(uint64_t line) {
  return (line ^ line >> CACHESIM_FILTER_BITS) % CACHESIM_FILTER_ENTRIES;
}
/* A time in its stamp (little-endian: the upper half). */
typedef uint32_t __attribute__((may_alias)) cachesim_time;
/* From this time on the clock has to be set back. Times start above the number of ways. */
static const uint32_t cachesim_late = (uint32_t)1 << 31;

struct cachesim_cache {
  void* memory; /* of heads and blocks */
  unsigned char* heads;
  unsigned char* blocks;
  struct cachesim_filter*
      filter; /* null in all levels but the first, and there if it is the last */
  uint64_t set_count;
  uint64_t set_mask;   /* set_count - 1 if that is a power of two */
  uint64_t reciprocal; /* floor(2^64 / set_count), or 0 if set_count is a power of two */
  uint32_t ways;
  uint32_t way_mask;        /* one bit per way, up to 16 */
  uint32_t head_bytes;      /* of a set */
  uint32_t blocks_per_head; /* size of a block over size of a head */
  uint32_t stamps_offset;   /* in the block; 0 = none */
  uint32_t users_offset;    /* in the block; 0 = none */
  uint32_t ranks_offset;    /* in the head; 0 = the order is in nibbles */
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
  return cache->heads + index * cache->head_bytes;
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
static inline uint16_t* cachesim_dirty_ways(unsigned char* set) {
  return (uint16_t*)(set + 12);
}
static inline unsigned char* cachesim_block(const struct cachesim_cache* cache,
                                            unsigned char* set) {
  return cache->blocks + (uint64_t)(set - cache->heads) * cache->blocks_per_head;
}
static inline uint64_t* cachesim_words(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint64_t*)cachesim_block(cache, set);
}
static inline uint64_t* cachesim_stamps(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint64_t*)(cachesim_block(cache, set) + cache->stamps_offset);
}
static inline uint32_t* cachesim_users(const struct cachesim_cache* cache, unsigned char* set) {
  return (uint32_t*)(cachesim_block(cache, set) + cache->users_offset);
}
static inline uint32_t cachesim_get_mark(const struct cachesim_cache* cache, unsigned char* set,
                                         uint32_t way) {
  return (uint32_t)(cachesim_words(cache, set)[way] >> CACHESIM_MARK_SHIFT) & CACHESIM_MARK_MASK;
}

/* The filter may know the line of this word no longer. */
static inline void cachesim_forget(const struct cachesim_cache* cache, uint64_t word) {
  if (cache->filter != 0) {
    cache->filter->keys[cachesim_filter_entry(word)] = 0;
  }
}

/* A change of a word that all levels agree on. */
static inline void cachesim_set_word(const struct cachesim_cache* cache, unsigned char* set,
                                     uint32_t way, uint64_t word) {
  uint64_t* place = &cachesim_words(cache, set)[way];
  cachesim_forget(cache, *place);
  *place = word;
  if (cache->users_offset == 0 && cache->ranks_offset == 0) {
    const uint32_t dirty = (word >> CACHESIM_MARK_SHIFT & CACHESIM_DIRTY_MASK) != 0;
    uint16_t* ways = cachesim_dirty_ways(set);
    *ways = (uint16_t)((*ways & ~(1u << way)) | dirty << way);
  }
}
static inline void cachesim_set_mark(const struct cachesim_cache* cache, unsigned char* set,
                                     uint32_t way, uint32_t mark) {
  const uint64_t word = cachesim_words(cache, set)[way];
  cachesim_set_word(cache, set, way,
                    (word & cachesim_tag_mask) | (uint64_t)mark << CACHESIM_MARK_SHIFT);
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

static inline unsigned char cachesim_fingerprint(uint64_t line) {
  return (unsigned char)(cachesim_hash(line) >> 56);
}

/* One bit for each of 16 fingerprints that agrees. */
static inline uint32_t cachesim_match(const unsigned char* fingerprints, unsigned char wanted) {
#ifdef __SSE2__
  const __m128i all = _mm_load_si128((const __m128i*)fingerprints);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8((char)wanted)));
#else
  uint32_t found = 0;
  for (uint32_t way = 0; way < 16; ++way) {
    found |= (uint32_t)(fingerprints[way] == wanted) << way;
  }
  return found;
#endif
}

/* Way that holds `line`, or -1: of 16 ways, those whose fingerprints agree have their tags
 * compared. */
static inline int32_t cachesim_find_by(const struct cachesim_cache* cache, unsigned char* set,
                                       uint64_t line, unsigned char fingerprint) {
  const unsigned char* fingerprints = cachesim_fingerprints(set);
  for (uint32_t first = 0; first < cache->ways; first += 16) {
    uint32_t candidates = cachesim_match(fingerprints + first, fingerprint);
    for (; candidates != 0; candidates &= candidates - 1) {
      const uint32_t way = first + (uint32_t)__builtin_ctz(candidates);
      if (way < cache->ways &&
          (cachesim_words(cache, set)[way] & cachesim_tag_mask) == (line | cachesim_valid)) {
        return (int32_t)way;
      }
    }
  }
  return -1;
}

static inline int32_t cachesim_find(const struct cachesim_cache* cache, unsigned char* set,
                                    uint64_t line) {
  return cachesim_find_by(cache, set, line, cachesim_fingerprint(line));
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

static inline void cachesim_set_stamp(const struct cachesim_cache* cache, unsigned char* set,
                                      uint32_t way, uint32_t time) {
  cachesim_stamps(cache, set)[way] = (uint64_t)time << 32 | way;
}

/* The filter may answer for the line of this word, use and stamp. `stores`: in this cache a store
 * to a line that is dirty already changes nothing but the recency. */
static inline void cachesim_learn(const struct cachesim_cache* cache, const uint64_t* stamp,
                                  uint64_t word, uint32_t user, int stores) {
  const uint32_t mark = (uint32_t)(word >> CACHESIM_MARK_SHIFT) & CACHESIM_MARK_MASK;
  const int dirty = mark == (user << CACHESIM_DIRTY_BITS | CACHESIM_DIRTY_MASK);
  const uint64_t entry = cachesim_filter_entry(word);
  struct cachesim_filter* filter = cache->filter;
  filter->keys[entry] = (word & cachesim_tag_mask) | (uint64_t)user << CACHESIM_MARK_SHIFT |
                        (cachesim_store_key & (0 - (uint64_t)(stores & dirty)));
  filter->times[entry] = (uint32_t)((const unsigned char*)stamp - cache->blocks) + 4;
}

/* Makes `way` the most recently used. */
static inline void cachesim_promote(const struct cachesim_cache* cache, unsigned char* set,
                                    uint32_t way) {
  if (cache->filter != 0) {
    cachesim_set_stamp(cache, set, way, ++cache->filter->clock);
    return;
  }
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
  if (cache->filter != 0) {
    cachesim_set_stamp(cache, set, way, 0);
    return;
  }
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
  cachesim_fingerprints(set)[way] = cachesim_fingerprint(cachesim_line_of(entry));
  cachesim_set_word(cache, set, way, entry.tag | (uint64_t)entry.mark << CACHESIM_MARK_SHIFT);
  if (cache->users_offset != 0) {
    cachesim_users(cache, set)[way] = entry.user;
  }
}

static inline uint64_t cachesim_lesser(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static inline uint64_t cachesim_greater(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The way that the next new line takes: an empty one or the least recently used. */
static inline uint32_t cachesim_next_victim(const struct cachesim_cache* cache,
                                            unsigned char* set) {
  if (cache->filter == 0) {
    return cachesim_way_at(cache, set, cache->ways - 1);
  }
  const uint64_t* stamps = cachesim_stamps(cache, set);
  uint64_t oldest = stamps[0];
  for (uint32_t way = 1; way < cache->ways; ++way) {
    oldest = cachesim_lesser(oldest, stamps[way]);
  }
  return (uint32_t)oldest;
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
