/* A miss in the first level by a core that shares the line with no other, on the usual machine:
 * most of the time of a simulation goes here. The rules are those of hierarchy.c and last_level.c,
 * in one piece and without the questions whose answers are known. Part of cachesim.c. */
#ifndef RIDGE_CACHESIM_PRIVATE_MISS_H
#define RIDGE_CACHESIM_PRIVATE_MISS_H

#include "cachesim/hierarchy.h"

static inline uint32_t mark_of(uint64_t word) {
  return (uint32_t)(word >> CACHESIM_MARK_SHIFT) & CACHESIM_MARK_MASK;
}
static inline uint64_t line_of(uint64_t word) {
  return word & cachesim_tag_mask & ~cachesim_valid;
}
static inline uint64_t word_of(uint64_t line, uint32_t mark) {
  return line | cachesim_valid | (uint64_t)mark << CACHESIM_MARK_SHIFT;
}

/* The way, if one of `candidates`, the marked bytes of eight fingerprints, holds the line, else -1.
 */
static inline int32_t confirm(const uint64_t* words, uint32_t ways, uint64_t tag,
                              uint64_t candidates) {
  for (; candidates != 0; candidates &= candidates - 1) {
    const uint32_t way = (uint32_t)__builtin_ctzll(candidates) >> 3;
    if (way < ways && (words[way] & cachesim_tag_mask) == tag) {
      return (int32_t)way;
    }
  }
  return -1;
}

/* cachesim_find for at most 16 ways; most lines are not there. */
static inline int32_t find(const struct cachesim_cache* cache, unsigned char* set, uint64_t line,
                           uint64_t pattern) {
  const uint64_t* fingerprints = (const uint64_t*)cachesim_fingerprints(set);
  const uint64_t low = cachesim_zero_bytes(fingerprints[0] ^ pattern);
  const uint64_t high = cache->ways > 8 ? cachesim_zero_bytes(fingerprints[1] ^ pattern) : 0;
  if (__builtin_expect((low | high) == 0, 1)) {
    return -1;
  }
  const uint64_t* words = cachesim_words(cache, set);
  const uint64_t tag = line | cachesim_valid;
  const int32_t way = confirm(words, cache->ways, tag, low);
  if (way >= 0 || high == 0) {
    return way;
  }
  const int32_t above = confirm(words + 8, cache->ways - 8, tag, high);
  return above >= 0 ? above + 8 : -1;
}

/* The way of the least recent line becomes the most recent one. */
static inline uint64_t turn_over(const struct cachesim_cache* cache, unsigned char* set) {
  const uint64_t order = *cachesim_order(set);
  const uint32_t shift = 4 * (cache->ways - 1) & 63; /* at most 16 ways */
  const uint64_t way = order >> shift;
  *cachesim_order(set) = (order ^ way << shift) << 4 | way;
  return way;
}

/* A new line in the set of a level with users; returns the word that it displaces. */
static inline uint64_t insert(const struct cachesim_cache* cache, unsigned char* set, uint64_t word,
                              unsigned char fingerprint, uint32_t user, uint32_t* displaced_user) {
  const uint64_t way = turn_over(cache, set);
  uint64_t* words = cachesim_words(cache, set);
  uint32_t* users = cachesim_users(cache, set);
  const uint64_t displaced = words[way];
  *displaced_user = users[way];
  words[way] = word;
  users[way] = user;
  cachesim_fingerprints(set)[way] = fingerprint;
  return displaced;
}

/* Programs often go on with the next line, whose set is the next one. The sets of the last level
 * are more than the caches of the machine that simulates hold beside the program's own data. */
static inline void prefetch_next(const struct cachesim_cache* last, const unsigned char* set) {
  enum { LINE_BYTES = 64 };
  for (uint32_t ahead = 0; ahead < last->stride; ahead += LINE_BYTES) {
    __builtin_prefetch(set + last->stride + ahead, 1);
  }
}

/* The word of the last level's line of this rank, counted from 1. */
static inline uint64_t* word_at(const struct cachesim_cache* last, unsigned char* set,
                                uint32_t rank) {
  return &cachesim_words(last, set)[*cachesim_order(set) >> (4 * rank - 4) & 15];
}

/* A new line enters the set: the share takes it and, when full, gives up its least recent one. */
static inline void enter_share(struct cachesim* sim, const struct cachesim_cache* last,
                               unsigned char* set, uint32_t share) {
  uint16_t* held = &cachesim_held(set)[share - 1];
  if (*held < sim->share_ways[share]) {
    ++*held;
    return;
  }
  uint64_t* word = word_at(last, set, *held);
  const uint64_t dirty = (uint64_t)1 << (CACHESIM_MARK_SHIFT + share);
  if ((*word & dirty) != 0) {
    cachesim_memory_traffic(sim, share, cachesim_owner_of(mark_of(*word)))->written +=
        sim->line_bytes;
    *word &= ~dirty;
  }
}

