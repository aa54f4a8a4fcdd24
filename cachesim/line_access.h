/* One access to one line, by the rules of the whole hierarchy. Internal to cachesim. */
#ifndef RIDGE_CACHESIM_LINE_ACCESS_H
#define RIDGE_CACHESIM_LINE_ACCESS_H

#include "cachesim/cachesim.h"

/* A load or an ordinary store. Only where sim->kind is not CACHESIM_UNUSUAL: the bytes of the
 * access are not asked for there. */
void cachesim_access_line(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                          uint32_t flags, uint32_t region);

/* Any access on any machine. */
void cachesim_access_piece(struct cachesim* sim, struct cachesim_core* core,
                           const struct cachesim_piece* piece);

#endif
