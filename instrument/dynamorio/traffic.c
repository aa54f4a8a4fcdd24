#include "instrument/dynamorio/traffic.h"

#include <string.h>

#include "instrument/dynamorio/site.h"
#include "instrument/dynamorio/threads.h"

struct client_trace {
  struct engine_thread* simulated;   /* null without memory: accesses are lost */
  struct ridge_trace_entry* begin;   /* of the batch that is being filled */
  struct ridge_trace_entry** cursor; /* the thread's slot */
  int is_counted; /* else it is the child of a vfork: whose traffic that is, nobody is told */
  struct ridge_trace_entry raw[CLIENT_RAW_ENTRIES];
};

/* ---- batches ---- */

static void flush(struct client_trace* trace) {
  engine_traffic_flush(client.traffic, trace->simulated);
  trace->begin = trace->simulated->cursor;
}

/* Whether the simulation wants to know of none of the lines. */
static int is_left_out(uint64_t mask, uint64_t address, uint64_t bytes) {
  const uint64_t first = address / RIDGE_TRACE_LINE_BYTES;
  const uint64_t last = (address + bytes - 1) / RIDGE_TRACE_LINE_BYTES;
  if (mask == ~0ul || last - first >= RIDGE_LINE_CLASSES) {
    return 0;
  }
  for (uint64_t line = first; line <= last; ++line) {
    if (mask >> line % RIDGE_LINE_CLASSES & 1) {
      return 0;
    }
  }
  return 1;
}

static void append(void* context, uint64_t address, uint64_t meta) {
  struct client_trace* trace = context;
  struct engine_thread* simulated = trace->simulated;
  if (!simulated) {
    engine_traffic_lose(client.traffic, trace->is_counted ? 1 : 0);
    return;
  }
  const uint64_t entries = (uint64_t)(simulated->cursor - trace->begin);
  if (simulated->cursor > simulated->limit ||
      entries + simulated->left_out > RIDGE_TRACE_CAPACITY) {
    flush(trace);
  }
  const uint64_t bytes = meta & ((1u << RIDGE_TRACE_FLAGS_SHIFT) - 1);
  if (is_left_out(simulated->mask, address, bytes)) {
    ++simulated->left_out;
  } else {
    *simulated->cursor++ = (struct ridge_trace_entry){address, meta};
  }
}

/* All that the thread has written so far. */
static void take(struct client_trace* trace) {
  const struct ridge_trace_entry* end = *trace->cursor;
  const struct ridge_trace_entry* entry = trace->raw;
  while (entry < end) {
    if (entry->meta >> RIDGE_TRACE_FLAGS_SHIFT & CLIENT_TRACE_SITE) {
      struct client_site_entry described;
      memcpy(&described, entry + 1, sizeof described);
      client_expand(entry, append, trace);
      entry += client_site_entries(&described.site);
    } else {
      append(trace, entry->address, entry->meta);
      ++entry;
    }
  }
  *trace->cursor = trace->raw;
}

void client_trace_goes_on(const struct client_thread* thread) {
  const struct client_trace* trace = thread->trace;
  if (trace && trace->simulated) {
    engine_traffic_go_on(client.traffic, trace->simulated);
  }
}

/* The simulation calculates with floating point, whatever the program has made of its mode. */
static uint32_t usual_floats(void) {
  enum { USUAL = 0x1f80 };
  const uint32_t before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(USUAL);
  return before;
}

void client_take_trace(void) {
  const struct client_thread* thread = dr_get_tls_field(dr_get_current_drcontext());
  const uint32_t floats = usual_floats();
  dr_mutex_lock(client.lock);
  client_trace_goes_on(thread); /* a signal may have ended a system call that was waited for */
  take(thread->trace);
  dr_mutex_unlock(client.lock);
  __builtin_ia32_ldmxcsr(floats);
}

/* ---- threads ---- */

