/* Lines by class: their number mod 64 (abi/layout.h). Two lines of different classes never meet in
 * a set of any level if 64, or its largest power of two that divides all set counts, selects them,
 * so the classes of a mask can be simulated without the others. */
#ifndef RIDGE_CACHESIM_LINE_CLASS_H
#define RIDGE_CACHESIM_LINE_CLASS_H

#include <stdint.h>

#include "abi/layout.h"

enum { CACHESIM_CLASS_SHIFT = 6 }; /* log2 RIDGE_TRACE_LINE_BYTES */
static const uint64_t cachesim_all_classes = ~(uint64_t)0;

static inline uint64_t cachesim_class_of(uint64_t address) {
  return address >> CACHESIM_CLASS_SHIFT & (RIDGE_LINE_CLASSES - 1);
}

/* Lines of the selected classes, numbered without those between them. */
static inline uint64_t cachesim_packed_line(uint64_t mask, uint64_t line) {
  const uint64_t before = ((uint64_t)1 << line % RIDGE_LINE_CLASSES) - 1;
  return line / RIDGE_LINE_CLASSES * (uint64_t)__builtin_popcountll(mask) +
         (uint64_t)__builtin_popcountll(mask & before);
}
/* Of a byte on a selected line. Selected lines that are neighbours remain so. */
static inline uint64_t cachesim_packed_address(uint64_t mask, uint64_t address) {
  return cachesim_packed_line(mask, address >> CACHESIM_CLASS_SHIFT) << CACHESIM_CLASS_SHIFT |
         address % RIDGE_TRACE_LINE_BYTES;
}

/* The mask with the class of `address` in bit 0, that of the next line in bit 1, and so on. */
static inline uint64_t cachesim_classes_from(uint64_t mask, uint64_t address) {
  const uint64_t first = cachesim_class_of(address);
  return mask >> first | mask << (-first & 63);
}

/* The next bytes of [*address, end) on lines that the mask selects: moves *address there and
 * returns how many follow without a gap; 0 if there are none. */
static inline uint64_t cachesim_next_selected(uint64_t mask, uint64_t* address, uint64_t end) {
  if (mask == cachesim_all_classes || mask == 0 || *address >= end) {
    return mask != 0 && *address < end ? end - *address : 0;
  }
  const uint64_t line_mask = ~(uint64_t)(RIDGE_TRACE_LINE_BYTES - 1);
  const uint64_t skipped = (uint64_t)__builtin_ctzll(cachesim_classes_from(mask, *address));
  if (skipped != 0) {
    const uint64_t next = (*address & line_mask) + skipped * RIDGE_TRACE_LINE_BYTES;
    if (next < *address) {
      return 0; /* beyond the last address that there is */
    }
    *address = next;
  }
  if (*address >= end) {
    return 0;
  }
  const uint64_t lines = (uint64_t)__builtin_ctzll(~cachesim_classes_from(mask, *address));
  const uint64_t stop = (*address & line_mask) + lines * RIDGE_TRACE_LINE_BYTES;
  return (stop < end ? stop : end) - *address;
}

#endif
