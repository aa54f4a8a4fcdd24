/* One set-associative LRU cache without data. Internal to cachesim, inline for speed.
 *
 * A set is an array of words, one per way, padded to a multiple of 8; beside it, in arrays of their
 * own with the same distances, what else is known of its lines:
 *   uint64_t words[];  0 = empty, else mark << 43 | bit 42 | line number;
 *                      mark = region that dirtied the line << 3 | dirty bits
 *   uint32_t users[];  region that used the line last; absent in the last level
 *   uint64_t stamps[]; in a cache with a filter, where lines stay at their way: time of the last
 *                      use (0 = empty) << 32 | way
 * In the other caches the words stand in the order of recency, the latest first. Where a line is
 * taken away, those behind it close up. Only in the last level the gap stays, and the next line to
 * enter or to become the latest fills it: the lines before it move on by one. So the first n ways
 * always are the cache with n ways, whatever was taken away (last_level.c). */
#ifndef RIDGE_CACHESIM_CACHE_H
#define RIDGE_CACHESIM_CACHE_H

#include <stdint.h>

#include "cachesim/set_vectors.h"

/* The machine itself and the machines with 1/2 and 1/4 of the last level each have a dirty bit: a
 * victim cache hands a line up dirty in one and clean in another. */
enum { CACHESIM_SHARES = 3 };
enum { CACHESIM_DIRTY_BITS = 3, CACHESIM_DIRTY_MASK = 7 };

static const uint64_t cachesim_valid = (uint64_t)1 << 42;
enum { CACHESIM_MARK_SHIFT = CACHESIM_TAG_BITS, CACHESIM_MARK_MASK = (1 << 21) - 1 };
static const uint64_t cachesim_tag_mask = ((uint64_t)1 << CACHESIM_TAG_BITS) - 1;

/* What the first level knows by heart: the accesses that hit and change nothing but the recency.
 * A key is 0 or
 *     bit 63 if stores are meant too | region << 43 | bit 42 | line number
 * of a line that is in the cache; whatever changes the line there forgets the key. */
enum { CACHESIM_FILTER_BITS = 10, CACHESIM_FILTER_ENTRIES = 1 << CACHESIM_FILTER_BITS };
struct cachesim_filter {
  uint32_t clock; /* time of the last use of any line */
  uint64_t keys[CACHESIM_FILTER_ENTRIES];
  uint32_t times[CACHESIM_FILTER_ENTRIES]; /* where the time of that line is: offset in stamps */
};
static const uint64_t cachesim_store_key = (uint64_t)1 << 63;
/* Lines at distances of a power of two have different entries. `line`: or a word or key of it. */
static inline uint64_t cachesim_filter_entry(uint64_t line) {
  return (line ^ line >> CACHESIM_FILTER_BITS) % CACHESIM_FILTER_ENTRIES;
}
/* A time in its stamp (little-endian: the upper half). */
typedef uint32_t __attribute__((may_alias)) cachesim_time;
/* From this time on the clock has to be set back. Times start above the number of ways. */
static const uint32_t cachesim_late = (uint32_t)1 << 31;

