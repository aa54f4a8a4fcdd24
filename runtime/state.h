/* What the files of the runtime share. Every name starts with ridge_: the library is linked into
 * other people's programs.
 *
 * Rules of this folder: no malloc (the program's allocator may be instrumented and call us), no
 * standard I/O, no file descriptor kept, errno as the caller had it. Signals are blocked while a
 * lock is held, so that a handler that is instrumented finds no lock of its own thread taken. */
#ifndef RIDGE_RUNTIME_STATE_H
#define RIDGE_RUNTIME_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "abi/descriptor.h"
#include "abi/layout.h"
#include "abi/version.h"
#include "cachesim/cachesim.h"
#include "cachesim/pilot.h"
#include "runtime/turns.h"

/* The last counters of a thread block take what modules count that were left out. */
enum { RIDGE_SPARE_COUNTERS = 1 << 16 };
enum { RIDGE_USABLE_COUNTERS = RIDGE_COUNTER_CAPACITY - RIDGE_SPARE_COUNTERS };

/* One more than the batches between the one that settles a mask and the one that is traced with it.
 */
enum { RIDGE_MASKS = RIDGE_WINDOW + 2 };

/* Private companion of a thread block. Slots are never freed: they wait for the next thread. */
struct ridge_slot {
  struct ridge_slot* next;
  struct ridge_thread* block;
  uint64_t offset;     /* of the block in the arena, 0 = private memory */
  _Atomic int claimed; /* 1 while a thread owns it */
  uint32_t core;       /* where the cache simulation runs it */
  uint64_t stack_low;  /* the stack the thread was created with; 0, 0 = not looked up yet */
  uint64_t stack_high;
  struct ridge_trace_entry* trace;  /* RIDGE_TRACE_CAPACITY entries, or null */
  uint64_t simulated;               /* address: entries below it have been simulated */
  struct ridge_turn* turn;          /* null: beyond the table */
  struct ridge_trace_entry* window; /* RIDGE_WINDOW times as many; null: not needed yet */
  uint64_t masks[RIDGE_MASKS];      /* of batches, by number modulo their count */
  uint64_t task;                    /* serial of the one that batches were simulated of last ... */
  uint32_t at_data;                 /* ... and the thread whose part of the memory it began with */
  uint64_t batches_begun;
  uint64_t batches_done;
  uint64_t markers_left_out; /* visits that go on: too many inside each other */
  _Atomic unsigned char covered[RIDGE_MARKERS_MAX]; /* markers.c: the work counts, by marker */
};

/* A module that has been registered in this process or, before a fork, in its ancestor. */
struct ridge_known_module {
  struct ridge_known_module* next;
  struct ridge_module_record record;
  const void* descriptor; /* own copy */
};

/* Sampled traffic (sampling.c): all lines until `begun`, then those of `mask`. Guarded by
 * simulate_lock. */
struct ridge_sampling {
  struct cachesim_pilot* pilot; /* null: everything stays exact */
  uint64_t mask;
  uint64_t weight; /* lines that a sampled one stands for */
  int packed;      /* the simulator knows them by packed addresses (line_class.h) */
  uint64_t class_count;
  unsigned char rank[RIDGE_LINE_CLASSES]; /* of each selected class among them */
  int begun;
  struct ridge_region_traffic* exact;
  struct ridge_region_traffic* sampled;
  struct ridge_region_plan* plans; /* by region */
  struct ridge_slot* piloted;      /* the thread whose window it is, or null */
  uint32_t window_region;          /* that asked for it */
  uint64_t window_accesses;
  uint64_t entries; /* simulated since the loops were judged last */
  uint64_t random;
};

/* Where pages lie (page_nodes.c). Guarded by simulate_lock. */
enum { RIDGE_NODE_SAMPLES = 1024 };
struct ridge_page_nodes {
  struct ridge_region_nodes* regions; /* null: not asked for, no memory, or forbidden */
  uint32_t known;                     /* samples whose thread's node is known */
  uint32_t of_thread[RIDGE_NODE_SAMPLES];
  struct cachesim_memory_sample samples[RIDGE_NODE_SAMPLES]; /* as many as the simulator says */
};

/* The same accesses with explicit tasks on other cores (placements.c). Guarded by simulate_lock. */
struct ridge_placement {
  struct cachesim* simulator; /* null: none, or given up */
  struct ridge_region_traffic* sampled;
};

