/* A runtime for the tests of the compiler plugin: static thread blocks, and at exit the sums of all
 * quantities per region as text on the file that RIDGE_TEST_OUTPUT names (or standard error):
 *
 *   region INDEX KIND PARENT NAME LINE COLUMN VERSIONS INLINED_AT
 *   sum REGION_INDEX QUANTITY PRECISION OPERATION WIDTH NAME VALUE
 *   traffic REGION_INDEX read|written ACCESSES BYTES
 *   depth DEPTH
 *   probe LINE REGION_INDEX   (the thread's region when the program called probe(LINE))
 *   error TEXT
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/descriptor.h"
#include "abi/layout.h"

enum { kThreads = 8, kModules = 16, kRegions = 1 << 17 };

static struct ridge_thread* threads[kThreads];
static int thread_count;
static struct ridge_module* modules[kModules];
static int module_count;
static uint64_t next_counter;
static uint64_t next_region = 1;
static int traffic_mode;
static uint64_t trace_bytes[kRegions][2];
static uint64_t trace_accesses[kRegions][2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((tls_model("initial-exec"))) __thread struct ridge_thread* ridge_current_thread;

static FILE* output(void) {
  const char* path = getenv("RIDGE_TEST_OUTPUT");
  FILE* file = path ? fopen(path, "w") : NULL;
  return file ? file : stderr;
}

static const char* text(const char* strings, uint32_t offset) {
  return strings[offset] ? strings + offset : "-";
}

static uint64_t counter_value(const struct ridge_module* module, uint32_t counter) {
  uint64_t sum = 0;
  for (int i = 0; i < thread_count; ++i) {
    const char* base = (const char*)threads[i] + module->counter_offset;
    sum += ((const uint64_t*)base)[counter];
  }
  return sum;
}

static void dump_module(FILE* file, const struct ridge_module* module) {
  const struct ridge_descriptor_header* header = module->descriptor;
  const struct ridge_region_descriptor* regions = (const void*)(header + 1);
  const struct ridge_counter_descriptor* counters = (const void*)(regions + header->region_count);
  const struct ridge_term_descriptor* terms = (const void*)(counters + header->counter_count);
  const struct ridge_probed_function* functions = (const void*)(terms + header->term_count);
  const uint32_t* classes = (const void*)(functions + header->probed_function_count);
  const char* strings = (const char*)(classes + header->probe_count);
  if (header->magic != RIDGE_DESCRIPTOR_MAGIC || header->total_bytes != module->descriptor_bytes) {
    fprintf(file, "error bad descriptor\n");
    return;
  }
  for (uint32_t i = 0; i < header->region_count; ++i) {
    const struct ridge_region_descriptor* r = regions + i;
    uint64_t id = module->region_base + i;
    int64_t parent = r->parent == RIDGE_NO_PARENT ? -1 : (int64_t)(module->region_base + r->parent);
    if (parent >= (int64_t)id) fprintf(file, "error parent of region %u\n", i);
    fprintf(file, "region %lu %u %ld %s %u %u %u %s %s\n", (unsigned long)id, r->kind, (long)parent,
            text(strings, r->name), r->line, r->column, r->versions, text(strings, r->inlined_at),
            text(strings, r->function));
    for (int write = 0; write < 2; ++write) {
      if (trace_accesses[id][write] == 0) continue;
      fprintf(file, "traffic %lu %s %lu %lu\n", (unsigned long)id, write ? "written" : "read",
              (unsigned long)trace_accesses[id][write], (unsigned long)trace_bytes[id][write]);
    }
  }
  for (uint32_t c = 0; c < header->counter_count; ++c) {
    uint64_t value = counter_value(module, c);
    for (uint32_t t = 0; t < counters[c].term_count && value; ++t) {
      const struct ridge_term_descriptor* term = terms + counters[c].first_term + t;
      fprintf(file, "sum %lu %u %u %u %u %s %lu\n",
              (unsigned long)(module->region_base + counters[c].region), term->quantity,
              term->precision, term->operation, term->width_bits, text(strings, term->name),
              (unsigned long)(value * term->amount));
    }
  }
}

enum { kProbes = 1 << 16 };
static struct {
  int line;
  uint64_t region;
} probes[kProbes];
static int probe_count;

void probe(int line) {
  const struct ridge_thread* thread = ridge_current_thread;
  if (!thread) return; /* the program without the plugin */
  if (probe_count >= kProbes) abort();
  probes[probe_count].line = line;
  probes[probe_count++].region = ridge_frame_region(&thread->frames[thread->depth - 1]);
}

void ridge_trace_flush(struct ridge_thread* thread);

enum { kTrips = 1 << 12 };
static struct ridge_region_trips trips[kTrips];

void ridge_loop_entered(uint64_t region, uint64_t iterations) {
  if (region >= kTrips || !traffic_mode) abort();
  pthread_mutex_lock(&lock);
  struct ridge_region_trips* entry = &trips[region];
  if (~iterations > entry->not_shortest) entry->not_shortest = ~iterations;
  if (iterations > entry->longest) entry->longest = iterations;
  pthread_mutex_unlock(&lock);
}

