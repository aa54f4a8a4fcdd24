/* Thread blocks: who has which, the region stack, what happens at the end of a thread and at fork.
 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/state.h"

enum { PAGE_BYTES = 4096 };

/* Address just above the initial thread's stack, from the C library's start-up. */
extern void* __libc_stack_end;

__attribute__((visibility("default"),
               tls_model("initial-exec"))) __thread struct ridge_thread* ridge_current_thread;

/* Shared by all threads that could not get a block of their own. Whatever races in it stays in it:
 * depth is always stored as a slot number that was in range. */
struct ridge_thread ridge_emergency_block;

uint32_t ridge_tid(void) {
  return (uint32_t)syscall(SYS_gettid);
}

static uint64_t block_bytes(void) {
  return ridge_round_up(sizeof(struct ridge_thread), PAGE_BYTES);
}

struct ridge_slot* ridge_slot_of(const struct ridge_thread* thread) {
  return (struct ridge_slot*)thread->reserved[0];
}

static void reset_block(struct ridge_thread* block) {
  block->frames[0].region = 0;
  block->frames[0].region_base = 0;
  block->frames[0].stack_pointer = UINT64_MAX;
  __atomic_store_n(&block->depth, 1, __ATOMIC_RELAXED);
}

static void push_slot(struct ridge_slot* slot) {
  slot->next = atomic_load(&ridge_runtime.slots);
  while (!atomic_compare_exchange_weak(&ridge_runtime.slots, &slot->next, slot)) {
  }
}

