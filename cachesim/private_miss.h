/* A miss in the first level by a core that shares the line with no other, on the usual machine:
 * most of the time of a simulation goes here. The rules are those of hierarchy.c and last_level.c,
 * in one piece and without the questions whose answers are known. Part of cachesim.c.
 *
 * `kind` is a constant wherever these functions are used, so that each kind of machine gets code
 * of its own. */
#ifndef RIDGE_CACHESIM_PRIVATE_MISS_H
#define RIDGE_CACHESIM_PRIVATE_MISS_H

#include "cachesim/hierarchy.h"
#include "cachesim/observer.h"

/* Of the machine: policies; known ways: 8, 8 and 16 of them, and sets in powers of two, as on Zen
 * to Zen 4, where the compiler then does most of the arithmetic. */
enum { SECOND_IS_INCLUSIVE = 1, LAST_IS_VICTIM = 2, KNOWN_WAYS = 4 };

static inline uint32_t mark_of(uint64_t word) {
  return (uint32_t)(word >> CACHESIM_MARK_SHIFT) & CACHESIM_MARK_MASK;
}
static inline uint64_t line_of(uint64_t word) {
  return word & cachesim_tag_mask & ~cachesim_valid;
}
static inline uint64_t word_of(uint64_t line, uint32_t mark) {
  return line | cachesim_valid | (uint64_t)mark << CACHESIM_MARK_SHIFT;
}

/* The set of a line in one of the three levels. */
struct place {
  const struct cachesim_cache* cache;
  unsigned char* set;
  uint64_t* words;
  uint64_t* stamps; /* first level */
  uint32_t* users;  /* first and second */
  uint32_t ways;
};

static inline __attribute__((always_inline)) struct place find_place(
    const struct cachesim_core* core, uint32_t level, uint64_t line, const int kind) {
  const struct cachesim_cache* cache = core->caches[level];
  struct place place = {cache, 0, 0, 0, 0, 0};
  unsigned char* block = 0;
  if ((kind & KNOWN_WAYS) != 0) {
    enum { HEAD_BYTES = 32 };
    const uint64_t index = line & cache->set_mask;
    place.ways = level == 2 ? 16 : 8;
    block = cache->blocks + index * (level == 0 ? 160 : level == 1 ? 96 : 128);
    place.set = cache->heads + index * HEAD_BYTES;
    place.stamps = (uint64_t*)(block + 64);
    place.users = (uint32_t*)(block + (level == 0 ? 128 : 64));
  } else {
    place.ways = cache->ways;
    place.set = cachesim_set_of(cache, line);
    block = cachesim_block(cache, place.set);
    place.stamps = (uint64_t*)(block + cache->stamps_offset);
    place.users = (uint32_t*)(block + cache->users_offset);
  }
  place.words = (uint64_t*)block;
  return place;
}

/* cachesim_find for at most 16 ways. */
static inline __attribute__((always_inline)) int32_t find(const struct place* place, uint64_t line,
                                                          unsigned char fingerprint) {
  uint32_t candidates = cachesim_match(cachesim_fingerprints(place->set), fingerprint);
  if (place->ways < 16) {
    candidates &= (1u << place->ways) - 1;
  }
  for (; candidates != 0; candidates &= candidates - 1) {
    const uint32_t way = (uint32_t)__builtin_ctz(candidates);
    if ((place->words[way] & cachesim_tag_mask) == (line | cachesim_valid)) {
      return (int32_t)way;
    }
  }
  return -1;
}

/* The way of the least recent line becomes the most recent one. */
static inline uint64_t turn_over(const struct place* place) {
  const uint64_t order = *cachesim_order(place->set);
  const uint32_t shift = 4 * (place->ways - 1) & 63; /* at most 16 ways */
  const uint64_t way = order >> shift;
  *cachesim_order(place->set) = (order ^ way << shift) << 4 | way;
  return way;
}