static void dump(void) {
  FILE* file = output();
  for (int i = 0; i < kTrips; ++i) {
    if (trips[i].not_shortest == 0) continue;
    fprintf(file, "trips %d %lu %lu\n", i, (unsigned long)~trips[i].not_shortest,
            (unsigned long)trips[i].longest);
  }
  for (int i = 0; i < thread_count; ++i) {
    if (traffic_mode) ridge_trace_flush(threads[i]);
  }
  for (int i = 0; i < module_count; ++i) dump_module(file, modules[i]);
  for (int i = 0; i < probe_count; ++i) {
    fprintf(file, "probe %d %lu\n", probes[i].line, (unsigned long)probes[i].region);
  }
  fprintf(file, "depth %lu\n", threads[0] ? (unsigned long)threads[0]->depth : 0ul);
  if (file != stderr) fclose(file);
}

void ridge_register_module(struct ridge_module* module) {
  pthread_mutex_lock(&lock);
  if (module->mode == RIDGE_MODE_UNREGISTERED) {
    if (module_count == 0) {
      atexit(dump);
      traffic_mode = getenv("RIDGE_TEST_TRAFFIC") != NULL;
    }
    const struct ridge_descriptor_header* header = module->descriptor;
    modules[module_count++] = module;
    module->counter_offset = offsetof(struct ridge_thread, counters) + 8 * next_counter;
    module->region_base = next_region;
    next_counter += header->counter_count;
    next_region += header->region_count;
    module->mode = traffic_mode ? RIDGE_MODE_TRAFFIC : RIDGE_MODE_COUNT;
  }
  pthread_mutex_unlock(&lock);
}

struct ridge_thread* ridge_attach_thread(void) {
  pthread_mutex_lock(&lock);
  struct ridge_thread* thread = calloc(1, sizeof *thread);
  threads[thread_count++] = thread;
  pthread_mutex_unlock(&lock);
  thread->depth = 1;
  thread->frames[0].stack_pointer = UINT64_MAX;
  if (traffic_mode) {
    thread->trace_cursor = (uint64_t)calloc(RIDGE_TRACE_CAPACITY, sizeof(struct ridge_trace_entry));
    thread->trace_limit =
        thread->trace_cursor + RIDGE_TRACE_CAPACITY * sizeof(struct ridge_trace_entry);
    thread->trace_budget = RIDGE_TRACE_CAPACITY - RIDGE_TRACE_ROOM;
    const char* mask = getenv("RIDGE_TEST_TRACE_MASK");
    thread->trace_mask = mask ? strtoull(mask, NULL, 16) : ~(uint64_t)0;
  }
  ridge_current_thread = thread;
  return thread;
}

uint64_t ridge_repair_stack(struct ridge_thread* thread, uint64_t stack_pointer) {
  uint64_t slot = thread->depth;
  while (slot > 1 && thread->frames[slot - 1].stack_pointer <= stack_pointer) --slot;
  return slot < RIDGE_FRAME_CAPACITY ? slot : RIDGE_FRAME_CAPACITY - 1;
}

static void account(uint64_t region, int write, uint64_t bytes) {
  if (region >= kRegions) abort();
  pthread_mutex_lock(&lock);
  trace_bytes[region][write] += bytes;
  trace_accesses[region][write] += 1;
  pthread_mutex_unlock(&lock);
}

static int is_write(uint64_t meta) {
  return (meta >> RIDGE_TRACE_FLAGS_SHIFT & RIDGE_TRACE_WRITE) != 0;
}

/* Whether a byte of the entry lies on a line of a class that is asked for. */
static int is_asked_for(const struct ridge_trace_entry* entry) {
  static uint64_t asked_for;
  if (asked_for == 0) {
    const char* mask = getenv("RIDGE_TEST_COUNT_MASK");
    asked_for = mask ? strtoull(mask, NULL, 16) : ~(uint64_t)0;
  }
  const uint64_t last = entry->address + (entry->meta & 0xffffff) - 1;
  return (asked_for >> (entry->address / RIDGE_TRACE_LINE_BYTES % RIDGE_LINE_CLASSES) & 1) != 0 ||
         (asked_for >> (last / RIDGE_TRACE_LINE_BYTES % RIDGE_LINE_CLASSES) & 1) != 0;
}

void ridge_trace_flush(struct ridge_thread* thread) {
  const uint64_t bytes = RIDGE_TRACE_CAPACITY * sizeof(struct ridge_trace_entry);
  struct ridge_trace_entry* first = (struct ridge_trace_entry*)(thread->trace_limit - bytes);
  for (struct ridge_trace_entry* e = first; (uint64_t)e < thread->trace_cursor; ++e) {
    if (e->address < 4096) abort();
    if (!is_asked_for(e)) continue;
    account(e->meta >> RIDGE_TRACE_REGION_SHIFT, is_write(e->meta), e->meta & 0xffffff);
  }
  thread->trace_cursor = (uint64_t)first;
  thread->trace_budget = RIDGE_TRACE_CAPACITY - RIDGE_TRACE_ROOM;
}

void ridge_trace_range(struct ridge_thread* thread, uint64_t address, uint64_t bytes,
                       uint64_t meta) {
  (void)thread;
  if (bytes && address < 4096) abort();
  account(meta >> RIDGE_TRACE_REGION_SHIFT, is_write(meta), bytes);
}

void ridge_trace_lanes(struct ridge_thread* thread, const uint64_t* addresses, uint64_t lanes,
                       uint64_t active_mask_bits, uint64_t meta) {
  (void)thread;
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    if (!(active_mask_bits >> lane & 1)) continue;
    if (addresses[lane] < 4096) abort();
    account(meta >> RIDGE_TRACE_REGION_SHIFT, is_write(meta), meta & 0xffffff);
  }
}
