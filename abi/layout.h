/* Memory shared between `ridge run` and the measured programs.
 *
 * `ridge run` creates one memfd, the arena, and names it in the environment:
 *     RIDGE_SESSION=/proc/PID/fd/N
 * The runtime in each instrumented process opens, maps and closes it, and takes pieces from it with
 * an atomic bump of `used_bytes` (sparse file; a piece is populated before it is used, so a full
 * memory is an error and never SIGBUS). Offsets are from the start of the arena; 0 is none.
 * Everything here survives the death of the process that wrote it. The reader is `ridge run`, which
 * trusts nothing: it checks every offset, count and loop of links.
 *
 * Without RIDGE_SESSION the runtime uses private memory of the same layout and writes nothing. */
#ifndef RIDGE_ABI_LAYOUT_H
#define RIDGE_ABI_LAYOUT_H

#include <stdint.h>

enum { RIDGE_ARENA_MAGIC = 0x41474452 }; /* "RDGA" */

enum ridge_mode {
  RIDGE_MODE_UNREGISTERED = 0, /* module state before its constructor ran */
  RIDGE_MODE_COUNT = 1,        /* count and be sampled */
  RIDGE_MODE_TRAFFIC = 2       /* count, and feed every access to the cache simulation */
};

enum {
  RIDGE_FRAME_CAPACITY = 4096, /* region stack; deeper frames share the last slot */
  RIDGE_CACHE_LEVELS_MAX = 4,
  RIDGE_PLACEMENT_MAX = 1024,
  RIDGE_ELSEWHERE_MAX = 8,   /* caches of other machines that a run simulates beside its own */
  RIDGE_TASK_PLACEMENTS = 3, /* ways to place explicit tasks that a run simulates beside its own */
  RIDGE_COUNTER_CAPACITY = 1 << 20, /* counters of one thread over all modules (8 MiB, sparse) */
  RIDGE_REGION_CAPACITY = 1 << 18,  /* regions of one process over all modules */
  RIDGE_TRACE_CAPACITY = 8192,      /* entries of a thread's trace buffer */
  RIDGE_MARKERS_MAX = 1024,         /* names of markers in one process; others are left out */
  RIDGE_OPEN_MARKERS_MAX = 32,      /* of one thread, of different names; inner ones are left out */
  RIDGE_MARKER_NAME_MAX = 512       /* bytes with the NUL; longer ones are cut */
};

/* ---- cache simulation: what `ridge run` asks for (arena header) and gets (traffic table) ---- */

enum ridge_cache_policy { RIDGE_NON_INCLUSIVE = 0, RIDGE_INCLUSIVE = 1, RIDGE_VICTIM = 2 };

struct ridge_cache_level {
  uint64_t size_bytes;
  uint32_t ways;
  uint32_t line_bytes;      /* equal on all levels */
  uint32_t cores_per_cache; /* 1 = private */
  uint32_t policy;          /* enum ridge_cache_policy */
  uint32_t write_allocate;  /* 0 = never, 1 = always (and when-unsaturated) */
  uint32_t reserved;
};

struct ridge_cache_config {
  uint32_t level_count; /* 1 .. RIDGE_CACHE_LEVELS_MAX */
  uint32_t core_count;
  struct ridge_cache_level levels[RIDGE_CACHE_LEVELS_MAX]; /* innermost first */
  /* Core of the n-th thread of the timed run; threads beyond go round robin. */
  uint32_t placement_count;
  uint32_t placement[RIDGE_PLACEMENT_MAX];
};

/* Other caches behind the same cores. */
struct ridge_cache_levels {
  uint32_t level_count;
  uint32_t reserved;
  struct ridge_cache_level levels[RIDGE_CACHE_LEVELS_MAX];
};

struct ridge_bytes_crossed {
  uint64_t read;
  uint64_t written;
};

/* One per region, in bytes. crossed[k] is the boundary below cache k: crossed[0] is L1-L2 (level
 * "L2"), the last used one is last cache - memory ("DRAM"). */
