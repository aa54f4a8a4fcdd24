/* Markers: the program names what it does. A thread's open markers lie in its block, where they are
 * sampled with its stack; what is counted between start and stop is added to an array of the thread
 * that starts and stops, and of the marker, which has one writer. So nothing is locked here but the
 * table of names, and in traffic mode the simulation. Whose work counts is in marker_cover.c. */
#include <stddef.h>

#include "runtime/state.h"

enum { PLACES = 2 * RIDGE_MARKERS_MAX, NONE = RIDGE_MARKERS_MAX, COUNTERS_AT_ONCE = 64 };

/* Of the OpenMP runtime, if the program has one. */
extern int omp_in_parallel(void) __attribute__((weak));

/* Names by the place that their hash gives them: 0 = free, else 1 + index of the marker. */
static _Atomic uint32_t places[PLACES];
static uint64_t hashes[RIDGE_MARKERS_MAX];

/* ---- names ---- */

static void* in_arena(uint64_t offset) {
  return offset != 0 ? (unsigned char*)ridge_runtime.arena + offset : NULL;
}

static struct ridge_marker_record* record_of(uint32_t marker) {
  struct ridge_marker_record* records = in_arena(ridge_runtime.process->markers);
  return records + marker;
}

/* Of what is kept of the name. */
static uint64_t hash_of(const char* name, uint64_t* length) {
  uint64_t hash = UINT64_C(14695981039346656037);
  uint64_t at = 0;
  for (; name[at] != '\0' && at < RIDGE_MARKER_NAME_MAX - 1; ++at) {
    hash = (hash ^ (unsigned char)name[at]) * UINT64_C(1099511628211);
  }
  *length = at;
  return hash;
}

static int is_named(uint32_t marker, uint64_t hash, const char* name, uint64_t length) {
  const struct ridge_marker_record* record = record_of(marker);
  const char* known = in_arena(record->name);
  if (hashes[marker] != hash || record->name_bytes != length + 1) {
    return 0;
  }
  for (uint64_t i = 0; i < length; ++i) {
    if (known[i] != name[i]) {
      return 0;
    }
  }
  return 1;
}

/* Its index, or NONE; `place`: where it stands or would. */
static uint32_t look_up(uint64_t hash, const char* name, uint64_t length, uint64_t* place) {
  for (*place = hash % PLACES;; *place = (*place + 1) % PLACES) {
    const uint32_t found = atomic_load_explicit(&places[*place], memory_order_acquire);
    if (found == 0 || is_named(found - 1, hash, name, length)) {
      return found != 0 ? found - 1 : (uint32_t)NONE;
    }
  }
}

static int make_table(struct ridge_process_record* process) {
  const uint64_t bytes = RIDGE_MARKERS_MAX * sizeof(struct ridge_marker_record);
  if (process->markers == 0) {
    uint64_t offset = 0;
    const void* table = ridge_allocate(bytes, bytes, 4096, &offset);
    (void)table;
    __atomic_store_n(&process->markers, offset, __ATOMIC_RELEASE);
  }
  return process->markers != 0;
}

/* The caller holds register_lock. */
static uint32_t add_name(uint64_t hash, const char* name, uint64_t length) {
  struct ridge_process_record* process = ridge_runtime.process;
  uint64_t place = 0;
  if (!make_table(process)) {
    return NONE;
  }
  const uint32_t known = look_up(hash, name, length, &place);
  const uint32_t marker = process->marker_count;
  if (known != NONE || marker == RIDGE_MARKERS_MAX) {
    return known;
  }
  uint64_t offset = 0;
  char* text = ridge_allocate(length + 1, length + 1, 64, &offset);
  if (offset == 0) {
    return NONE;
  }
  ridge_copy(text, name, length);
  text[length] = '\0';
  record_of(marker)->name = offset;
  record_of(marker)->name_bytes = length + 1;
  hashes[marker] = hash;
  __atomic_store_n(&process->marker_count, marker + 1, __ATOMIC_RELEASE);
  atomic_store_explicit(&places[place], marker + 1, memory_order_release);
  return marker;
}

/* NONE: there is no room for another one. */
static uint32_t find_marker(const char* name) {
  uint64_t length = 0;
  uint64_t place = 0;
  const uint64_t hash = hash_of(name, &length);
  uint32_t marker = NONE;
  if (__atomic_load_n(&ridge_runtime.process->markers, __ATOMIC_ACQUIRE) != 0) {
    marker = look_up(hash, name, length, &place);
  }
  if (marker == NONE) {
    struct ridge_guard guard;
    ridge_enter(&guard);
    pthread_mutex_lock(&ridge_runtime.register_lock);
    marker = add_name(hash, name, length);
    pthread_mutex_unlock(&ridge_runtime.register_lock);
    ridge_leave(&guard);
  }
  return marker;
}

/* ---- what is counted ---- */