static void use_trace(struct client_thread* thread) {
  struct client_trace* trace = thread->trace;
  trace->cursor = client_slot_place(CLIENT_SLOT_CURSOR);
  *trace->cursor = trace->raw;
  struct ridge_trace_entry** limit = client_slot_place(CLIENT_SLOT_LIMIT);
  *limit = trace->raw + (CLIENT_RAW_ENTRIES - CLIENT_RAW_ROOM);
  trace->is_counted = thread->process == client.process;
  trace->simulated =
      trace->is_counted ? engine_traffic_begin_thread(client.traffic, thread->ordinal) : NULL;
  trace->begin = trace->simulated ? trace->simulated->cursor : NULL;
}

void client_trace_begins(struct client_thread* thread) {
  if (!client.traffic) {
    return;
  }
  thread->trace = client_allocate(sizeof *thread->trace);
  if (!thread->trace) {
    dr_fprintf(STDERR, "ridge: no memory for the trace of a thread\n");
    dr_abort();
  }
  use_trace(thread);
}

void client_trace_ends(struct client_thread* thread) {
  struct client_trace* trace = thread->trace;
  if (!trace) {
    return;
  }
  const uint32_t floats = usual_floats();
  take(trace);
  if (trace->simulated) {
    engine_traffic_end_thread(client.traffic, trace->simulated);
  }
  __builtin_ia32_ldmxcsr(floats);
  client_release(trace, sizeof *trace);
  thread->trace = NULL;
}

void client_trace_forget(struct client_thread* thread) {
  client_release(thread->trace, sizeof *thread->trace);
  thread->trace = NULL;
}

void client_trace_waits(struct client_thread* thread) {
  struct client_trace* trace = thread->trace;
  if (!trace || !trace->simulated) {
    return;
  }
  const uint32_t floats = usual_floats();
  take(trace);
  const struct ridge_trace_entry* before = trace->simulated->cursor;
  engine_traffic_wait(client.traffic, trace->simulated);
  if (trace->simulated->cursor != before) {
    trace->begin = trace->simulated->cursor;
  }
  __builtin_ia32_ldmxcsr(floats);
}

/* ---- the whole ---- */

static const char* open_plan(const char* path) {
  uint64_t bytes = 0;
  uint64_t capacity = 0;
  void* contents = client_read_file(path, &bytes, &capacity);
  if (!contents) {
    return "The plan of the traffic cannot be read.";
  }
  const char* problem = engine_plan_open(&client.plan, contents, bytes);
  if (problem) {
    client_release(contents, capacity);
  }
  return problem;
}

static void create(void) {
  client.traffic = engine_traffic_create(&client.plan, &client_memory, &client.problem);
  client.flags &= ~(uint32_t)RIDGE_RECORD_SIMULATED;
  client.flags |= client.traffic ? RIDGE_RECORD_SIMULATED : 0u;
}

void client_start_traffic(const char* plan_path) {
  client.problem = open_plan(plan_path);
  client.has_plan = !client.problem;
  if (client.has_plan) {
    create();
  }
}

/* The code that has been translated traces on, also without a simulation. */
void client_traffic_forked(struct client_thread* thread) {
  if (!client.traffic || !thread || !thread->trace) {
    return;
  }
  engine_traffic_destroy(client.traffic);
  create();
  if (!client.traffic) {
    dr_fprintf(STDERR, "ridge: no memory to simulate the traffic of a child\n");
    dr_abort();
  }
  use_trace(thread);
}

void client_write_traffic(struct engine_writer* writer) {
  if (!client.traffic) {
    return;
  }
  const uint32_t floats = usual_floats();
  engine_traffic_write(client.traffic, writer);
  struct client_thread** threads = client.threads.items;
  for (uint64_t i = 0; i < client.threads.count; ++i) {
    struct client_trace* trace = threads[i]->trace;
    if (trace && trace->simulated) {
      trace->begin = trace->simulated->cursor;
    }
  }
  __builtin_ia32_ldmxcsr(floats);
}