static inline void insert_last(struct cachesim* sim, const struct cachesim_cache* last,
                               unsigned char* set, uint64_t word, unsigned char fingerprint) {
  enter_share(sim, last, set, 1);
  enter_share(sim, last, set, 2);
  const uint64_t way = turn_over(last, set);
  uint64_t* words = cachesim_words(last, set);
  const uint32_t mark = mark_of(words[way]);
  words[way] = word;
  cachesim_fingerprints(set)[way] = fingerprint;
  for (uint32_t share = 0; cachesim_dirty_of(mark) >> share != 0; ++share) {
    if ((mark >> share & 1) != 0) {
      cachesim_memory_traffic(sim, share, cachesim_owner_of(mark))->written += sim->line_bytes;
    }
  }
}

/* The copy of a line that the inclusive second level gives up adds to the line's mark. Whether it
 * was dirty. */
static inline int leave_first(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                              uint64_t pattern, uint32_t* mark) {
  const struct cachesim_cache* first = core->caches[0];
  unsigned char* set = cachesim_set_of(first, line);
  const int32_t way = find(first, set, line, pattern);
  if (way < 0) {
    return 0;
  }
  const struct cachesim_entry copy = cachesim_remove(first, set, (uint32_t)way);
  if (cachesim_dirty_of(copy.mark) == 0) {
    return 0;
  }
  cachesim_add_written(sim, 0, cachesim_owner_of(copy.mark), sim->line_bytes);
  *mark = copy.mark | cachesim_dirty_of(*mark);
  return 1;
}

/* The second level gives up a line. */
static inline void leave_second(struct cachesim* sim, struct cachesim_core* core, uint64_t word,
                                uint32_t user) {
  const uint64_t line = line_of(word);
  const uint64_t pattern = cachesim_pattern(line);
  uint32_t mark = mark_of(word);
  int carried = (user & cachesim_carried) != 0;
  user &= ~cachesim_carried;
  if (cachesim_is_inclusive(sim, 1)) {
    carried = !leave_first(sim, core, line, pattern, &mark) && carried;
  }
  const uint32_t dirty = cachesim_dirty_of(mark);
  const uint32_t owner = cachesim_owner_of(mark);
  const int to_victim = cachesim_is_victim(sim, 2);
  if (dirty == 0 && !to_victim) {
    return;
  }
  if ((dirty & 1) != 0 || to_victim) {
    cachesim_add_written(sim, 1, (dirty & 1) != 0 && !carried ? owner : user, sim->line_bytes);
  }
  const struct cachesim_cache* last = core->caches[2];
  unsigned char* set = cachesim_set_of(last, line);
  prefetch_next(last, set);
  /* One core's victim cache never has what the caches above it have. */
  const int absent = to_victim && sim->active_count == 1 && cachesim_is_inclusive(sim, 1);
  if (!absent && find(last, set, line, pattern) >= 0) {
    const struct cachesim_write_back down = {line, dirty, owner, user};
    cachesim_last_write_into(sim, core, &down);
    return;
  }
  const uint32_t arrives = cachesim_mark(dirty != 0 ? owner : user, dirty);
  insert_last(sim, last, set, word_of(line, arrives), (unsigned char)pattern);
}

/* A hit in a victim cache takes the line out of it. */
static inline uint32_t take_from_victim(const struct cachesim* sim,
                                        const struct cachesim_cache* last, unsigned char* set,
                                        uint32_t way, struct ridge_region_traffic* traffic) {
  uint64_t* order = cachesim_order(set);
  const uint32_t shift = cachesim_nibble_of(*order, way);
  const uint32_t rank = shift / 4;
  uint16_t* held = cachesim_held(set);
  if (rank < held[0]) {
    --held[0];
  } else {
    traffic->memory_at_half.read += sim->line_bytes;
  }
  if (rank < held[1]) {
    --held[1];
  } else {
    traffic->memory_at_quarter.read += sim->line_bytes;
  }
  const uint64_t below = ((uint64_t)1 << shift) - 1;
  *order = (*order & below) | (*order >> 4 & ~below) | (uint64_t)way << 4 * (last->ways - 1);
  uint64_t* word = &cachesim_words(last, set)[way];
  const uint32_t mark = mark_of(*word);
  *word = 0;
  cachesim_fingerprints(set)[way] = 0;
  return mark;
}