/* Room for all counters that there are, or null. A counter that came later began with 0. */
static struct ridge_marker_counts* counts_of(struct ridge_thread* thread, uint32_t marker) {
  const uint64_t needed = atomic_load(&ridge_runtime.counter_count);
  struct ridge_marker_counts* old = in_arena(thread->marker_counts[marker]);
  if (old != NULL && old->value_count >= needed) {
    return old;
  }
  const uint64_t count = ridge_round_up(needed + 1, COUNTERS_AT_ONCE);
  const uint64_t bytes = sizeof(*old) + count * sizeof(uint64_t);
  uint64_t offset = 0;
  struct ridge_guard guard;
  ridge_enter(&guard);
  pthread_mutex_lock(&ridge_runtime.register_lock); /* small pieces of private memory */
  struct ridge_marker_counts* made = ridge_allocate(bytes, bytes, 64, &offset);
  pthread_mutex_unlock(&ridge_runtime.register_lock);
  ridge_leave(&guard);
  if (offset == 0) {
    return old;
  }
  if (old != NULL) {
    ridge_copy(made, old, sizeof(*old) + old->value_count * sizeof(uint64_t));
  }
  made->value_count = count;
  __atomic_store_n(&thread->marker_counts[marker], offset, __ATOMIC_RELEASE);
  return made;
}

/* ---- traffic ---- */

static void add_table(struct ridge_region_traffic* sum, uint64_t table, uint64_t sign) {
  enum { WORDS = sizeof(*sum) / sizeof(uint64_t) };
  const uint64_t* words = in_arena(table);
  uint64_t* sums = (uint64_t*)sum;
  if (words == NULL) {
    return;
  }
  for (uint64_t region = 0; region < ridge_runtime.process->region_count; ++region) {
    for (uint64_t i = 0; i < WORDS; ++i) {
      sums[i] += sign * words[region * WORDS + i];
    }
  }
}

static void add_traffic(struct ridge_marker_record* record, uint64_t sign) {
  const struct ridge_process_record* process = ridge_runtime.process;
  add_table(&record->traffic, process->traffic, sign);
  add_table(&record->sampled, process->sampled_traffic, sign);
}

/* One visit that counts more, or less. */
static void change_open(struct ridge_marker_record* record, struct ridge_slot* slot,
                        int64_t change) {
  struct ridge_guard guard;
  if (ridge_runtime.simulator == NULL) {
    __atomic_fetch_add(&record->open, (uint64_t)change, __ATOMIC_RELAXED);
    return;
  }
  ridge_enter(&guard);
  ridge_wait_to_simulate();
  const uint64_t before = record->open;
  record->open += (uint64_t)change;
  if (before == 0 || record->open == 0) {
    ridge_drain(slot);
    add_traffic(record, record->open == 0 ? 1 : UINT64_MAX);
  }
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  ridge_leave(&guard);
}

/* ---- start and stop ---- */

/* The calling thread, if it is measured. */
static struct ridge_thread* measured_thread(void) {
  struct ridge_thread* thread = ridge_current_thread;
  if (thread == NULL) {
    thread = ridge_attach_thread();
  }
  const struct ridge_slot* slot = ridge_slot_of(thread);
  return slot != NULL && slot->offset != 0 &&
                 ridge_runtime.process != &ridge_runtime.private_process
             ? thread
             : NULL;
}

static uint32_t flags_for(const struct ridge_thread* thread) {
  const int is_first = thread->tid == ridge_runtime.pid;
  return is_first && (omp_in_parallel == NULL || !omp_in_parallel())
             ? RIDGE_MARKER_COUNTS | RIDGE_MARKER_WHOLE_PROCESS
             : RIDGE_MARKER_COUNTS;
}

/* Innermost first; null: the thread is not in it. */
static struct ridge_open_marker* find_open(struct ridge_thread* thread, uint32_t marker) {
  for (uint64_t i = thread->open_marker_count; i > 0; --i) {
    if (thread->open_markers[i - 1].marker == marker) {
      return &thread->open_markers[i - 1];
    }
  }
  return NULL;
}

static void leave_out(struct ridge_slot* slot, int inner) {
  slot->markers_left_out += inner ? 1 : 0;
  __atomic_fetch_add(&ridge_runtime.process->markers_left_out, 1, __ATOMIC_RELAXED);
}

/* Marker and flags at once: others read them meanwhile (marker_cover.c, the sampler). */
static void put(struct ridge_open_marker* place, struct ridge_open_marker opened) {
  typedef uint64_t __attribute__((may_alias)) word;
  place->nested = opened.nested;
  __atomic_store_n((word*)place, *(const word*)&opened, __ATOMIC_RELEASE);
}

static void open_marker(struct ridge_thread* thread, uint32_t marker,
                        struct ridge_marker_counts* counts) {
  struct ridge_marker_record* record = record_of(marker);
  struct ridge_slot* slot = ridge_slot_of(thread);
  const uint32_t flags = flags_for(thread);
  const struct ridge_open_marker opened = {marker, flags, 0};
  change_open(record, slot, 1);
  put(&thread->open_markers[thread->open_marker_count], opened);
  __atomic_store_n(&thread->open_marker_count, thread->open_marker_count + 1, __ATOMIC_SEQ_CST);
  if ((flags & RIDGE_MARKER_WHOLE_PROCESS) != 0) {
    ridge_cover_all(marker, counts);
    return;
  }
  if (!ridge_covers_all(marker)) {
    __atomic_fetch_add(&record->of_one_thread, 1, __ATOMIC_RELAXED);
  }
  ridge_cover_own(slot, marker, 1, counts);
}

