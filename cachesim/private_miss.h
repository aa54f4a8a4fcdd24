/* A miss in the first level by a core that shares the line with no other, on the usual machine:
 * most of the time of a simulation goes here. The rules are those of hierarchy.c and last_level.c,
 * in one piece and without the questions whose answers are known.
 *
 * `kind` is a constant wherever these functions are used, so that each kind of machine gets code
 * of its own. */
#ifndef RIDGE_CACHESIM_PRIVATE_MISS_H
#define RIDGE_CACHESIM_PRIVATE_MISS_H

#include "cachesim/hierarchy.h"
#include "cachesim/line_access.h"
#include "cachesim/observer.h"

static inline uint32_t mark_of(uint64_t word) {
  return (uint32_t)(word >> CACHESIM_MARK_SHIFT);
}
static inline uint64_t line_of(uint64_t word) {
  return word & (cachesim_valid - 1);
}
static inline uint64_t word_of(uint64_t line, uint32_t mark) {
  return line | cachesim_valid | (uint64_t)mark << CACHESIM_MARK_SHIFT;
}
static const uint64_t dirty_word = (uint64_t)CACHESIM_DIRTY_MASK << CACHESIM_MARK_SHIFT;

/* What is to be done, and who does it. */
struct miss {
  struct cachesim* sim;
  struct cachesim_core* core;
  struct ridge_region_traffic* regions;
  uint64_t line_bytes;
  uint64_t line;
  uint64_t clean; /* its word, used by this region and not dirty */
  int write;
  uint32_t region;
  int alone; /* no other core is in use */
};

/* The last level has 16 ways and a power of two of sets, the second one as many sets as the first
 * or more. */
static inline __attribute__((always_inline)) int knows_last(const uint32_t kind) {
  return (kind & (CACHESIM_KNOWN_WAYS | CACHESIM_KNOWN_LAST_WAYS)) != 0;
}
static inline __attribute__((always_inline)) uint32_t ways_of(const struct cachesim_cache* cache,
                                                              uint32_t level, const uint32_t kind) {
  if (level == 2) {
    return knows_last(kind) ? 16 : cache->ways;
  }
  if ((kind & CACHESIM_KNOWN_UPPER_WAYS) != 0) {
    return level == 0 ? 12 : 16;
  }
  return (kind & CACHESIM_KNOWN_WAYS) != 0 ? 8 : cache->ways;
}
static inline __attribute__((always_inline)) uint32_t words_of(const struct cachesim_cache* cache,
                                                               uint32_t level,
                                                               const uint32_t kind) {
  if (level == 2) {
    return knows_last(kind) ? 16 : cache->set_words;
  }
  if ((kind & CACHESIM_KNOWN_UPPER_WAYS) != 0) {
    return 16;
  }
  return (kind & CACHESIM_KNOWN_WAYS) != 0 ? 8 : cache->set_words;
}
static inline __attribute__((always_inline)) uint32_t share_of(const struct cachesim* sim,
                                                               uint32_t share,
                                                               const uint32_t kind) {
  return knows_last(kind) ? 16u >> share : sim->share_ways[share];
}

static inline __attribute__((always_inline)) uint64_t* set_of(const struct miss* miss,
                                                              uint32_t level, uint64_t line,
                                                              const uint32_t kind) {
  const struct cachesim_cache* cache = &miss->core->views[level];
  const int known = level == 2 ? knows_last(kind)
                               : (kind & (CACHESIM_KNOWN_WAYS | CACHESIM_KNOWN_UPPER_WAYS)) != 0;
  return known ? cache->words + (line & cache->set_mask) * words_of(cache, level, kind)
               : cachesim_set_of(cache, line);
}

/* One bit for the way that has the line. */
static inline __attribute__((always_inline)) uint32_t find(const struct miss* miss, uint32_t level,
                                                           const uint64_t* set, uint64_t line,
                                                           const uint32_t kind) {
  return cachesim_match(set, words_of(&miss->core->views[level], level, kind),
                        line | cachesim_valid);
}

/* Traffic that the region of a mark pays for. */
static inline __attribute__((always_inline)) void add_memory(const struct miss* miss,
                                                             uint32_t share, uint64_t word) {
  struct ridge_region_traffic* traffic = &miss->regions[cachesim_owner_of(mark_of(word))];
  (share == 0   ? &traffic->crossed[2]
   : share == 1 ? &traffic->memory_at_half
                : &traffic->memory_at_quarter)
      ->written += miss->line_bytes;
}

