/* One access to one line, by the rules of the whole hierarchy. Internal to cachesim. */
#ifndef RIDGE_CACHESIM_LINE_ACCESS_H
#define RIDGE_CACHESIM_LINE_ACCESS_H

#include "cachesim/cachesim.h"

/* Any access on any machine. */
void cachesim_access_piece(struct cachesim* sim, struct cachesim_core* core,
                           const struct cachesim_piece* piece);

/* The usual machines: three levels of at most 32 ways that allocate, the first two of one core each
 * and not victims, the last one not inclusive. Known ways: 8, 8 and 16 of them, and sets in powers
 * of two, at least as many in the second level as in the first, as on Zen to Zen 4. Known upper
 * ways: 12 and 16 in the first two levels, whose sets are powers of two, before a victim cache, as
 * from Sapphire Rapids on and on Zen 5. Known last ways: 16 there too, in a power of two of sets,
 * and the second level has as many sets as the first or more, as on Zen 5. The compiler then does
 * most of the arithmetic. */
enum cachesim_kind {
  CACHESIM_SECOND_IS_INCLUSIVE = 1,
  CACHESIM_LAST_IS_VICTIM = 2,
  CACHESIM_KNOWN_WAYS = 4, /* with both of the others */
  CACHESIM_ZEN = 7,
  CACHESIM_KNOWN_UPPER_WAYS = 8, /* with a victim */
  CACHESIM_SAPPHIRE_RAPIDS = 10,
  CACHESIM_ZEN_5_ANY_LAST = 11,  /* with a stacked cache its sets are no power of two */
  CACHESIM_KNOWN_LAST_WAYS = 16, /* with all of them but KNOWN_WAYS */
  CACHESIM_ZEN_5 = 27
};

/* What processor simulates. */
enum cachesim_vectors { CACHESIM_ANY_PROCESSOR, CACHESIM_AVX2, CACHESIM_AVX512 };
enum cachesim_vectors cachesim_widest_vectors(void);

/* The same function for each of them (private_access.h), for a kind of machine. */
cachesim_line_access* cachesim_line_access_any(uint32_t kind);
cachesim_line_access* cachesim_line_access_avx2(uint32_t kind);
cachesim_line_access* cachesim_line_access_avx512(uint32_t kind);

/* Of a usual machine: accesses go this way from now on. The results do not depend on it. */
void cachesim_use_vectors(struct cachesim* sim, enum cachesim_vectors vectors);

/* ---- what that function leaves to others (cachesim.c) ---- */

/* No other core has the line in a cache that this one does not see, and nobody watches it. Notes
 * that this core is about to have it. */
int cachesim_is_private(struct cachesim* sim, struct cachesim_core* core, uint64_t line);
/* The line is in the first level, and the filter did not know. */
void cachesim_hit_line(struct cachesim* sim, struct cachesim_core* core, uint64_t* set,
                       uint32_t way, const struct cachesim_piece* piece);
/* It is not, and other cores may have it. */
void cachesim_miss_line(struct cachesim* sim, struct cachesim_core* core, uint64_t* set,
                        const struct cachesim_piece* piece);
/* The region touched the line: its footprint. */
void cachesim_note_line(struct cachesim* sim, uint64_t line, uint32_t flags, uint32_t region);

#endif