static void close_marker(struct ridge_thread* thread, struct ridge_open_marker* opened) {
  const struct ridge_open_marker closed = *opened;
  struct ridge_marker_counts* counts = counts_of(thread, closed.marker);
  struct ridge_marker_record* record = record_of(closed.marker);
  struct ridge_open_marker* last = &thread->open_markers[thread->open_marker_count - 1];
  for (; opened < last; ++opened) {
    put(opened, opened[1]);
  }
  __atomic_store_n(&thread->open_marker_count, thread->open_marker_count - 1, __ATOMIC_SEQ_CST);
  if ((closed.flags & RIDGE_MARKER_WHOLE_PROCESS) != 0) {
    const uint64_t inside = ridge_uncover_all(closed.marker, counts);
    __atomic_fetch_add(&record->of_one_thread, inside, __ATOMIC_RELAXED);
  } else {
    ridge_cover_own(ridge_slot_of(thread), closed.marker, 0, counts);
  }
  change_open(record, ridge_slot_of(thread), -1);
}

__attribute__((visibility("default"))) void ridge_marker_begin(const char* name) {
  struct ridge_thread* thread = measured_thread();
  if (thread == NULL || name == NULL) {
    return;
  }
  struct ridge_slot* slot = ridge_slot_of(thread);
  const uint32_t marker = find_marker(name);
  struct ridge_marker_counts* counts = marker != NONE ? counts_of(thread, marker) : NULL;
  if (counts == NULL) {
    leave_out(slot, 0);
    return;
  }
  struct ridge_open_marker* around = find_open(thread, marker);
  if (around == NULL && thread->open_marker_count == RIDGE_OPEN_MARKERS_MAX) {
    leave_out(slot, 1);
    return;
  }
  ++counts->entries;
  if (around != NULL) {
    ++around->nested;
  } else {
    open_marker(thread, marker, counts);
  }
}

__attribute__((visibility("default"))) void ridge_marker_end(const char* name) {
  struct ridge_thread* thread = measured_thread();
  if (thread == NULL || name == NULL) {
    return;
  }
  struct ridge_slot* slot = ridge_slot_of(thread);
  const uint32_t marker = find_marker(name);
  if (marker == NONE) {
    return;
  }
  struct ridge_open_marker* opened = find_open(thread, marker);
  if (opened == NULL && slot->markers_left_out > 0) {
    --slot->markers_left_out;
  } else if (opened == NULL) {
    __atomic_fetch_add(&record_of(marker)->stops_alone, 1, __ATOMIC_RELAXED);
  } else if (opened->nested > 0) {
    --opened->nested;
  } else {
    close_marker(thread, opened);
  }
}

void ridge_close_markers(struct ridge_thread* thread) {
  while (thread->open_marker_count > 0) {
    struct ridge_open_marker* last = &thread->open_markers[thread->open_marker_count - 1];
    __atomic_fetch_add(&record_of(last->marker)->stopped_by_end, 1, __ATOMIC_RELAXED);
    close_marker(thread, last);
  }
}

/* ---- fork ---- */

/* The only thread left goes on in its markers. Counters and traffic of the child begin with 0, and
 * so do the sums of its markers. */
static void reopen_markers(const struct ridge_thread* thread) {
  for (uint64_t i = 0; i < thread->open_marker_count; ++i) {
    const struct ridge_open_marker* opened = &thread->open_markers[i];
    ++record_of(opened->marker)->open;
    if ((opened->flags & RIDGE_MARKER_WHOLE_PROCESS) != 0) {
      ridge_cover_all(opened->marker, NULL);
    } else {
      ridge_cover_own(ridge_slot_of(thread), opened->marker, 1, NULL);
      ++record_of(opened->marker)->of_one_thread;
    }
  }
}

void ridge_markers_after_fork(const struct ridge_process_record* parent) {
  struct ridge_process_record* process = ridge_runtime.process;
  struct ridge_thread* thread = ridge_current_thread;
  const struct ridge_marker_record* known = in_arena(parent->markers);
  for (uint32_t i = 0; i < RIDGE_MARKERS_MAX; ++i) {
    ridge_forget_cover(thread, i);
    if (thread != NULL) {
      thread->marker_counts[i] = 0;
    }
  }
  if (known == NULL) {
    return;
  }
  if (process == &ridge_runtime.private_process || !make_table(process)) {
    for (uint32_t i = 0; i < PLACES; ++i) {
      atomic_store(&places[i], 0);
    }
    if (thread != NULL) {
      thread->open_marker_count = 0;
    }
    return;
  }
  for (uint32_t i = 0; i < parent->marker_count; ++i) {
    record_of(i)->name = known[i].name;
    record_of(i)->name_bytes = known[i].name_bytes;
  }
  process->marker_count = parent->marker_count;
  if (thread != NULL) {
    reopen_markers(thread);
  }
}
