/* Reads a plan (abi/record.h) that lies in memory: which region the code at an offset of a file
 * belongs to. Freestanding; nothing is changed after engine_plan_open, so any thread may ask. */
#ifndef RIDGE_INSTRUMENT_ENGINE_PLAN_H
#define RIDGE_INSTRUMENT_ENGINE_PLAN_H

#include <stdint.h>

#include "abi/record.h"

enum { ENGINE_NO_MODULE = UINT32_MAX };

/* Points into the caller's memory, which is aligned to 8 and stays as it is. */
struct engine_plan {
  const struct ridge_plan* header;
  const struct ridge_plan_module* modules;
  const struct ridge_plan_range* ranges;
  const char* text;
};

/* Null if the plan can be used, else a sentence that says what is wrong with it. Every count,
 * offset and order is checked, and the caches by cachesim_check. */
const char* engine_plan_open(struct engine_plan* plan, const void* bytes, uint64_t size);

/* The module of this path; ENGINE_NO_MODULE if the plan has none. Looks at all modules: ask once
 * for each mapping. */
uint32_t engine_plan_module(const struct engine_plan* plan, const char* path);

/* The region of the byte at `file_offset`; 0 = none. Any `module`, ENGINE_NO_MODULE too. */
uint32_t engine_plan_region(const struct engine_plan* plan, uint32_t module, uint64_t file_offset);

#endif