static void publish_block(struct ridge_slot* slot) {
  if (slot->offset == 0) {
    return;
  }
  uint64_t* head = &ridge_runtime.process->threads;
  slot->block->next = __atomic_load_n(head, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(head, &slot->block->next, slot->offset, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

static void populate_counters_of(const struct ridge_thread* block, uint32_t first, uint32_t count) {
  ridge_populate(&block->counters[first], (uint64_t)count * sizeof(uint64_t));
}

void ridge_populate_counters(uint32_t first, uint32_t count) {
  for (struct ridge_slot* slot = atomic_load(&ridge_runtime.slots); slot != NULL;
       slot = slot->next) {
    populate_counters_of(slot->block, first, count);
  }
}

static struct ridge_slot* make_slot(uint32_t number) {
  const uint64_t trace_bytes = ridge_runtime.mode == RIDGE_MODE_TRAFFIC
                                   ? RIDGE_TRACE_CAPACITY * sizeof(struct ridge_trace_entry)
                                   : 0;
  struct ridge_slot* slot = ridge_map(trace_bytes + sizeof(*slot));
  if (slot == NULL) {
    return NULL;
  }
  slot->block = ridge_allocate(block_bytes(), offsetof(struct ridge_thread, counters), PAGE_BYTES,
                               &slot->offset);
  if (slot->block == NULL) {
    ridge_unmap(slot, trace_bytes + sizeof(*slot));
    return NULL;
  }
  slot->trace = trace_bytes != 0 ? (struct ridge_trace_entry*)(slot + 1) : NULL;
  atomic_store(&slot->claimed, 1);
  slot->block->reserved[0] = (uint64_t)slot;
  slot->block->ordinal = number;
  slot->core = ridge_core_of(number);
  for (uint32_t i = 0; i < RIDGE_MASKS && trace_bytes != 0; ++i) {
    slot->masks[i] = ridge_trace_mask_of(slot);
  }
  reset_block(slot->block);
  publish_block(slot);
  /* A module that registers now either sees the slot or has raised the count before. */
  push_slot(slot);
  populate_counters_of(slot->block, 0, atomic_load(&ridge_runtime.counter_count));
  if (atomic_load(&ridge_runtime.spare_used)) {
    populate_counters_of(slot->block, RIDGE_USABLE_COUNTERS, RIDGE_SPARE_COUNTERS);
  }
  ridge_markers_cover_new(slot);
  return slot;
}

/* A slot of this number or, for threads beyond the table of turns, of any above it. */
static struct ridge_slot* claim_slot(const struct ridge_turn* turn) {
  const uint32_t number = turn != NULL ? turn->number : (uint32_t)RIDGE_TURNS_MAX;
  for (struct ridge_slot* slot = atomic_load(&ridge_runtime.slots); slot != NULL;
       slot = slot->next) {
    int expected = 0;
    const uint32_t ordinal = slot->block->ordinal;
    if ((ordinal == number || (turn == NULL && ordinal > number)) &&
        atomic_load(&slot->claimed) == 0 &&
        atomic_compare_exchange_strong(&slot->claimed, &expected, 1)) {
      return slot;
    }
  }
  return make_slot(turn != NULL ? number
                                : number + atomic_fetch_add(&ridge_runtime.block_count, 1));
}

struct ridge_turn* ridge_own_turn(void) {
  struct ridge_turn* turn = pthread_getspecific(ridge_runtime.key);
  if (turn != NULL) {
    return turn;
  }
  struct ridge_turns* turns = ridge_lock_turns();
  turn = ridge_turns_add(turns, turns->frontier);
  if (turn != NULL) {
    turn->tid = ridge_tid();
    atomic_store(&ridge_runtime.several, ridge_runtime.several || turn->number != 0);
  }
  ridge_unlock_turns();
  /* Ends in ridge_thread_ended; allocates only if the program has more than 31 keys before ours. */
  pthread_setspecific(ridge_runtime.key, turn);
  return turn;
}

void ridge_thread_begins(struct ridge_turn* turn) {
  struct ridge_guard guard;
  ridge_enter(&guard);
  ridge_lock_turns();
  turn->tid = ridge_tid();
  ++turn->events;
  ridge_unlock_turns();
  pthread_setspecific(ridge_runtime.key, turn);
  ridge_leave(&guard);
}

static struct ridge_thread* attach(void) {
  struct ridge_turn* turn = ridge_own_turn();
  struct ridge_slot* slot = claim_slot(turn);
  if (slot == NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
    return &ridge_emergency_block;
  }
  struct ridge_thread* block = slot->block;
  reset_block(block);
  slot->stack_low = slot->stack_high = 0;
  ridge_lock_turns();
  slot->turn = turn;
  if (turn != NULL) {
    turn->slot = slot;
  }
  ridge_reset_trace(slot);
  ridge_unlock_turns();
  ++block->generation;
  __atomic_fetch_add(&ridge_runtime.process->thread_count, 1, __ATOMIC_RELAXED);
  ridge_current_thread = block;
  __atomic_store_n(&block->tid, ridge_tid(), __ATOMIC_RELEASE);
  return block;
}

__attribute__((visibility("default"))) struct ridge_thread* ridge_attach_thread(void) {
  struct ridge_guard guard;
  struct ridge_thread* thread = ridge_current_thread;
  if (thread != NULL) {
    return thread;
  }
  ridge_enter(&guard);
  thread = ridge_start() ? attach() : &ridge_emergency_block;
  if (thread == &ridge_emergency_block && thread->depth == 0) {
    reset_block(thread);
  }
  ridge_leave(&guard);
  return thread;
}

/* For the layers of instrument/calls/ (abi/call_record.h). */
__attribute__((visibility("default"))) uint64_t ridge_calling_region(void) {
  const struct ridge_thread* thread = ridge_current_thread;
  const uint64_t depth = thread != NULL ? thread->depth : 0;
  return depth > 0 && depth <= RIDGE_FRAME_CAPACITY ? ridge_frame_region(&thread->frames[depth - 1])
                                                    : 0;
}

static void detach(struct ridge_slot* slot) {
  ridge_close_markers(slot->block);
  slot->markers_left_out = 0;
  ridge_current_thread = NULL;
  reset_block(slot->block);
  __atomic_store_n(&slot->block->tid, 0, __ATOMIC_RELEASE);
  atomic_store_explicit(&slot->claimed, 0, memory_order_release);
}

/* Destructor of our thread-specific data. Other destructors may be instrumented, so ours lets them
 * go first and acts in the last pass that the C library makes. */
void ridge_thread_ended(void* data) {
  struct ridge_guard guard;
  struct ridge_turn* turn = data;
  ridge_enter(&guard);
  ridge_hand_over(turn);
  const int last = ++turn->exit_rounds >= RIDGE_EXIT_PASSES;
  ridge_after_turn();
  if (!last && pthread_setspecific(ridge_runtime.key, turn) == 0) {
    ridge_leave(&guard);
    return;
  }
  if (ridge_current_thread != NULL && ridge_slot_of(ridge_current_thread) == turn->slot) {
    detach(turn->slot);
  }
  struct ridge_turns* turns = ridge_lock_turns();
  ridge_turns_end(turns, turn);
  if (turn->detached) {
    ridge_turns_remove(turn);
  }
  ridge_after_turn();
  ridge_leave(&guard);
}

/* ---- the region stack ---- */

static uint64_t hexadecimal(const char** text) {
  uint64_t value = 0;
  for (;; ++*text) {
    const char c = **text;
    if (c >= '0' && c <= '9') {
      value = value * 16 + (uint64_t)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      value = value * 16 + (uint64_t)(c - 'a') + 10;
    } else {
      return value;
    }
  }
}

/* Start of the mapping that holds `address`, from /proc/self/maps ("start-end ..." lines); 0 if
 * unknown. pthread_getattr_np would call malloc. */
static uint64_t mapping_start(uint64_t address) {
  char buffer[4096 + 1];
  uint64_t kept = 0;
  uint64_t found = 0;
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  ssize_t got = 0;
  while (file >= 0 && found == 0 &&
         (got = read(file, buffer + kept, sizeof(buffer) - 1 - kept)) > 0) {
    const uint64_t end = kept + (uint64_t)got;
    uint64_t line = 0;
    for (uint64_t i = 0; i < end; ++i) {
      if (buffer[i] != '\n') {
        continue;
      }
      buffer[i] = '\0';
      const char* text = buffer + line;
      const uint64_t low = hexadecimal(&text);
      text += *text == '-' ? 1 : 0;
      const uint64_t high = hexadecimal(&text);
      found = low <= address && address < high ? low : found;
      line = i + 1;
    }
    kept = end - line;
    ridge_copy(buffer, buffer + line, kept);
  }
  if (file >= 0) {
    close(file);
  }
  return found;
}

/* The initial thread's stack lies below __libc_stack_end, as far as the limit lets it grow. Other
 * threads have their control block, which pthread_self points at, at the top of their stack. */
static void find_stack(struct ridge_slot* slot) {
  const uint64_t here = (uint64_t)__builtin_frame_address(0);
  const uint64_t top = (uint64_t)__libc_stack_end;
  const uint64_t unlimited = (uint64_t)1 << 40;
  struct rlimit limit;
  uint64_t size = unlimited;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < unlimited) {
    size = limit.rlim_cur;
  }
  const int forked = (ridge_runtime.process->flags & RIDGE_PROCESS_FORKED) != 0;
  const int initial = slot->block->tid == ridge_runtime.pid && !forked;
  if (initial || (here < top && here >= top - size)) {
    slot->stack_low = top - size;
    slot->stack_high = top + PAGE_BYTES; /* frames of the start-up code */
    return;
  }
  slot->stack_high = (uint64_t)pthread_self();
  slot->stack_low = mapping_start(slot->stack_high);
  if (slot->stack_low == 0) {
    slot->stack_low = slot->stack_high; /* unknown: nothing is ever popped */
  }
}

__attribute__((visibility("default"))) uint64_t ridge_repair_stack(struct ridge_thread* thread,
                                                                   uint64_t stack_pointer) {
  const uint64_t depth = thread->depth;
  uint64_t slot = depth < RIDGE_FRAME_CAPACITY ? depth : RIDGE_FRAME_CAPACITY;
  struct ridge_slot* own = ridge_slot_of(thread);
  if (own != NULL && own->stack_high == 0) {
    struct ridge_guard guard;
    ridge_enter(&guard);
    find_stack(own);
    ridge_leave(&guard);
  }
  /* On another stack (a signal's or a coroutine's) addresses say nothing about who called whom. */
  if (own != NULL && stack_pointer >= own->stack_low && stack_pointer < own->stack_high) {
    while (slot > 1 && thread->frames[slot - 1].stack_pointer <= stack_pointer) {
      --slot;
    }
  }
  return slot < RIDGE_FRAME_CAPACITY ? slot : RIDGE_FRAME_CAPACITY - 1;
}

/* ---- fork ---- */

/* Of the thread that forks, as it was then: the parent goes on writing to the block that the child
 * still sees. Private memory, so the child has a copy. */
static struct {
  uint64_t depth;
  uint64_t open_marker_count;
  struct ridge_open_marker open_markers[RIDGE_OPEN_MARKERS_MAX];
  struct ridge_frame frames[RIDGE_FRAME_CAPACITY];
} at_fork;

void ridge_save_thread(void) {
  const struct ridge_thread* block = ridge_current_thread;
  if (block == NULL) {
    return;
  }
  at_fork.depth = block->depth < RIDGE_FRAME_CAPACITY ? block->depth : RIDGE_FRAME_CAPACITY;
  at_fork.open_marker_count = block->open_marker_count;
  ridge_copy(at_fork.open_markers, block->open_markers, sizeof(at_fork.open_markers));
  ridge_copy(at_fork.frames, block->frames, at_fork.depth * sizeof(struct ridge_frame));
}

static void restore_thread(struct ridge_thread* block) {
  block->depth = at_fork.depth;
  block->open_marker_count = at_fork.open_marker_count;
  ridge_copy(block->open_markers, at_fork.open_markers, sizeof(at_fork.open_markers));
  ridge_copy(block->frames, at_fork.frames, at_fork.depth * sizeof(struct ridge_frame));
}

/* Code that is running holds the address of the block in registers, so the new block must appear
 * there: mremap with an old size of 0 maps shared pages a second time. */
static int map_fresh_block(struct ridge_thread* old, uint64_t* offset) {
  struct ridge_thread* fresh =
      ridge_allocate(block_bytes(), offsetof(struct ridge_thread, counters), PAGE_BYTES, offset);
  if (*offset == 0) {
    if (fresh != NULL) {
      ridge_unmap(fresh, block_bytes());
    }
    return 0;
  }
  if (!ridge_populate(fresh->counters,
                      atomic_load(&ridge_runtime.counter_count) * sizeof(uint64_t))) {
    return 0;
  }
  ridge_copy(fresh, old, offsetof(struct ridge_thread, frames));
  restore_thread(fresh);
  return mremap(fresh, 0, block_bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, old) != MAP_FAILED;
}

/* Without room in the arena the child goes on in private memory. */
static void map_private_block(struct ridge_thread* old) {
  struct ridge_thread* saved = ridge_map(block_bytes());
  if (saved == NULL) {
    return;
  }
  ridge_copy(saved, old, offsetof(struct ridge_thread, frames));
  restore_thread(saved);
  if (mremap(saved, block_bytes(), block_bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, old) ==
      MAP_FAILED) {
    ridge_unmap(saved, block_bytes());
  }
}

void ridge_rehome_thread(void) {
  struct ridge_thread* block = ridge_current_thread;
  atomic_store(&ridge_runtime.slots, NULL);
  atomic_store(&ridge_runtime.block_count, 0);
  atomic_store(&ridge_runtime.several, 0);
  ridge_turns_clear(ridge_turns_locked());
  pthread_setspecific(ridge_runtime.key, NULL);
  if (block == NULL) {
    return;
  }
  struct ridge_slot* slot = ridge_slot_of(block);
  if (slot->offset != 0 && !map_fresh_block(block, &slot->offset)) {
    map_private_block(block);
    slot->offset = 0;
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
  }
  block->ordinal = 0;
  block->generation = 1;
  block->tid = ridge_tid();
  block->next = 0;
  slot->core = ridge_core_of(block->ordinal);
  slot->turn = ridge_turns_add(ridge_turns_locked(), 0);
  slot->turn->slot = slot;
  slot->turn->tid = block->tid;
  pthread_setspecific(ridge_runtime.key, slot->turn);
  ridge_reset_trace(slot);
  ridge_runtime.process->thread_count = 1;
  publish_block(slot);
  push_slot(slot);
}
