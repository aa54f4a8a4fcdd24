#include "cachesim/reuse.h"

enum { LEAST_LINES = 64, MOST_LINES = 1 << 20 };

static uint32_t times_of(const struct cachesim_reuse* reuse) {
  return 2 * reuse->most;
}

static uint64_t slots_of(uint32_t most) {
  uint64_t slots = 1;
  while (slots < 4 * (uint64_t)most) {
    slots *= 2;
  }
  return slots;
}

static void* allocate(const struct cachesim_memory* memory, uint64_t bytes) {
  return memory->allocate(memory->context, bytes);
}
static void release(const struct cachesim_memory* memory, void* what, uint64_t bytes) {
  if (what != 0) {
    memory->release(memory->context, what, bytes);
  }
}

static uint64_t line_at_bytes(const struct cachesim_reuse* reuse) {
  return times_of(reuse) * sizeof(*reuse->line_at);
}
static uint64_t later_bytes(const struct cachesim_reuse* reuse) {
  return ((uint64_t)times_of(reuse) + 1) * sizeof(*reuse->later);
}
static uint64_t slot_bytes(const struct cachesim_reuse* reuse) {
  return slots_of(reuse->most) * sizeof(*reuse->slots);
}

struct cachesim_reuse* cachesim_reuse_create(uint64_t most_bytes, uint32_t line_bytes,
                                             uint32_t sample_shift,
                                             const struct cachesim_memory* memory) {
  struct cachesim_reuse* reuse = allocate(memory, sizeof(*reuse));
  if (reuse == 0) {
    return 0;
  }
  const uint64_t lines = most_bytes / line_bytes >> sample_shift;
  reuse->most = (uint32_t)(lines < LEAST_LINES  ? LEAST_LINES
                           : lines > MOST_LINES ? MOST_LINES
                                                : lines);
  reuse->sample_shift = sample_shift;
  reuse->line_bytes = line_bytes;
  reuse->memory = *memory;
  reuse->slot_mask = slots_of(reuse->most) - 1;
  reuse->line_at = allocate(memory, line_at_bytes(reuse));
  reuse->later = allocate(memory, later_bytes(reuse));
  reuse->slots = allocate(memory, slot_bytes(reuse));
  if (reuse->line_at == 0 || reuse->later == 0 || reuse->slots == 0) {
    cachesim_reuse_destroy(reuse);
    return 0;
  }
  return reuse;
}

void cachesim_reuse_destroy(struct cachesim_reuse* reuse) {
  const struct cachesim_memory memory = reuse->memory;
  release(&memory, reuse->line_at, line_at_bytes(reuse));
  release(&memory, reuse->later, later_bytes(reuse));
  release(&memory, reuse->slots, slot_bytes(reuse));
  release(&memory, reuse, sizeof(*reuse));
}

/* ---- where a line is: linear probing; removal moves later entries of the run back ---- */

/* Sampled lines agree in the highest bits of their hash. */
static uint64_t home_of(const struct cachesim_reuse* reuse, uint64_t line) {
  return cachesim_hash(line) >> 20 & reuse->slot_mask;
}

static struct cachesim_reuse_slot* find(const struct cachesim_reuse* reuse, uint64_t line) {
  uint64_t index = home_of(reuse, line);
  while (reuse->slots[index].line_and_valid != 0 &&
         reuse->slots[index].line_and_valid != (line | cachesim_valid)) {
    index = (index + 1) & reuse->slot_mask;
  }
  return &reuse->slots[index];
}

static void forget(struct cachesim_reuse* reuse, uint64_t line) {
  uint64_t hole = (uint64_t)(find(reuse, line) - reuse->slots);
  for (uint64_t index = (hole + 1) & reuse->slot_mask; reuse->slots[index].line_and_valid != 0;
       index = (index + 1) & reuse->slot_mask) {
    const uint64_t home = home_of(reuse, reuse->slots[index].line_and_valid & ~cachesim_valid);
    /* It may move if its home is not between the hole and its place. */
    if (((index - home) & reuse->slot_mask) >= ((index - hole) & reuse->slot_mask)) {
      reuse->slots[hole] = reuse->slots[index];
      hole = index;
    }
  }
  reuse->slots[hole].line_and_valid = 0;
}

/* ---- how many lines have a later time ---- */

static void tree_add(struct cachesim_reuse* reuse, uint32_t time, uint32_t amount) {
  for (uint32_t at = time + 1; at <= times_of(reuse); at += at & -at) {
    reuse->later[at] += amount; /* amount may be -1: unsigned arithmetic wraps */
  }
}

/* Lines with a time up to this one. */
static uint32_t tree_sum(const struct cachesim_reuse* reuse, uint32_t time) {
  uint32_t sum = 0;
  for (uint32_t at = time + 1; at != 0; at -= at & -at) {
    sum += reuse->later[at];
  }
  return sum;
}

static void remove_time(struct cachesim_reuse* reuse, uint32_t time) {
  reuse->line_at[time] = 0;
  tree_add(reuse, time, (uint32_t)-1);
  --reuse->count;
}

/* All times are used up: the lines get new ones in the same order. */
static void renumber(struct cachesim_reuse* reuse) {
  uint32_t next = 0;
  for (uint32_t time = 0; time < reuse->now; ++time) {
    const uint64_t line = reuse->line_at[time];
    if (line != 0) {
      reuse->line_at[time] = 0;
      reuse->line_at[next] = line;
      find(reuse, line & ~cachesim_valid)->time = next++;
    }
  }
  for (uint32_t at = 1; at <= times_of(reuse); ++at) {
    const uint32_t first = at - (at & -at); /* the entry sums times first .. at - 1 */
    reuse->later[at] = (next < at ? next : at) - (next < first ? next : first);
  }
  reuse->now = next;
  reuse->oldest = 0;
}

static void drop_oldest(struct cachesim_reuse* reuse) {
  while (reuse->line_at[reuse->oldest] == 0) {
    ++reuse->oldest;
  }
  forget(reuse, reuse->line_at[reuse->oldest] & ~cachesim_valid);
  remove_time(reuse, reuse->oldest);
}

static uint32_t point_of(uint64_t needed_bytes) {
  uint32_t point = 0;
  while (point < CACHESIM_BEYOND && ridge_curve_capacity(point) < needed_bytes) {
    ++point;
  }
  return point;
}

uint32_t cachesim_reuse_note(struct cachesim_reuse* reuse, uint64_t line) {
  uint32_t point = CACHESIM_BEYOND;
  if (reuse->now == times_of(reuse)) {
    renumber(reuse);
  }
  struct cachesim_reuse_slot* slot = find(reuse, line);
  if (slot->line_and_valid != 0) {
    const uint64_t others = reuse->count - tree_sum(reuse, slot->time);
    point = point_of(((others << reuse->sample_shift) + 1) * reuse->line_bytes);
    remove_time(reuse, slot->time);
  } else if (reuse->count == reuse->most) {
    drop_oldest(reuse);
    slot = find(reuse, line);
  }
  slot->line_and_valid = line | cachesim_valid;
  slot->time = reuse->now;
  reuse->line_at[reuse->now] = line | cachesim_valid;
  tree_add(reuse, reuse->now, 1);
  ++reuse->count;
  ++reuse->now;
  return point;
}