struct ridge_runtime {
  struct ridge_arena* arena; /* null: nobody measures */
  uint64_t arena_bytes;
  _Atomic int arena_exhausted; /* nothing more is taken from it */
  struct ridge_process_record* process;
  struct ridge_process_record private_process;
  uint32_t pid;
  uint32_t mode; /* of modules: RIDGE_MODE_COUNT or RIDGE_MODE_TRAFFIC */
  struct ridge_slot* _Atomic slots;
  _Atomic uint32_t block_count;
  _Atomic uint32_t counter_count;
  _Atomic int spare_used;
  struct ridge_known_module* modules;
  pthread_mutex_t register_lock;
  _Atomic int register_owner; /* tid that holds it */
  int waits_awake;            /* for simulate_lock: there is more than one CPU */
  pthread_mutex_t next_lock;  /* held by the thread that waits for simulate_lock */
  pthread_mutex_t simulate_lock;
  pthread_mutex_t turn_lock;         /* for a moment, also by who holds simulate_lock */
  _Atomic int simulation_wanted;     /* threads that want simulate_lock for something else */
  _Atomic int several;               /* a second thread has been created */
  _Atomic uint32_t progress;         /* changes when a thread may have got room */
  _Atomic uint32_t waiting_for_room; /* threads */
  struct cachesim* simulator;
  struct cachesim* elsewhere[RIDGE_ELSEWHERE_MAX]; /* null: none, or given up */
  struct ridge_placement placements[RIDGE_TASK_PLACEMENTS];
  _Atomic int placements_started;
  struct ridge_sampling sampling;
  struct ridge_page_nodes page_nodes;
  struct ridge_region_trips* trips; /* by region; null: not asked for, or no memory */
  struct ridge_cache_config caches;
  pthread_key_t key;
};

extern struct ridge_runtime ridge_runtime;
extern struct ridge_thread ridge_emergency_block;
extern __thread struct ridge_thread* ridge_current_thread;

/* ---- session.c ---- */

/* Attaches the process on first use. False while that is still going on in this very thread. */
int ridge_start(void);
/* A fresh process record, pushed on the arena's list; private memory if that fails. */
void ridge_make_process(uint32_t flags);
void ridge_set_flag(uint32_t process_flag);
void ridge_complain(const char* before, const char* subject, const char* after);

/* ---- memory.c ---- */

/* Zeroed memory of the arena, the first `used_bytes` populated, or (offset 0) private memory, or
 * null. A null `offset` asks for private memory. */
void* ridge_allocate(uint64_t bytes, uint64_t used_bytes, uint64_t alignment, uint64_t* offset);
/* Makes sure that writing never ends in SIGBUS: what the arena cannot give becomes private memory,
 * which nobody will read. False if that happened. Does nothing for private memory. */
int ridge_populate(const void* start, uint64_t bytes);
/* Own pages, zeroed, or null. */
void* ridge_map(uint64_t bytes);
void* ridge_map_large(uint64_t bytes); /* to be given back by ridge_unmap_large */
void ridge_unmap(void* memory, uint64_t bytes);
void ridge_unmap_large(void* memory, uint64_t bytes);
/* A small piece of private memory that is never freed, or null. */
void* ridge_small(uint64_t bytes);
void ridge_copy(void* to, const void* from, uint64_t bytes);
uint64_t ridge_round_up(uint64_t value, uint64_t multiple);

/* ---- threads.c ---- */

void ridge_populate_counters(uint32_t first, uint32_t count);
struct ridge_slot* ridge_slot_of(const struct ridge_thread* thread);
void ridge_thread_ended(void* turn);
/* Before fork, in the thread that forks. */
void ridge_save_thread(void);
/* After fork: the block of the only thread left becomes a fresh one at the same address. */
void ridge_rehome_thread(void);
uint32_t ridge_tid(void);
/* Of the calling thread; null if there are too many threads. ridge_start has been called. */
struct ridge_turn* ridge_own_turn(void);
struct ridge_thread* ridge_attach_thread(void);
void ridge_trace_flush(struct ridge_thread* thread);

/* ---- modules.c ---- */

void ridge_modules_after_fork(void);
/* library_names_*.c: the names of the libraries of the callees, as in ridge_module_record. Returns
 * its offset in the arena, or 0. */
uint64_t ridge_library_names(const struct ridge_module* module,
                             const struct ridge_descriptor_header* header, uint64_t* bytes);

/* The file that holds the code at `address`, as the dynamic linker names it: "" is the program
 * itself, null unknown. */