struct ridge_region_traffic {
  struct ridge_bytes_crossed crossed[RIDGE_CACHE_LEVELS_MAX];
  struct ridge_bytes_crossed memory_at_half;    /* same with 1/2 of the last level */
  struct ridge_bytes_crossed memory_at_quarter; /* same with 1/4 */
  struct ridge_bytes_crossed least;             /* distinct lines touched; distinct lines dirtied */
  uint64_t accesses;
};

/* ---- what the simulation saw of the lines of a region ---- */

enum { RIDGE_CURVE_POINTS = 64, RIDGE_LOCALITY_SHIFT = 6 }; /* one line in 2^6 */
/* Regions beyond are simulated, but have no entry of the following kind. */
enum { RIDGE_LINES_CAPACITY = 1 << 16 };

struct ridge_region_lines {
  /* Of a sample, one line in 2^RIDGE_LOCALITY_SHIFT (cachesim/locality.h): */
  uint64_t fetched;    /* lines that came into a first level */
  uint64_t used_bytes; /* different bytes of them that were accessed until they came again */
  /* Lines that missed a first level and would have been held by a fully associative LRU cache of
   * ridge_curve_capacity(point), but not by the next smaller one. */
  uint64_t held[RIDGE_CURVE_POINTS];
  uint64_t not_held; /* first uses, and whatever no capacity of the curve holds */
  /* Of all lines (cachesim/observer.h): written by two or more cores within the region, in turns,
   */
  uint64_t shared;
  uint64_t shared_falsely; /* of these, so far as seen: different words of the line, */
  uint64_t shared_truly;   /* the same words */
  uint64_t
      invalidations; /* writes to them that took away a copy that another core had just taken */
};

/* Iterations each time a loop was entered, where that is known on entering. Both grow from 0. */
struct ridge_region_trips {
  uint64_t not_shortest; /* all bits of the fewest inverted; 0 = never entered */
  uint64_t longest;
};

enum { RIDGE_NODES_MAX = 8 };

/* Where the memory of a region lies: a sample of the lines that came from memory, by the memory
 * node of the CPU that the thread ran on and that of the page. */
struct ridge_region_nodes {
  uint32_t lines[RIDGE_NODES_MAX][RIDGE_NODES_MAX]; /* [thread's][page's] */
  uint32_t others; /* from or for nodes with higher numbers: then the rest is not all */
  uint32_t reserved;
};

/* In bytes: 16 KiB times 2 to the power of point / 4. */
static inline uint64_t ridge_curve_capacity(uint32_t point) {
  static const uint64_t quarter_octaves[4] = {16384, 19484, 23170, 27554};
  return quarter_octaves[point % 4] << point / 4;
}
/* ---- which lines are traced ---- */

/* Lines fall into 64 classes by number mod 64. Classes whose number modulo the number of sets of
 * every level is their own never meet in a set, so each is a simulation of its own. */
enum { RIDGE_LINE_CLASSES = 64, RIDGE_TRACE_LINE_BYTES = 64 };

enum ridge_traffic_mode {
  RIDGE_TRAFFIC_EXACT = 0,   /* all lines */
  RIDGE_TRAFFIC_SAMPLED = 1, /* the lines of the classes in sample_mask */
  RIDGE_TRAFFIC_AUTO = 2     /* all lines until the loops have proved even, then those */
};

enum ridge_pilot_verdict {
  RIDGE_PILOT_UNPROVEN = 0, /* too few lines seen */
  RIDGE_PILOT_EVEN = 1,     /* some classes speak for all */
  RIDGE_PILOT_UNEVEN = 2
};

/* What the pilot saw at the boundary below one level (cachesim/pilot.h). */
struct ridge_pilot_level {
  uint64_t piloted_accesses;          /* in windows, while lines were counted */
  uint32_t lines[RIDGE_LINE_CLASSES]; /* that crossed it in windows of the run, by class */
  uint32_t verdict;                   /* enum ridge_pilot_verdict */
  float variation;    /* standard deviation of the lines over the classes / their mean, without the
                         part that counting random events explains */
  float sample_error; /* what the sampled classes alone would say / the truth, minus 1 */
  float hottest;      /* lines of the class with most / mean */
};

/* What the pilot saw of a region. Accesses are those of batches that ended in the region, whatever
 * lines they touched. */
