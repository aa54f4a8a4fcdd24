/* Whose work counts for a marker (markers.c): that of a thread while it is in the marker, or while
 * the first thread is in it for the whole process, once if both. The thread is then covered.
 * Whoever makes it so, the thread itself or the first one, takes its counters away; whoever ends
 * that adds them, whichever of the two it is. Nothing is locked: a start or stop in a signal
 * handler finds what it can go on with. */
#include <sched.h>
#include <stddef.h>

#include "runtime/state.h"

/* By marker: 0 or 1, only the first thread makes them. */
static _Atomic uint32_t whole_visits[RIDGE_MARKERS_MAX];

/* Of a thread and a marker (ridge_slot.covered). BEING_CHANGED: by the first thread, for one that
 * must not run on meanwhile. */
enum { UNCOVERED = 0, COVERED = 1, BEING_CHANGED = 2 };

static uint64_t counted(const struct ridge_marker_counts* counts) {
  const uint64_t known = atomic_load(&ridge_runtime.counter_count);
  return known < counts->value_count ? known : counts->value_count;
}

/* `sign`: 1, or UINT64_MAX to take away. */
static void add_counters(struct ridge_marker_counts* counts, const struct ridge_thread* thread,
                         uint64_t sign) {
  if (counts == NULL) {
    return;
  }
  const uint64_t count = counted(counts);
  uint64_t* values = ridge_marker_values(counts);
  for (uint64_t i = 0; i < count; ++i) {
    values[i] += sign * __atomic_load_n(&thread->counters[i], __ATOMIC_RELAXED);
  }
}

/* From the last one down: while the thread takes one out, those behind it move down. */
static int is_in(const struct ridge_thread* thread, uint32_t marker) {
  const uint64_t count = __atomic_load_n(&thread->open_marker_count, __ATOMIC_SEQ_CST);
  for (uint64_t i = count; i > 0; --i) {
    if (__atomic_load_n(&thread->open_markers[i - 1].marker, __ATOMIC_SEQ_CST) == marker) {
      return 1;
    }
  }
  return 0;
}

/* The first thread may begin or end a visit of the whole process at any time: it changes
 * whole_visits first and looks at each slot then, so that one of the two sees what the other one
 * did. */
void ridge_cover_own(struct ridge_slot* slot, uint32_t marker, int inside,
                     struct ridge_marker_counts* counts) {
  for (;;) {
    const unsigned char wanted =
        inside || atomic_load(&whole_visits[marker]) != 0 ? COVERED : UNCOVERED;
    unsigned char found = atomic_load(&slot->covered[marker]);
    if (found == BEING_CHANGED) {
      sched_yield();
    } else if (found == wanted) {
      return;
    } else if (atomic_compare_exchange_strong(&slot->covered[marker], &found, wanted)) {
      add_counters(counts, slot->block, wanted == COVERED ? UINT64_MAX : 1);
    }
  }
}

void ridge_markers_cover_new(struct ridge_slot* slot) {
  for (uint32_t marker = 0; marker < RIDGE_MARKERS_MAX; ++marker) {
    ridge_cover_own(slot, marker, 0, NULL);
  }
}

void ridge_cover_all(uint32_t marker, struct ridge_marker_counts* counts) {
  atomic_store(&whole_visits[marker], 1);
  for (struct ridge_slot* slot = atomic_load(&ridge_runtime.slots); slot != NULL;
       slot = slot->next) {
    unsigned char found = UNCOVERED;
    if (atomic_compare_exchange_strong(&slot->covered[marker], &found, BEING_CHANGED)) {
      add_counters(counts, slot->block, UINT64_MAX);
      atomic_store(&slot->covered[marker], COVERED);
    }
  }
}

uint64_t ridge_uncover_all(uint32_t marker, struct ridge_marker_counts* counts) {
  uint64_t inside = 0;
  atomic_store(&whole_visits[marker], 0);
  for (struct ridge_slot* slot = atomic_load(&ridge_runtime.slots); slot != NULL;
       slot = slot->next) {
    unsigned char found = COVERED;
    if (!atomic_compare_exchange_strong(&slot->covered[marker], &found, BEING_CHANGED)) {
      continue;
    }
    if (is_in(slot->block, marker)) {
      ++inside;
      atomic_store(&slot->covered[marker], COVERED);
      continue;
    }
    add_counters(counts, slot->block, 1);
    atomic_store(&slot->covered[marker], UNCOVERED);
  }
  return inside;
}

int ridge_covers_all(uint32_t marker) {
  return atomic_load(&whole_visits[marker]) != 0;
}

void ridge_forget_cover(const struct ridge_thread* thread, uint32_t marker) {
  atomic_store(&whole_visits[marker], 0);
  if (thread != NULL) {
    atomic_store(&ridge_slot_of(thread)->covered[marker], UNCOVERED);
  }
}