/* `word` was the last one of a share of the last level before lines moved on by one, where `moved`
 * has bits. Not before they move: the processor waits for a word that was just written where it
 * takes eight at a time. */
static inline __attribute__((always_inline)) void leave_share(const struct miss* miss,
                                                              uint64_t* set, uint32_t share,
                                                              uint64_t word, uint32_t moved,
                                                              const uint32_t kind) {
  const uint32_t ways = share_of(miss->sim, share, kind);
  const uint64_t dirty = (uint64_t)1 << (CACHESIM_MARK_SHIFT + share);
  if ((word & dirty) != 0 && (moved >> (ways & 31) & 1) != 0) {
    add_memory(miss, share, word);
    set[ways] &= ~dirty;
  }
}

static inline __attribute__((always_inline)) void insert_last(const struct miss* miss,
                                                              uint64_t* set, uint64_t word,
                                                              const uint32_t kind) {
  const struct cachesim_cache* last = &miss->core->views[2];
  const uint32_t words = words_of(last, 2, kind);
  const uint32_t room = ~cachesim_filled(set, words) | (uint32_t)1 << (ways_of(last, 2, kind) - 1);
  const uint32_t moved = room ^ (room - 1);
  const uint64_t displaced = set[__builtin_ctz(room)];
  const uint64_t last_of_half = set[share_of(miss->sim, 1, kind) - 1];
  const uint64_t last_of_quarter = set[share_of(miss->sim, 2, kind) - 1];
  cachesim_push(set, words, word, moved);
  leave_share(miss, set, 1, last_of_half, moved, kind);
  leave_share(miss, set, 2, last_of_quarter, moved, kind);
  if (__builtin_expect((displaced & dirty_word) != 0, 0)) {
    for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
      if ((mark_of(displaced) >> share & 1) != 0) {
        add_memory(miss, share, displaced);
      }
    }
  }
}

/* The last level has the line that comes down. */
static __attribute__((noinline)) void write_last(struct cachesim* sim, struct cachesim_core* core,
                                                 uint64_t word, uint32_t user) {
  const struct cachesim_write_back down = {line_of(word), cachesim_dirty_of(mark_of(word)),
                                           cachesim_owner_of(mark_of(word)), user};
  cachesim_last_write_into(sim, core, &down);
}

/* The first level has a copy of a line that the inclusive second level gives up: the copy adds to
 * the line's word. Whether it was dirty. */
static __attribute__((noinline)) int leave_first(struct cachesim* sim, struct cachesim_core* core,
                                                 uint64_t* set, uint32_t found, uint64_t* word) {
  const struct cachesim_entry copy =
      cachesim_remove(core->caches[0], set, (uint32_t)__builtin_ctz(found));
  if (cachesim_dirty_of(copy.mark) == 0) {
    return 0;
  }
  cachesim_add_written(sim, 0, cachesim_owner_of(copy.mark), sim->line_bytes);
  *word = word_of(line_of(*word), copy.mark | cachesim_dirty_of(mark_of(*word)));
  return 1;
}

/* The second level gives up a line. `first`: the set of the first level of the line that is to come
 * in; where the last level is known that of the one to go too. */
static inline __attribute__((always_inline)) void leave_second(const struct miss* miss,
                                                               uint64_t* first, uint64_t word,
                                                               uint32_t user, const uint32_t kind) {
  const int to_victim = (kind & CACHESIM_LAST_IS_VICTIM) != 0;
  const int inclusive = (kind & CACHESIM_SECOND_IS_INCLUSIVE) != 0;
  const uint64_t line = line_of(word);
  if (inclusive) {
    uint64_t* set = knows_last(kind) ? first : set_of(miss, 0, line, kind);
    const uint32_t found = find(miss, 0, set, line, kind);
    if (__builtin_expect(found != 0, 0)) {
      uint64_t merged = word;
      user &= leave_first(miss->sim, miss->core, set, found, &merged) ? ~cachesim_carried : ~0u;
      word = merged;
    }
  }
  const uint32_t last_user = user & ~cachesim_carried;
  if ((word & dirty_word) == 0) {
    if (!to_victim) {
      return;
    }
    word = word_of(line, cachesim_mark(last_user, 0));
  }
  const uint64_t dirty = word & (uint64_t)1 << CACHESIM_MARK_SHIFT;
  if (to_victim || dirty != 0) {
    const uint32_t payer =
        dirty != 0 && user == last_user ? cachesim_owner_of(mark_of(word)) : last_user;
    miss->regions[payer].crossed[1].written += miss->line_bytes;
  }
  uint64_t* set = set_of(miss, 2, line, kind);
  /* One core's victim cache never has what the caches above it have. */
  if (!(to_victim && inclusive && miss->alone) && find(miss, 2, set, line, kind) != 0) {
    write_last(miss->sim, miss->core, word, last_user);
    return;
  }
  insert_last(miss, set, word, kind);
}