struct ridge_region_pilot {
  uint64_t sampled_accesses;                               /* since sampling began */
  struct ridge_pilot_level levels[RIDGE_CACHE_LEVELS_MAX]; /* as ridge_region_traffic.crossed */
};

/* ---- one thread ---- */

/* The region stack. Slot 0 is a sentinel {0, UINT64_MAX}; depth starts at 1. The thread executes
 * frames[depth - 1].region; the frames below it are its callers. */
struct ridge_frame {
  /* Region id within the process = their sum; 0 = none. A frame keeps its base: instrumented code
   * writes `region` with one store of a constant; readers read both at once. */
  uint32_t region;        /* index within the module */
  uint32_t region_base;   /* ridge_module.region_base */
  uint64_t stack_pointer; /* address of the return address of the function that owns the frame */
};

static inline uint64_t ridge_frame_region(const struct ridge_frame* frame) {
  return (uint64_t)frame->region + frame->region_base;
}

/* One access of the trace buffer (private memory of the process). */
struct ridge_trace_entry {
  uint64_t address;
  uint64_t meta; /* region id << 32 | flags << 24 | bytes (at most 2^24 - 1) */
};
enum { RIDGE_TRACE_ROOM = 64 };
/* Accesses after which another thread's are simulated, while all lines are. */
enum { RIDGE_TURN_ACCESSES = 2048 };
enum { RIDGE_TRACE_WRITE = 1, RIDGE_TRACE_NON_TEMPORAL = 2 };
enum { RIDGE_TRACE_REGION_SHIFT = 32, RIDGE_TRACE_FLAGS_SHIFT = 24 };

/* ---- markers: regions that the program names while it runs (include/ridge/marker.h) ---- */

enum ridge_marker_flag {
  /* The work between start and stop counts for it: that of its own thread, once where the process
   * is in it, too. */
  RIDGE_MARKER_COUNTS = 1,
  /* ... that of all threads of the process: the initial thread started it outside of parallel
   * regions. Else the work of its own thread. */
  RIDGE_MARKER_WHOLE_PROCESS = 2
};

/* One that a thread has started and not stopped. Readers take the first 8 bytes at once. */
struct ridge_open_marker {
  uint32_t marker; /* index into ridge_process_record.markers */
  uint32_t flags;  /* enum ridge_marker_flag */
  uint64_t nested; /* starts of the same marker inside this one */
};

/* Summed over the threads, each value is that of a counter at stops minus that at starts. While a
 * visit lasts the reader adds the counter as it stands, of the threads that are in the marker, or
 * of all while one is in it for the process. Modulo 2^64; of one thread alone it means nothing. */
struct ridge_marker_counts {
  uint64_t entries;
  uint64_t value_count; /* counters beyond have the value 0 */
};
/* Behind it the values, by index, as ridge_thread.counters. */
static inline uint64_t* ridge_marker_values(struct ridge_marker_counts* counts) {
  return (uint64_t*)(counts + 1);
}

/* One name. */
struct ridge_marker_record {
  uint64_t name; /* offset of the NUL-terminated text */
  uint64_t name_bytes;
  /* Traffic of the whole process while at least one thread was in it, as values above: with
   * `open` > 0 the reader adds the sum of the tables as they stand. `sampled` is of
   * ridge_process_record.sampled_traffic. */
  struct ridge_region_traffic traffic;
  struct ridge_region_traffic sampled;
  uint64_t open;           /* visits that go on */
  uint64_t of_one_thread;  /* visits that count the work of their own thread, at least in part */
  uint64_t stops_alone;    /* stops without a start */
  uint64_t stopped_by_end; /* visits that the end of their thread stopped */
};

/* Instrumented code knows the offsets of the first three members, of `trace_mask`, `trace_budget`,
 * `frames` and `counters`. */
