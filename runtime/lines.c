/* Traffic mode: what the simulation sees of each region's lines (cachesim/observer.h) lies in the
 * arena too. Without memory for it there is traffic all the same. */
#include "cachesim/observer.h"
#include "runtime/state.h"

void ridge_start_lines(void) {
  struct ridge_process_record* process = ridge_runtime.process;
  const char* traffic = (const char*)ridge_runtime.simulator->regions;
  if ((uint64_t)(traffic - (const char*)ridge_runtime.arena) != process->traffic) {
    return; /* only some lines are simulated, from the start */
  }
  uint64_t offset = 0;
  struct ridge_region_lines* table =
      ridge_make_table(sizeof(*table), RIDGE_LINES_CAPACITY, &offset);
  if (table != NULL && cachesim_observe(ridge_runtime.simulator, table, RIDGE_LINES_CAPACITY)) {
    process->lines = offset;
  }
}

void ridge_grow_lines(uint32_t region_count) {
  const struct cachesim_observer* observer = ridge_runtime.simulator->observer;
  if (observer != NULL) {
    ridge_grow_table(observer->regions, sizeof(*observer->regions), RIDGE_LINES_CAPACITY,
                     region_count);
  }
}