/* cachesim_next_victim of the first level. */
static inline __attribute__((always_inline)) uint32_t oldest_way(const struct place* place) {
  const uint64_t* stamps = place->stamps;
  if (place->ways == 8) {
    const uint64_t a = cachesim_lesser(cachesim_lesser(stamps[0], stamps[1]),
                                       cachesim_lesser(stamps[2], stamps[3]));
    const uint64_t b = cachesim_lesser(cachesim_lesser(stamps[4], stamps[5]),
                                       cachesim_lesser(stamps[6], stamps[7]));
    return (uint32_t)cachesim_lesser(a, b);
  }
  return cachesim_next_victim(place->cache, place->set);
}

/* The way moves to the end of the order, where the empty ones are. */
static inline void move_last(const struct place* place, uint32_t way, uint32_t shift) {
  const uint64_t order = *cachesim_order(place->set);
  const uint64_t below = ((uint64_t)1 << shift) - 1;
  *cachesim_order(place->set) =
      (order & below) | (order >> 4 & ~below) | (uint64_t)way << (4 * (place->ways - 1) & 63);
}

static inline void promote_nibble(const struct place* place, uint32_t way) {
  uint64_t* order = cachesim_order(place->set);
  const uint32_t shift = cachesim_nibble_of(*order, way);
  const uint64_t below = *order & (((uint64_t)1 << shift) - 1);
  *order = (*order & ~(uint64_t)15 << shift) | below << 4 | way;
}

/* A new line enters the set of the last level: the share takes it and, when full, gives up its
 * least recent one. */
static inline void enter_share(struct cachesim* sim, const struct place* last, uint32_t share) {
  uint16_t* held = &cachesim_held(last->set)[share - 1];
  if (*held < sim->share_ways[share]) {
    ++*held;
    return;
  }
  const uint64_t way = *cachesim_order(last->set) >> (4 * *held - 4) & 15;
  if ((*cachesim_dirty_ways(last->set) >> way & 1) == 0) {
    return;
  }
  uint64_t* word = &last->words[way];
  const uint64_t dirty = (uint64_t)1 << (CACHESIM_MARK_SHIFT + share);
  if ((*word & dirty) != 0) {
    cachesim_memory_traffic(sim, share, cachesim_owner_of(mark_of(*word)))->written +=
        sim->line_bytes;
    *word &= ~dirty;
  }
}

static inline __attribute__((always_inline)) void insert_last(struct cachesim* sim,
                                                              const struct place* last,
                                                              uint64_t word,
                                                              unsigned char fingerprint) {
  enter_share(sim, last, 1);
  enter_share(sim, last, 2);
  const uint64_t way = turn_over(last);
  const uint32_t mark = mark_of(last->words[way]);
  const uint32_t dirty = (word >> CACHESIM_MARK_SHIFT & CACHESIM_DIRTY_MASK) != 0;
  uint16_t* dirty_ways = cachesim_dirty_ways(last->set);
  *dirty_ways = (uint16_t)((*dirty_ways & ~(1u << way)) | dirty << way);
  last->words[way] = word;
  cachesim_fingerprints(last->set)[way] = fingerprint;
  for (uint32_t share = 0; cachesim_dirty_of(mark) >> share != 0; ++share) {
    if ((mark >> share & 1) != 0) {
      cachesim_memory_traffic(sim, share, cachesim_owner_of(mark))->written += sim->line_bytes;
    }
  }
}

/* The first level has a copy of a line that the inclusive second level gives up: the copy adds to
 * the line's mark. Whether it was dirty. */
static inline int leave_first(struct cachesim* sim, const struct place* first, uint32_t way,
                              uint32_t* mark) {
  const struct cachesim_entry copy = cachesim_remove(first->cache, first->set, way);
  if (cachesim_dirty_of(copy.mark) == 0) {
    return 0;
  }
  cachesim_add_written(sim, 0, cachesim_owner_of(copy.mark), sim->line_bytes);
  *mark = copy.mark | cachesim_dirty_of(*mark);
  return 1;
}