struct ridge_thread {
  uint64_t depth;
  uint64_t trace_cursor; /* address of the next free ridge_trace_entry */
  uint64_t trace_limit;  /* address one past the last one */
  uint64_t next;         /* offset of the next thread of the process */
  uint32_t tid;         /* 0 once the thread has ended; a block may serve several threads in turn */
  uint32_t ordinal;     /* in order of creation within the process, from 0 */
  uint64_t generation;  /* how many threads this block has served */
  uint64_t reserved[1]; /* the runtime's */
  uint64_t trace_mask;  /* instrumented code leaves lines out whose number mod 64 is no bit of it */
  /* Instrumented code takes off one for each access, traced or not, before it writes at most
   * RIDGE_TRACE_ROOM entries, and calls ridge_trace_flush when this falls below 0: the buffer has
   * room, and the runtime sees time pass in loops of which no line is traced. */
  int64_t trace_budget;
  uint64_t open_marker_count; /* of open_markers, outermost first */
  struct ridge_open_marker open_markers[RIDGE_OPEN_MARKERS_MAX];
  uint64_t marker_counts[RIDGE_MARKERS_MAX]; /* offset of ridge_marker_counts by marker, or 0 */
  struct ridge_frame frames[RIDGE_FRAME_CAPACITY];
  uint64_t counters[RIDGE_COUNTER_CAPACITY];
};

/* ---- one module, one process, the arena ---- */

/* Longer ones are cut. */
enum { RIDGE_BUILD_ID_BYTES = 36 };

struct ridge_module_record {
  uint64_t next;
  uint64_t descriptor; /* offset of the copied blob */
  uint64_t descriptor_bytes;
  uint64_t libraries; /* offset of the names of the callees' libraries, or 0: for each region of
                         kind CALL in order one NUL-terminated path, "" = unknown */
  uint64_t libraries_bytes;
  uint32_t region_base;  /* id of the module's region 0; at least 1 */
  uint32_t counter_base; /* index of the module's counter 0 in ridge_thread.counters */
  uint64_t file; /* offset of the NUL-terminated path of the program or library that holds the
                    module's code, or 0 = unknown */
  uint64_t file_bytes;
  uint32_t build_id_bytes; /* 0: it was linked without one */
  uint8_t build_id[RIDGE_BUILD_ID_BYTES];
};

enum ridge_process_flag {
  RIDGE_PROCESS_FORKED = 1,           /* began by fork without exec */
  RIDGE_PROCESS_ENDED = 2,            /* ran its exit handlers: traces are complete */
  RIDGE_PROCESS_VERSION_MISMATCH = 4, /* a module of another ABI version was left out */
  RIDGE_PROCESS_COUNTERS_FULL = 8,    /* a module did not fit into the counters or regions */
  RIDGE_PROCESS_ARENA_FULL = 16,      /* no memory for a thread, a module or a table */
  RIDGE_PROCESS_DIVIDES_FREELY = 32   /* who did which part of the work depended on time */
};

struct ridge_process_record {
  uint64_t next;
  uint32_t pid;
  uint32_t parent_pid;
  uint32_t flags; /* atomic */
  uint32_t runtime_abi_version;
  uint64_t modules;   /* newest first; atomic */
  uint64_t threads;   /* newest first; atomic */
  uint64_t arguments; /* offset of argv as in /proc/self/cmdline */
  uint64_t arguments_bytes;
  uint64_t traffic;      /* offset of ridge_region_traffic[RIDGE_REGION_CAPACITY], or 0 */
  uint32_t region_count; /* ids below this are in use (0 is none) */
  uint32_t counter_count;
  uint32_t thread_count;           /* threads ever attached */
  uint32_t mismatched_abi_version; /* of the module that was left out */
  uint64_t trace_lost;             /* accesses that could not be simulated */
  uint64_t lines;                  /* offset of ridge_region_lines[RIDGE_LINES_CAPACITY], or 0 */
  /* Sampled traffic: the table of `traffic` ends where sampling began; each line of this one
   * stands for 64 / classes in ridge_arena.sample_mask lines. 0: there is none. */
  uint64_t sampled_traffic; /* offset of ridge_region_traffic[RIDGE_REGION_CAPACITY], or 0 */
  uint64_t pilot;           /* offset of ridge_region_pilot[RIDGE_REGION_CAPACITY], or 0 */
  uint64_t sampling_begun;  /* 1 once lines are left out */
  uint64_t trips;           /* offset of ridge_region_trips[RIDGE_REGION_CAPACITY], or 0 */
  uint64_t nodes;           /* offset of ridge_region_nodes[RIDGE_LINES_CAPACITY], or 0 */
  /* Traffic on ridge_arena.elsewhere[i]: offset of ridge_region_traffic[RIDGE_REGION_CAPACITY], or
   * 0 where there is none. */
  uint64_t elsewhere[RIDGE_ELSEWHERE_MAX];
  /* Programs with explicit tasks: the same traffic with the tasks on other cores, each table like
   * `traffic` and `sampled_traffic`; 0: there is none. */
  uint64_t placed[RIDGE_TASK_PLACEMENTS];
  uint64_t placed_sampled[RIDGE_TASK_PLACEMENTS];
  uint64_t rank_plus_one;    /* in MPI_COMM_WORLD, as the launcher's variables say; 0: no rank */
  uint64_t markers;          /* offset of ridge_marker_record[RIDGE_MARKERS_MAX], or 0 */
  uint32_t marker_count;     /* atomic; raised when the record is complete */
  uint32_t markers_left_out; /* visits: too many names, too many inside each other, no memory */
};

