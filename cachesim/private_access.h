/* An access to a line that the filter does not know, on a usual machine (line_access.h). Compiled
 * once for each width of vectors. */
#ifndef RIDGE_CACHESIM_PRIVATE_ACCESS_H
#define RIDGE_CACHESIM_PRIVATE_ACCESS_H

#include "cachesim/line_access.h"
#include "cachesim/private_miss.h"

/* What this core does has no effect on the copies of others, nor they on it: nobody else has the
 * line, or it is only read where this core has it already. */
static inline __attribute__((always_inline)) int concerns_nobody_else(const struct miss* miss,
                                                                      const uint32_t kind) {
  if (miss->alone) {
    return 1;
  }
  if (!miss->write && !cachesim_is_observed(miss->sim, miss->line) &&
      find(miss, 1, set_of(miss, 1, miss->line, kind), miss->line, kind) != 0) {
    return 1;
  }
  return cachesim_is_private(miss->sim, miss->core, miss->line);
}

static inline __attribute__((always_inline)) void access_line(struct cachesim* sim,
                                                              struct cachesim_core* core,
                                                              uint64_t line, uint32_t flags,
                                                              uint32_t region,
                                                              const uint32_t kind) {
  const uint64_t clean = word_of(line, cachesim_mark(region, 0));
  const struct miss miss = {sim,   core,       sim->regions, sim->line_bytes,       line,
                            clean, flags != 0, region,       sim->active_count == 1};
  uint64_t* set = set_of(&miss, 0, line, kind);
  const uint32_t found = find(&miss, 0, set, line, kind);
  if (found == 0 && concerns_nobody_else(&miss, kind)) {
    if (!private_miss(&miss, set, kind)) {
      cachesim_note_line(sim, line, flags, region);
    }
    return;
  }
  const struct cachesim_piece piece = {line, 0, flags, region};
  if (found != 0) {
    cachesim_hit_line(sim, core, set, (uint32_t)__builtin_ctz(found), &piece);
  } else {
    cachesim_miss_line(sim, core, set, &piece);
  }
}

static void access_plain(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                         uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, 0);
}
static void access_inclusive(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                             uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, CACHESIM_SECOND_IS_INCLUSIVE);
}
static void access_to_victim(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                             uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, CACHESIM_LAST_IS_VICTIM);
}
static void access_inclusive_to_victim(struct cachesim* sim, struct cachesim_core* core,
                                       uint64_t line, uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region,
              CACHESIM_SECOND_IS_INCLUSIVE | CACHESIM_LAST_IS_VICTIM);
}
static void access_zen(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                       uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, CACHESIM_ZEN);
}

static void access_sapphire_rapids(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                                   uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, CACHESIM_SAPPHIRE_RAPIDS);
}
static void access_zen_5(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                         uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, CACHESIM_ZEN_5);
}

static void access_zen_5_any_last(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                                  uint32_t flags, uint32_t region) {
  access_line(sim, core, line, flags, region, CACHESIM_ZEN_5_ANY_LAST);
}

static cachesim_line_access* access_of(uint32_t kind) {
  switch (kind) {
    case 0:
      return access_plain;
    case CACHESIM_SECOND_IS_INCLUSIVE:
      return access_inclusive;
    case CACHESIM_LAST_IS_VICTIM:
      return access_to_victim;
    case CACHESIM_SECOND_IS_INCLUSIVE | CACHESIM_LAST_IS_VICTIM:
      return access_inclusive_to_victim;
    case CACHESIM_SAPPHIRE_RAPIDS:
      return access_sapphire_rapids;
    case CACHESIM_ZEN_5:
      return access_zen_5;
    case CACHESIM_ZEN_5_ANY_LAST:
      return access_zen_5_any_last;
    default:
      return access_zen;
  }
}

#endif