const char* ridge_file_at(const void* address);
/* Where the ELF header of that file lies in memory; null where nobody knows. */
const void* ridge_image_at(const void* address);
/* module_file.c: fills in file and build ID. */
void ridge_describe_file(const struct ridge_module* module, struct ridge_module_record* record);

/* ---- traffic.c ---- */

void ridge_start_traffic(void);
void ridge_grow_traffic(uint32_t region_count);
void ridge_drop_traffic(void);
uint32_t ridge_core_of(uint32_t ordinal);
/* An empty buffer for the batch that the thread is at. */
void ridge_reset_trace(struct ridge_slot* slot);

/* ---- order.c ---- */

/* For bookkeeping of who comes when. */
struct ridge_turns* ridge_lock_turns(void);
struct ridge_turns* ridge_turns_locked(void); /* the caller holds it already */
void ridge_unlock_turns(void);
/* What the calling thread has traced so far is a batch. Leaves turn_lock held. */
void ridge_hand_over(struct ridge_turn* turn);
/* Others may be able to go now; sets turn_lock free. */
void ridge_after_turn(void);
/* Until no thread that runs has done less work than the calling one. */
void ridge_wait_until_first(struct ridge_turn* turn);
/* A full buffer, of a thread with or without a turn. */
void ridge_flush(struct ridge_slot* slot);
/* Who does which part of the work depends on time. */
void ridge_note_free_division(void);
/* Waited on by threads of which nobody knows when they are needed again. */
const void* ridge_idle(void);
/* Simulates what all threads have handed over, and what is in their buffers. The caller holds
 * simulate_lock. */
void ridge_drain_all(void);
/* ... what all threads have handed over, and what is in the buffer of the calling one. */
void ridge_drain(struct ridge_slot* own);

/* ---- presence.c ---- */

enum { RIDGE_WATCHED_MAX = 8 };
struct ridge_watched {
  const struct ridge_turn* turn;
  uint64_t events;
  uint64_t moved;
  uint64_t begin; /* CPU time at the first look */
  uint64_t cpu;   /* at the last one */
  uint32_t looks;
  uint32_t still;
};
struct ridge_patience {
  struct ridge_watched watched[RIDGE_WATCHED_MAX];
  uint64_t passed;
  uint64_t looked_at; /* nanoseconds */
  uint32_t looks;
};
/* Looks at the threads that the simulation waits for, or that `first` waits for if not null, and
 * marks those that do not come. The caller holds turn_lock, which is free meanwhile. */
void ridge_give_up_absent(struct ridge_turns* turns, const struct ridge_turn* first,
                          struct ridge_patience* patience);

/* ---- thread_events.c: calls of the program that concern its threads ---- */

/* A thread is about to be created by the calling one; null: it will have no turn. */
struct ridge_turn* ridge_thread_is_created(void);
void ridge_thread_has_handle(struct ridge_turn* turn, pthread_t handle);
void ridge_thread_was_not_created(struct ridge_turn* turn);
/* In the new thread. */
void ridge_thread_begins(struct ridge_turn* turn);
struct ridge_turn* ridge_begin_join(pthread_t handle);
void ridge_end_join(struct ridge_turn* joined, int done);
void ridge_begin_barrier(const void* barrier);
void ridge_end_barrier(const void* barrier);
/* The calling thread takes the next part of shared work. */
void ridge_take_turn(void);

/* ---- markers.c ---- */

/* The thread ends: so do its markers. */
void ridge_close_markers(struct ridge_thread* thread);
/* In the child, when process, thread and traffic are its own. `parent`: the record before. */
void ridge_markers_after_fork(const struct ridge_process_record* parent);

/* ---- marker_cover.c: a null `counts` means that counters are 0, or that there is no memory ----
 */

/* Of the calling thread, after its open markers have changed: it is `inside` now, or no longer. */
void ridge_cover_own(struct ridge_slot* slot, uint32_t marker, int inside,
                     struct ridge_marker_counts* counts);
/* In the first thread, which is in the marker for the whole process from now on. */
void ridge_cover_all(uint32_t marker, struct ridge_marker_counts* counts);
/* ... and no longer. Returns the threads that are still in it: their work goes on to count. */
uint64_t ridge_uncover_all(uint32_t marker, struct ridge_marker_counts* counts);
/* A slot that has just been pushed on the list: where the process is in a marker, so is it. */
void ridge_markers_cover_new(struct ridge_slot* slot);
/* The process is in the marker as a whole. */
int ridge_covers_all(uint32_t marker);
/* In a forked child: nobody is in it. `thread`: the only one, or null. */
void ridge_forget_cover(const struct ridge_thread* thread, uint32_t marker);

