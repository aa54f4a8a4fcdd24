/* Traffic mode: what the simulation sees of each region's lines (cachesim/observer.h) lies in the
 * arena too. Without memory for it there is traffic all the same. */
#include "cachesim/observer.h"
#include "runtime/state.h"

static uint64_t bytes_for(uint32_t regions) {
  const uint64_t count = regions < RIDGE_LINES_CAPACITY ? regions : (uint32_t)RIDGE_LINES_CAPACITY;
  return count * sizeof(struct ridge_region_lines);
}

void ridge_start_lines(void) {
  struct ridge_process_record* process = ridge_runtime.process;
  const uint64_t bytes = bytes_for(RIDGE_LINES_CAPACITY);
  const char* traffic = (const char*)ridge_runtime.simulator->regions;
  if ((uint64_t)(traffic - (const char*)ridge_runtime.arena) != process->traffic) {
    return; /* only some lines are simulated, from the start */
  }
  uint64_t offset = 0;
  struct ridge_region_lines* table =
      ridge_allocate(bytes, bytes_for(process->region_count), 4096, &offset);
  if (offset == 0) {
    if (table != NULL) {
      ridge_unmap(table, bytes);
    }
    return;
  }
  if (cachesim_observe(ridge_runtime.simulator, table, RIDGE_LINES_CAPACITY)) {
    process->lines = offset;
  }
}

void ridge_grow_lines(uint32_t region_count) {
  const struct cachesim_observer* observer = ridge_runtime.simulator->observer;
  if (observer != NULL) {
    ridge_populate(observer->regions, bytes_for(region_count));
  }
}