/* A hit in a victim cache takes the line out of it. */
static inline __attribute__((always_inline)) uint64_t take_from_victim(const struct miss* miss,
                                                                       uint64_t* set, uint32_t way,
                                                                       const uint32_t kind) {
  struct ridge_region_traffic* traffic = &miss->regions[miss->region];
  if (way >= share_of(miss->sim, 1, kind)) {
    traffic->memory_at_half.read += miss->line_bytes;
  }
  if (way >= share_of(miss->sim, 2, kind)) {
    traffic->memory_at_quarter.read += miss->line_bytes;
  }
  const uint64_t word = set[way];
  set[way] = 0;
  return word;
}

/* What the levels below the first say of a line. */
struct found_below {
  uint64_t word; /* for the second level */
  int known; /* the line is in the footprint of the region, if a write makes it dirty there too */
};

/* cachesim_last_fetch where the line is there and stays. */
static __attribute__((noinline)) uint64_t fetch_again(struct cachesim* sim,
                                                      struct cachesim_core* core, uint64_t line,
                                                      uint32_t region) {
  struct cachesim_entry entry = {line | cachesim_valid, cachesim_mark(region, 0), region};
  cachesim_last_fetch(sim, core, region, 0, &entry);
  return word_of(line, entry.mark);
}

/* Reads the line from the last level or from memory. */
static inline __attribute__((always_inline)) struct found_below fetch_last(const struct miss* miss,
                                                                           const uint32_t kind) {
  uint64_t* set = set_of(miss, 2, miss->line, kind);
  struct ridge_region_traffic* traffic = &miss->regions[miss->region];
  const uint32_t bit = find(miss, 2, set, miss->line, kind);
  struct found_below found = {miss->clean, 0};
  if (bit == 0) {
    cachesim_count_memory_line(miss->sim, miss->line, miss->region);
    traffic->crossed[2].read += miss->line_bytes;
    traffic->memory_at_half.read += miss->line_bytes;
    traffic->memory_at_quarter.read += miss->line_bytes;
    if ((kind & CACHESIM_LAST_IS_VICTIM) == 0) {
      insert_last(miss, set, miss->clean, kind);
    }
    return found;
  }
  const uint32_t way = (uint32_t)__builtin_ctz(bit);
  const uint64_t word =
      (kind & CACHESIM_LAST_IS_VICTIM) != 0 ? take_from_victim(miss, set, way, kind) : set[way];
  if ((kind & CACHESIM_LAST_IS_VICTIM) == 0) {
    found.word = fetch_again(miss->sim, miss->core, miss->line, miss->region);
  } else if ((word & dirty_word) != 0) {
    found.word = word;
  }
  /* The owner of a clean line there is the region that used it last. */
  if (((word ^ miss->clean) & ~dirty_word) == 0 && (!miss->write || (word & dirty_word) != 0)) {
    found.known = 1;
  }
  return found;
}

/* A new line in the set of the second level; what it displaces goes down. */
static inline __attribute__((always_inline)) void insert_second(const struct miss* miss,
                                                                uint64_t* first, uint64_t* set,
                                                                uint64_t word, uint32_t user,
                                                                const uint32_t kind) {
  const struct cachesim_cache* second = &miss->core->views[1];
  uint32_t* users = cachesim_users(second, set);
  const uint32_t last = ways_of(second, 1, kind) - 1;
  const uint32_t words = words_of(second, 1, kind);
  const uint32_t all = ~(uint32_t)0 >> (31 - last);
  const uint64_t displaced = set[last];
  const uint32_t displaced_user = users[last];
  cachesim_push(set, words, word, all);
  cachesim_push_user(users, words, user, all);
  if (displaced != 0) {
    leave_second(miss, first, displaced, displaced_user, kind);
  }
}