struct ridge_arena {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t mode; /* RIDGE_MODE_COUNT or RIDGE_MODE_TRAFFIC */
  uint32_t full; /* set by whoever could not get memory */
  uint64_t size_bytes;
  uint64_t used_bytes;              /* atomic bump; multiple of 64 */
  uint64_t processes;               /* offset of the newest process record; atomic push */
  struct ridge_cache_config caches; /* read in traffic mode */
  uint32_t traffic_mode;            /* enum ridge_traffic_mode */
  uint32_t elsewhere_count;         /* simulated if all lines are (RIDGE_TRAFFIC_EXACT) */
  uint64_t sample_mask;  /* classes that are simulated once sampling has begun; 0 = all */
  uint64_t memory_nodes; /* of the machine; where pages lie is asked for if there are several */
  struct ridge_cache_levels elsewhere[RIDGE_ELSEWHERE_MAX];
};

/* ---- between instrumented code and the runtime ---- */

/* One per translation unit, internal to it. The plugin fills in the first part, the runtime the
 * second; instrumented code reads the second at each function entry. */
struct ridge_module {
  const void* descriptor;
  uint64_t descriptor_bytes;
  uint32_t abi_version;
  uint32_t mode;           /* enum ridge_mode: 0 until registered */
  uint64_t counter_offset; /* byte offset of the module's counter 0 from the thread block */
  uint64_t region_base;
};

/* Symbols of the runtime. The thread-local pointer is the only one that Ridge owns:
 *
 *   __thread struct ridge_thread* ridge_current_thread;   (initial-exec; null until attached)
 *
 *   void ridge_register_module(struct ridge_module*);     constructor of each module; idempotent
 *   struct ridge_thread* ridge_attach_thread(void);       slow path: pointer is null
 *   uint64_t ridge_repair_stack(struct ridge_thread*, uint64_t stack_pointer);
 *                                     slow path of an entry: the top frame is dead (longjmp, an
 *                                     exception caught elsewhere) or the stack is full; returns the
 *                                     slot for the new frame
 *   void ridge_trace_flush(struct ridge_thread*);         the trace budget is spent
 *   void ridge_trace_range(struct ridge_thread*, uint64_t address, uint64_t bytes, uint64_t meta);
 *                                     memcpy and the like; byte field of meta is ignored
 *   void ridge_trace_lanes(struct ridge_thread*, const uint64_t* addresses, uint64_t lanes,
 *                          uint64_t active_mask_bits, uint64_t meta);
 *                                     gather, scatter, masked load and store; meta: bytes of a lane
 *   void ridge_loop_entered(uint64_t region, uint64_t iterations);
 *                                     traffic mode; region id within the process
 *   void ridge_marker_begin(const char* name);
 *   void ridge_marker_end(const char* name);
 *                                     the program names what it does (include/ridge/marker.h);
 *                                     programs refer to them weakly
 *
 * Every instrumented object file carries an ELF note so that `ridge run` recognises it before it
 * starts the program: section ".note.ridge", owner "Ridge", type 1, description = the ABI version
 * as uint32 followed by the NUL-terminated version text. */
enum { RIDGE_NOTE_TYPE = 1 };

#endif