struct cachesim_cache {
  void* memory; /* of all arrays */
  uint64_t* words;
  uint64_t* stamps; /* null without a filter */
  uint32_t* users;  /* null in the last level */
  struct cachesim_filter*
      filter; /* null in all levels but the first, and there if it is the last */
  uint64_t set_count;
  uint64_t set_mask;   /* set_count - 1 if that is a power of two */
  uint64_t reciprocal; /* floor(2^64 / set_count), or 0 if set_count is a power of two */
  uint32_t ways;
  uint32_t set_words;   /* ways, padded */
  uint32_t closes_gaps; /* neither the last level nor with a filter */
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
static inline uint64_t* cachesim_set_of(const struct cachesim_cache* cache, uint64_t line) {
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
  return cache->words + index * cache->set_words;
}

static inline uint64_t* cachesim_stamps(const struct cachesim_cache* cache, const uint64_t* set) {
  return cache->stamps + (set - cache->words);
}
static inline uint32_t* cachesim_users(const struct cachesim_cache* cache, const uint64_t* set) {
  return cache->users + (set - cache->words);
}
static inline uint32_t cachesim_get_mark(const uint64_t* set, uint32_t way) {
  return (uint32_t)(set[way] >> CACHESIM_MARK_SHIFT) & CACHESIM_MARK_MASK;
}

/* The filter may know the line of this word no longer. */
static inline void cachesim_forget(const struct cachesim_cache* cache, uint64_t word) {
  if (cache->filter != 0) {
    cache->filter->keys[cachesim_filter_entry(word)] = 0;
  }
}

static inline void cachesim_set_word(const struct cachesim_cache* cache, uint64_t* set,
                                     uint32_t way, uint64_t word) {
  cachesim_forget(cache, set[way]);
  set[way] = word;
}
static inline void cachesim_set_mark(const struct cachesim_cache* cache, uint64_t* set,
                                     uint32_t way, uint32_t mark) {
  cachesim_set_word(cache, set, way,
                    (set[way] & cachesim_tag_mask) | (uint64_t)mark << CACHESIM_MARK_SHIFT);
}
static inline uint64_t cachesim_hash(uint64_t line) {
  return line * UINT64_C(0x9e3779b97f4a7c15);
}
static inline uint64_t cachesim_line_of(struct cachesim_entry entry) {
  return entry.tag & ~cachesim_valid;
}

/* Way that holds `line`, or -1. */
static inline int32_t cachesim_find(const struct cachesim_cache* cache, const uint64_t* set,
                                    uint64_t line) {
  for (uint32_t first = 0; first < cache->ways; first += 8) {
    const uint32_t found = cachesim_match8(set + first, line | cachesim_valid);
    if (found != 0) {
      return (int32_t)(first + (uint32_t)__builtin_ctz(found));
    }
  }
  return -1;
}

/* The first empty way before `end`, or `end`. */
static inline uint32_t cachesim_first_gap(const uint64_t* set, uint32_t end) {
  uint32_t way = 0;
  while (way < end && set[way] != 0) {
    ++way;
  }
  return way;
}

static inline void cachesim_set_stamp(const struct cachesim_cache* cache, const uint64_t* set,
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
  filter->times[entry] = (uint32_t)((stamp - cache->stamps) * 8 + 4);
}

static inline struct cachesim_entry cachesim_read_way(const struct cachesim_cache* cache,
                                                      const uint64_t* set, uint32_t way) {
  const struct cachesim_entry entry = {set[way] & cachesim_tag_mask, cachesim_get_mark(set, way),
                                       cache->users != 0 ? cachesim_users(cache, set)[way] : 0};
  return entry;
}

static inline void cachesim_write_way(const struct cachesim_cache* cache, uint64_t* set,
                                      uint32_t way, struct cachesim_entry entry) {
  cachesim_set_word(cache, set, way, entry.tag | (uint64_t)entry.mark << CACHESIM_MARK_SHIFT);
  if (cache->users != 0) {
    cachesim_users(cache, set)[way] = entry.user;
  }
}

/* The ways before `end` move on by one: the first one is to be written. */
static inline void cachesim_make_room(const struct cachesim_cache* cache, uint64_t* set,
                                      uint32_t end) {
  for (uint32_t way = end; way > 0; --way) {
    set[way] = set[way - 1];
  }
  if (cache->users != 0) {
    uint32_t* users = cachesim_users(cache, set);
    for (uint32_t way = end; way > 0; --way) {
      users[way] = users[way - 1];
    }
  }
}

/* Makes the line at `way` the most recently used; returns the way where it is now. */
static inline uint32_t cachesim_promote(const struct cachesim_cache* cache, uint64_t* set,
                                        uint32_t way) {
  if (cache->filter != 0) {
    cachesim_set_stamp(cache, set, way, ++cache->filter->clock);
    return way;
  }
  const struct cachesim_entry entry = cachesim_read_way(cache, set, way);
  set[way] = 0;
  cachesim_make_room(cache, set, cachesim_first_gap(set, way));
  cachesim_write_way(cache, set, 0, entry);
  return 0;
}

static inline uint64_t cachesim_greater(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Whose line the next new one displaces: an empty way or the least recently used. */
static inline uint32_t cachesim_next_victim(const struct cachesim_cache* cache,
                                            const uint64_t* set) {
  if (cache->filter == 0) {
    return cachesim_first_gap(set, cache->ways - 1);
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
                                                    uint64_t* set, struct cachesim_entry entry) {
  uint32_t way = cachesim_next_victim(cache, set);
  const struct cachesim_entry displaced = cachesim_read_way(cache, set, way);
  if (cache->filter == 0) {
    cachesim_make_room(cache, set, way);
    way = 0;
  } else {
    cachesim_set_stamp(cache, set, way, ++cache->filter->clock);
  }
  cachesim_write_way(cache, set, way, entry);
  return displaced;
}

static inline struct cachesim_entry cachesim_remove(const struct cachesim_cache* cache,
                                                    uint64_t* set, uint32_t way) {
  const struct cachesim_entry entry = cachesim_read_way(cache, set, way);
  const struct cachesim_entry empty = {0, 0, 0};
  for (; cache->closes_gaps != 0 && way + 1 < cache->ways && set[way + 1] != 0; ++way) {
    cachesim_write_way(cache, set, way, cachesim_read_way(cache, set, way + 1));
  }
  cachesim_write_way(cache, set, way, empty);
  if (cache->filter != 0) {
    cachesim_set_stamp(cache, set, way, 0);
  }
  return entry;
}

#endif
