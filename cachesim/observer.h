/* What the simulation tells of each region's lines beside their traffic (struct
 * ridge_region_lines):
 *
 * Locality, on one line in 64, by a hash of its number, so that neither strides nor sets decide who
 * is in: how much of a line is used while it is in the first level, and which capacity would hold
 * what is used again (line_use.h, reuse.h).
 *
 * Sharing, on all lines: those that two or more cores write within one region, at about the same
 * time. They are found where coherence acts: when a core uses a line whose dirty copy, of the same
 * region, lies in another core's cache, the line is watched for this region from then on. It counts
 * once it has changed hands three times in a row at most two turns of the cores after the time
 * before; what one part of the program hands on to the next does not. The cores share it truly if
 * two of them were seen to write one word of it (1/16 of the line), falsely if two were seen and
 * all words differ. What was written before the line was watched is not known.
 *
 * Sampled and watched lines keep out of the filter of the first level, so that each access to them
 * comes by, until nothing more can be learned from it; all others cost nothing. Nothing here
 * changes the traffic. */
#ifndef RIDGE_CACHESIM_OBSERVER_H
#define RIDGE_CACHESIM_OBSERVER_H

#include "cachesim/cachesim.h"
#include "cachesim/line_use.h"
#include "cachesim/reuse.h"
#include "cachesim/watched_lines.h"

struct cachesim_observer {
  struct ridge_region_lines* regions; /* owned by the caller */
  /* The table that traffic went to at first. Once it goes to another one, only some lines are
   * simulated, whose distances are not those of all: nothing more is observed. */
  const struct ridge_region_traffic* traffic;
  uint32_t region_limit;
  struct cachesim_reuse* reuse;
  /* Watched lines, by line and region (sharing.c). */
  struct cachesim_watched watched;
  uint64_t clock;              /* accesses of all cores, with the batch that runs */
  uint64_t may_be_watched[64]; /* one bit for each value of the first 12 bits of a line's hash */
};

static inline int cachesim_observes(const struct cachesim* sim) {
  return sim->observer != 0 && sim->observer->traffic == sim->regions;
}

static inline int cachesim_may_be_watched(const struct cachesim_observer* observer, uint64_t line) {
  const uint64_t hash = cachesim_hash(line);
  return (int)(observer->may_be_watched[hash >> 58] >> (hash >> 52 & 63) & 1);
}

static inline int cachesim_is_observed(const struct cachesim* sim, uint64_t line) {
  return sim->observer != 0 &&
         (cachesim_is_sampled(line, RIDGE_LOCALITY_SHIFT) ||
          (sim->active_count > 1 && cachesim_may_be_watched(sim->observer, line)));
}

/* An access to an observed line, before it changes anything. `offset`: within the line. */
void cachesim_observe_access(struct cachesim* sim, struct cachesim_core* core,
                             const struct cachesim_piece* piece, uint32_t offset);

static inline void cachesim_observe_if_asked(struct cachesim* sim, struct cachesim_core* core,
                                             const struct cachesim_piece* piece, uint64_t address) {
  if (__builtin_expect(cachesim_is_observed(sim, piece->line), 0)) {
    cachesim_observe_access(sim, core, piece, (uint32_t)(address & (sim->line_bytes - 1u)));
  }
}

/* ---- sharing.c ---- */

/* `writer`'s dirty copy of a line of `region` was found by another core that uses it in the same
 * region. */
void cachesim_watch_line(struct cachesim* sim, const struct cachesim_core* writer, uint64_t line,
                         uint32_t region);
/* A write to a line that may be watched. */
void cachesim_note_shared_write(struct cachesim* sim, const struct cachesim_core* core,
                                const struct cachesim_piece* piece, uint32_t offset);
/* A write of `core` has taken so many copies of other cores away. */
void cachesim_note_invalidation(struct cachesim* sim, const struct cachesim_core* core,
                                const struct cachesim_piece* piece, uint32_t copies);
/* Whether the filter may not answer for this line. */
int cachesim_is_watched(const struct cachesim* sim, uint64_t line, uint32_t region);

static inline int cachesim_keeps_out(const struct cachesim* sim, uint64_t line, uint32_t region) {
  return cachesim_is_observed(sim, line) && (cachesim_is_sampled(line, RIDGE_LOCALITY_SHIFT) ||
                                             cachesim_is_watched(sim, line, region));
}

void cachesim_observer_destroy(struct cachesim* sim);

#endif
