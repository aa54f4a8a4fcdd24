/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tables that grow. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_MEMORY_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_MEMORY_H

#include "instrument/valgrind_tool/tool.h"

/* The table with room for entry number `used`. */
static inline void* ridge_grown(void* table, UInt* capacity, UInt used, SizeT entry_bytes) {
  if (used < *capacity) {
    return table;
  }
  *capacity = *capacity == 0 ? 64 : *capacity * 2;
  return VG_(realloc)("ridge.table", table, *capacity * entry_bytes);
}

#endif