/* Reads the line from the last level or from memory; returns the mark that it brings along. */
static inline uint32_t fetch_last(struct cachesim* sim, struct cachesim_core* core,
                                  const struct cachesim_piece* piece, uint64_t pattern) {
  const struct cachesim_cache* last = core->caches[2];
  struct ridge_region_traffic* traffic = &sim->regions[piece->region];
  unsigned char* set = cachesim_set_of(last, piece->line);
  prefetch_next(last, set);
  const int32_t found = find(last, set, piece->line, pattern);
  const uint32_t clean = cachesim_mark(piece->region, 0);
  if (found < 0) {
    traffic->crossed[2].read += sim->line_bytes;
    traffic->memory_at_half.read += sim->line_bytes;
    traffic->memory_at_quarter.read += sim->line_bytes;
    if (!cachesim_is_victim(sim, 2)) {
      insert_last(sim, last, set, word_of(piece->line, clean), (unsigned char)pattern);
    }
    return clean;
  }
  if (cachesim_is_victim(sim, 2)) {
    const uint32_t mark = take_from_victim(sim, last, set, (uint32_t)found, traffic);
    return cachesim_dirty_of(mark) != 0 ? mark : clean;
  }
  struct cachesim_entry entry = {piece->line | cachesim_valid, clean, piece->region};
  cachesim_last_fetch(sim, core, piece->region, 0, &entry);
  return entry.mark;
}

/* The first level gives up a dirty line. */
static inline void write_second(struct cachesim* sim, struct cachesim_core* core, uint64_t word) {
  const struct cachesim_cache* second = core->caches[1];
  const uint64_t line = line_of(word);
  const uint64_t pattern = cachesim_pattern(line);
  const uint32_t owner = cachesim_owner_of(mark_of(word));
  unsigned char* set = cachesim_set_of(second, line);
  const int32_t way = find(second, set, line, pattern);
  cachesim_add_written(sim, 0, owner, sim->line_bytes);
  if (way >= 0) {
    cachesim_promote(second, set, (uint32_t)way);
    cachesim_words(second, set)[way] = word; /* dirty in every share */
    cachesim_users(second, set)[way] = owner;
    return;
  }
  uint32_t user = 0;
  const uint64_t displaced = insert(second, set, word, (unsigned char)pattern, owner, &user);
  if (displaced != 0) {
    leave_second(sim, core, displaced, user);
  }
}

/* `first_set`: the line's set of the first level; `pattern`: cachesim_pattern of the line. True if
 * the second level shows that the line is in the footprint of the region: it knows the last region
 * that used the line there, and the one that dirtied it. */
static inline int private_miss(struct cachesim* sim, struct cachesim_core* core,
                               unsigned char* first_set, uint64_t pattern,
                               const struct cachesim_piece* piece) {
  const struct cachesim_cache* second = core->caches[1];
  unsigned char* set = cachesim_set_of(second, piece->line);
  const int32_t way = find(second, set, piece->line, pattern);
  struct ridge_region_traffic* traffic = &sim->regions[piece->region];
  const int write = piece->flags != 0;
  const uint32_t mark = cachesim_mark(piece->region, write ? CACHESIM_DIRTY_MASK : 0);
  uint32_t user = 0;
  int known = 0;
  traffic->crossed[0].read += sim->line_bytes;
  if (way >= 0) {
    uint32_t* last_user = &cachesim_users(second, set)[way];
    known = (*last_user & ~cachesim_carried) == piece->region &&
            (!write || cachesim_get_mark(second, set, (uint32_t)way) == mark);
    cachesim_promote(second, set, (uint32_t)way);
    *last_user = piece->region | (*last_user & cachesim_carried);
  } else {
    traffic->crossed[1].read += sim->line_bytes;
    const uint32_t brought = fetch_last(sim, core, piece, pattern);
    const uint32_t carried = cachesim_dirty_of(brought) != 0 ? cachesim_carried : 0;
    const uint64_t displaced = insert(second, set, word_of(piece->line, brought),
                                      (unsigned char)pattern, piece->region | carried, &user);
    if (displaced != 0) {
      leave_second(sim, core, displaced, user);
    }
  }
  const struct cachesim_cache* first = core->caches[0];
  core->guesses[cachesim_guess_index(piece->line)] =
      (uint16_t)cachesim_next_victim(first, first_set);
  const uint64_t displaced = insert(first, first_set, word_of(piece->line, mark),
                                    (unsigned char)pattern, piece->region, &user);
  if (cachesim_dirty_of(mark_of(displaced)) != 0) {
    write_second(sim, core, displaced);
  }
  return known;
}

#endif