/* The line of the second level where `bit` is becomes the latest one, as `word`. */
static inline __attribute__((always_inline)) void renew_second(const struct miss* miss,
                                                               uint64_t* set, uint32_t bit,
                                                               uint64_t word, uint32_t user,
                                                               const uint32_t kind) {
  const struct cachesim_cache* second = &miss->core->views[1];
  const uint32_t words = words_of(second, 1, kind);
  const uint32_t moved = bit ^ (bit - 1);
  cachesim_push(set, words, word, moved);
  cachesim_push_user(cachesim_users(second, set), words, user, moved);
}

/* The first level gives up a dirty line. */
static inline __attribute__((always_inline)) void write_second(const struct miss* miss,
                                                               uint64_t* first, uint64_t word,
                                                               const uint32_t kind) {
  const uint64_t line = line_of(word);
  const uint32_t owner = cachesim_owner_of(mark_of(word));
  uint64_t* set = set_of(miss, 1, line, kind);
  const uint32_t bit = find(miss, 1, set, line, kind);
  miss->regions[owner].crossed[0].written += miss->line_bytes;
  if (bit != 0) {
    renew_second(miss, set, bit, word, owner, kind);       /* dirty in every share */
  } else if ((kind & CACHESIM_SECOND_IS_INCLUSIVE) == 0) { /* else it has what the first one has */
    insert_second(miss, first, set, word, owner, kind);
  }
}

static inline __attribute__((always_inline)) void insert_first(const struct miss* miss,
                                                               uint64_t* set, const uint32_t kind) {
  const struct cachesim_cache* first = &miss->core->views[0];
  struct cachesim_filter* filter = first->filter;
  uint64_t* stamps = cachesim_stamps(first, set);
  const uint32_t way = (uint32_t)cachesim_least(stamps, words_of(first, 0, kind));
  const uint64_t displaced = set[way];
  set[way] = miss->write ? miss->clean | dirty_word : miss->clean;
  cachesim_users(first, set)[way] = miss->region;
  stamps[way] = (uint64_t)++filter->clock << 32 | way;
  filter->keys[cachesim_filter_entry(displaced)] = 0;
  if (miss->sim->observer == 0 || !cachesim_is_sampled(miss->line, RIDGE_LOCALITY_SHIFT)) {
    const uint64_t entry = cachesim_filter_entry(miss->line);
    filter->keys[entry] = miss->line | cachesim_valid |
                          (uint64_t)miss->region << CACHESIM_MARK_SHIFT |
                          (uint64_t)(miss->write != 0) << 63;
    filter->times[entry] = (uint32_t)(8 * (stamps - first->stamps + way) + 4);
  }
  if ((displaced & dirty_word) != 0) {
    write_second(miss, set, displaced, kind);
  }
}

/* `first`: the line's set of the first level. True if the levels below show that the line is in
 * the footprint of the region: they know the last region that used the line, and the one that
 * dirtied it. */
static inline __attribute__((always_inline)) int private_miss(const struct miss* miss,
                                                              uint64_t* first,
                                                              const uint32_t kind) {
  uint64_t* set = set_of(miss, 1, miss->line, kind);
  const uint32_t bit = find(miss, 1, set, miss->line, kind);
  struct ridge_region_traffic* traffic = &miss->regions[miss->region];
  int known = 0;
  traffic->crossed[0].read += miss->line_bytes;
  if (bit != 0) {
    const uint32_t way = (uint32_t)__builtin_ctz(bit);
    const uint64_t word = set[way];
    const uint32_t last_user = cachesim_users(&miss->core->views[1], set)[way];
    known = (last_user & ~cachesim_carried) == miss->region &&
            (!miss->write || word == (miss->clean | dirty_word));
    renew_second(miss, set, bit, word, miss->region | (last_user & cachesim_carried), kind);
  } else {
    traffic->crossed[1].read += miss->line_bytes;
    if (__builtin_expect(miss->sim->measures_distance, 0)) {
      cachesim_note_distance(miss->sim, miss->line);
    }
    const struct found_below found = fetch_last(miss, kind);
    const uint32_t carried = (found.word & dirty_word) != 0 ? cachesim_carried : 0;
    known = found.known;
    insert_second(miss, first, set, found.word, miss->region | carried, kind);
  }
  insert_first(miss, first, kind);
  return known;
}

#endif