/* The second level gives up a line. */
static inline __attribute__((always_inline)) void leave_second(struct cachesim* sim,
                                                               struct cachesim_core* core,
                                                               uint64_t word, uint32_t user,
                                                               const int kind) {
  const int to_victim = (kind & LAST_IS_VICTIM) != 0;
  const int inclusive = (kind & SECOND_IS_INCLUSIVE) != 0;
  const uint64_t line = line_of(word);
  const unsigned char fingerprint = cachesim_fingerprint(line);
  uint32_t mark = mark_of(word);
  int carried = (user & cachesim_carried) != 0;
  user &= ~cachesim_carried;
  if (inclusive) {
    const struct place first = find_place(core, 0, line, kind);
    const int32_t way = find(&first, line, fingerprint);
    if (way >= 0 && leave_first(sim, &first, (uint32_t)way, &mark)) {
      carried = 0;
    }
  }
  const uint32_t dirty = cachesim_dirty_of(mark);
  const uint32_t owner = cachesim_owner_of(mark);
  if (dirty == 0 && !to_victim) {
    return;
  }
  if ((dirty & 1) != 0 || to_victim) {
    cachesim_add_written(sim, 1, (dirty & 1) != 0 && !carried ? owner : user, sim->line_bytes);
  }
  const struct place last = find_place(core, 2, line, kind);
  /* One core's victim cache never has what the caches above it have. */
  const int absent = to_victim && inclusive && sim->active_count == 1;
  if (!absent && find(&last, line, fingerprint) >= 0) {
    const struct cachesim_write_back down = {line, dirty, owner, user};
    cachesim_last_write_into(sim, core, &down);
    return;
  }
  insert_last(sim, &last, word_of(line, cachesim_mark(dirty != 0 ? owner : user, dirty)),
              fingerprint);
}

/* A hit in a victim cache takes the line out of it. */
static inline __attribute__((always_inline)) uint32_t
take_from_victim(const struct cachesim* sim, const struct place* last, uint32_t way,
                 struct ridge_region_traffic* traffic) {
  const uint32_t shift = cachesim_nibble_of(*cachesim_order(last->set), way);
  const uint32_t rank = shift / 4;
  uint16_t* held = cachesim_held(last->set);
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
  move_last(last, way, shift);
  const uint32_t mark = mark_of(last->words[way]);
  last->words[way] = 0;
  cachesim_fingerprints(last->set)[way] = 0;
  return mark;
}

/* What the levels below the first say of a line. */
struct found_below {
  uint32_t mark; /* comes along from the last level */
  int known; /* the line is in the footprint of the region, if a write makes it dirty there too */
};

/* Reads the line from the last level or from memory. */
static inline __attribute__((always_inline)) struct found_below fetch_last(
    struct cachesim* sim, struct cachesim_core* core, const struct cachesim_piece* piece,
    unsigned char fingerprint, const int kind) {
  const struct place last = find_place(core, 2, piece->line, kind);
  struct ridge_region_traffic* traffic = &sim->regions[piece->region];
  const int32_t way = find(&last, piece->line, fingerprint);
  const uint32_t clean = cachesim_mark(piece->region, 0);
  struct found_below found = {clean, 0};
  if (way < 0) {
    traffic->crossed[2].read += sim->line_bytes;
    traffic->memory_at_half.read += sim->line_bytes;
    traffic->memory_at_quarter.read += sim->line_bytes;
    if ((kind & LAST_IS_VICTIM) == 0) {
      insert_last(sim, &last, word_of(piece->line, clean), fingerprint);
    }
    return found;
  }
  uint32_t mark = 0;
  if ((kind & LAST_IS_VICTIM) != 0) {
    mark = take_from_victim(sim, &last, (uint32_t)way, traffic);
    found.mark = cachesim_dirty_of(mark) != 0 ? mark : clean;
  } else {
    mark = mark_of(last.words[way]);
    struct cachesim_entry entry = {piece->line | cachesim_valid, clean, piece->region};
    cachesim_last_fetch(sim, core, piece->region, 0, &entry);
    found.mark = entry.mark;
  }
  /* The owner of a clean line there is the region that used it last. */
  found.known = cachesim_owner_of(mark) == piece->region &&
                (piece->flags == 0 || cachesim_dirty_of(mark) != 0);
  return found;
}