/* ---- elsewhere.c: all under simulate_lock ---- */

/* The caches of other machines that the arena asks for; the simulator is there. */
void ridge_start_elsewhere(const struct cachesim_memory* memory);
void ridge_drop_elsewhere(void);
void ridge_grow_elsewhere(uint32_t region_count);
/* The batch that the simulator gets, for all of them; leaves it as it is. */
void ridge_simulate_elsewhere(const struct ridge_slot* slot,
                              const struct ridge_trace_entry* entries, uint64_t count);

/* ---- placements.c ---- */

/* Before the first explicit task of several threads runs; takes simulate_lock. */
void ridge_start_placements(void);
/* The rest under simulate_lock. */
void ridge_drop_placements(void);
void ridge_grow_placements(uint32_t region_count);
/* From now on lines are left out, as the simulator does. */
void ridge_sample_placements(void);
/* The batch is the next one of the slot's thread. */
void ridge_place_batch(struct ridge_slot* slot, const struct ridge_batch* batch);
/* What the simulator gets of it. */
void ridge_run_placements(const struct ridge_slot* slot, const struct ridge_batch* batch,
                          const struct ridge_trace_entry* entries, uint64_t count);
void ridge_access_placements(const struct ridge_slot* slot, const struct ridge_batch* batch,
                             uint64_t address, uint64_t bytes, uint32_t flags, uint32_t region);

/* ---- lines.c ---- */

/* The simulator exists; without memory nothing is observed. */
void ridge_start_lines(void);
void ridge_grow_lines(uint32_t region_count);

/* A table of the first `capacity` regions in the arena, those in use populated; null and offset 0
 * if that fails. */
void* ridge_make_table(uint64_t entry_bytes, uint32_t capacity, uint64_t* offset);
/* More regions are in use. */
void ridge_grow_table(const void* table, uint64_t entry_bytes, uint32_t capacity, uint32_t regions);

/* ---- page_nodes.c: all under simulate_lock ---- */

/* If the arena asks for it. */
void ridge_start_page_nodes(void);
void ridge_drop_page_nodes(void);
void ridge_grow_page_nodes(uint32_t region_count);
/* The simulator has just had a batch of a thread on this node. */
void ridge_note_page_nodes(uint32_t node);
/* What is known of the samples so far is counted; others are dropped. */
void ridge_ask_for_page_nodes(void);
/* After sampling has begun: each line stands for several. */
void ridge_weigh_page_nodes(void);

/* ---- sampling.c: all under simulate_lock ---- */

/* If the arena asks for it; the simulator is there. */
void ridge_start_sampling(const struct cachesim_memory* memory);
void ridge_drop_sampling(void);
void ridge_grow_sampling(uint32_t region_count);
/* Simulates a batch of the slot's thread; of lines that are not selected nothing. May change it. */
void ridge_simulate(struct ridge_slot* slot, const struct ridge_batch* batch);
/* After a batch: which lines the thread traces from then on. */
void ridge_plan_batch(struct ridge_slot* slot, const struct ridge_batch* batch);
uint64_t ridge_trace_mask_of(const struct ridge_slot* slot);
/* Accesses of a batch with this mask, at most RIDGE_TRACE_CAPACITY. */
int64_t ridge_batch_of(uint64_t trace_mask);

/* ---- locks.c ---- */

struct ridge_guard {
  uint64_t signals[16]; /* sigset_t */
  int error;
};
/* Takes simulate_lock. One thread at a time waits for it, awake, so that it goes on as soon as it
 * is free; the others sleep until they are that one. All take it this way: whoever slept on the
 * lock itself would come too late each time. */
void ridge_wait_to_simulate(void);
/* Keeps the place of the one that waits, too, so that a forked child finds both locks free. */
void ridge_stop_simulation(void);
void ridge_resume_simulation(void);
/* Held for moments only: worth waiting for awake. */
void ridge_lock_awake(pthread_mutex_t* lock);
/* The processor may do something else for a moment. */
void ridge_rest(void);
/* Blocks signals and keeps errno until ridge_leave. */
void ridge_enter(struct ridge_guard* guard);
void ridge_leave(const struct ridge_guard* guard);

#endif