/* A new line in the set of the second level; what it displaces goes down. */
static inline __attribute__((always_inline)) void insert_second(
    struct cachesim* sim, struct cachesim_core* core, const struct place* second, uint64_t word,
    unsigned char fingerprint, uint32_t user, const int kind) {
  const uint64_t way = turn_over(second);
  const uint64_t displaced = second->words[way];
  const uint32_t displaced_user = second->users[way];
  second->words[way] = word;
  second->users[way] = user;
  cachesim_fingerprints(second->set)[way] = fingerprint;
  if (displaced != 0) {
    leave_second(sim, core, displaced, displaced_user, kind);
  }
}

/* The first level gives up a dirty line. */
static inline __attribute__((always_inline)) void write_second(struct cachesim* sim,
                                                               struct cachesim_core* core,
                                                               uint64_t word, const int kind) {
  const uint64_t line = line_of(word);
  const unsigned char fingerprint = cachesim_fingerprint(line);
  const uint32_t owner = cachesim_owner_of(mark_of(word));
  const struct place second = find_place(core, 1, line, kind);
  const int32_t way = find(&second, line, fingerprint);
  cachesim_add_written(sim, 0, owner, sim->line_bytes);
  if (way >= 0) {
    promote_nibble(&second, (uint32_t)way);
    second.words[way] = word; /* dirty in every share */
    second.users[way] = owner;
  } else if ((kind & SECOND_IS_INCLUSIVE) == 0) { /* else it has what the first one has */
    insert_second(sim, core, &second, word, fingerprint, owner, kind);
  }
}

static inline __attribute__((always_inline)) void insert_first(
    struct cachesim* sim, struct cachesim_core* core, const struct place* first, uint64_t word,
    unsigned char fingerprint, uint32_t user, const int kind) {
  const uint32_t way = oldest_way(first);
  const uint64_t displaced = first->words[way];
  first->words[way] = word;
  first->users[way] = user;
  first->stamps[way] = (uint64_t)++first->cache->filter->clock << 32 | way;
  cachesim_fingerprints(first->set)[way] = fingerprint;
  cachesim_forget(first->cache, displaced);
  if (sim->observer == 0 || fingerprint >> (8 - RIDGE_LOCALITY_SHIFT) != 0) {
    cachesim_learn(first->cache, &first->stamps[way], word, user, 1);
  }
  if (cachesim_dirty_of(mark_of(displaced)) != 0) {
    write_second(sim, core, displaced, kind);
  }
}

/* `first`: the line's set of the first level; `fingerprint`: of the line. True if the levels below
 * show that the line is in the footprint of the region: they know the last region that used the
 * line, and the one that dirtied it. */
static inline __attribute__((always_inline)) int private_miss(
    struct cachesim* sim, struct cachesim_core* core, const struct place* first,
    unsigned char fingerprint, const struct cachesim_piece* piece, const int kind) {
  const struct place second = find_place(core, 1, piece->line, kind);
  const int32_t way = find(&second, piece->line, fingerprint);
  struct ridge_region_traffic* traffic = &sim->regions[piece->region];
  const int write = piece->flags != 0;
  const uint32_t mark = cachesim_mark(piece->region, write ? CACHESIM_DIRTY_MASK : 0);
  int known = 0;
  traffic->crossed[0].read += sim->line_bytes;
  if (way >= 0) {
    const uint32_t last_user = second.users[way];
    known = (last_user & ~cachesim_carried) == piece->region &&
            (!write || mark_of(second.words[way]) == mark);
    promote_nibble(&second, (uint32_t)way);
    second.users[way] = piece->region | (last_user & cachesim_carried);
  } else {
    traffic->crossed[1].read += sim->line_bytes;
    const struct found_below found = fetch_last(sim, core, piece, fingerprint, kind);
    const uint32_t carried = cachesim_dirty_of(found.mark) != 0 ? cachesim_carried : 0;
    known = found.known;
    insert_second(sim, core, &second, word_of(piece->line, found.mark), fingerprint,
                  piece->region | carried, kind);
  }
  insert_first(sim, core, first, word_of(piece->line, mark), fingerprint, piece->region, kind);
  return known;
}

#endif
