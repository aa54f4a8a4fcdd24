/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Batches of the threads, for generated code and for the engine. See trace.h. */
#include "instrument/valgrind_tool/trace.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_vki.h>

#include "instrument/engine/traffic.h"
#include "instrument/valgrind_tool/batch.h"
#include "instrument/valgrind_tool/code.h"

enum { PLAN_MOST_BYTES = 1 << 30 };

struct engine_traffic* ridge_traffic;
const HChar* ridge_traffic_problem;
struct ridge_batch_place ridge_batch_place;

static struct engine_plan plan;
static Bool has_plan;
/* Where accesses go that cannot be kept. */
static struct ridge_trace_entry spare[ENGINE_TRACE_ROOM + 1];

static void use_spare(void) {
  ridge_batch_place.cursor = spare;
  ridge_batch_place.limit = spare;
}

/* ---- memory ---- */

static void* allocate(void* context, uint64_t bytes) {
  (void)context;
  return VG_(am_shadow_alloc)(VG_PGROUNDUP(bytes));
}

static void release(void* context, void* memory, uint64_t bytes) {
  (void)context;
  VG_(am_munmap_valgrind)((Addr)memory, VG_PGROUNDUP(bytes));
}

/* ---- the plan ---- */

static Bool read_all(Int file, HChar* bytes, ULong size) {
  while (size != 0) {
    const Int count = VG_(read)(file, bytes, (Int)size);
    if (count <= 0) {
      return False;
    }
    bytes += count;
    size -= (ULong)count;
  }
  return True;
}

static const HChar* read_plan(const HChar* path) {
  const Int file = VG_(fd_open)(path, VKI_O_RDONLY, 0);
  struct vg_stat status;
  if (file < 0) {
    return "The plan of the traffic cannot be opened.";
  }
  if (VG_(fstat)(file, &status) != 0 || status.size <= 0 || status.size > PLAN_MOST_BYTES) {
    VG_(close)(file);
    return "The plan of the traffic has no usable size.";
  }
  HChar* bytes = allocate(NULL, (ULong)status.size);
  const Bool whole = bytes != NULL && read_all(file, bytes, (ULong)status.size);
  VG_(close)(file);
  return whole ? engine_plan_open(&plan, bytes, (ULong)status.size)
               : "The plan of the traffic cannot be read.";
}

void ridge_restart_trace(void) {
  use_spare(); /* of a child without memory: its code appends all the same */
  static const struct cachesim_memory memory = {allocate, release, NULL};
  if (ridge_traffic != NULL) {
    engine_traffic_destroy(ridge_traffic);
    ridge_traffic = NULL;
  }
  if (has_plan) {
    ridge_traffic = engine_traffic_create(&plan, &memory, &ridge_traffic_problem);
  }
}

void ridge_init_trace(const HChar* plan_path) {
  if (plan_path == NULL) {
    return;
  }
  ridge_traffic_problem = read_plan(plan_path);
  has_plan = ridge_traffic_problem == NULL;
  ridge_restart_trace();
}

UInt ridge_module_of(const HChar* path) {
  return has_plan && path != NULL ? engine_plan_module(&plan, path) : (UInt)ENGINE_NO_MODULE;
}

UInt ridge_region_of(Addr address, UInt mapping) {
  const struct ridge_mapping* place = &ridge_code.mappings[mapping];
  return engine_plan_region(&plan, place->module, address - place->begin + place->file_offset);
}

/* ---- batches ---- */

static void use_batch_of(const struct engine_thread* thread) {
  ridge_batch_place.cursor = thread->cursor;
  ridge_batch_place.limit = thread->limit;
}

void ridge_resume_trace(struct ridge_guest_thread* thread) {
  if (ridge_traffic == NULL) {
    return;
  }
  if (thread->trace == NULL) {
    thread->trace = engine_traffic_begin_thread(ridge_traffic, thread->ordinal);
  }
  if (thread->trace == NULL) {
    use_spare();
    return;
  }
  engine_traffic_go_on(ridge_traffic, thread->trace);
  use_batch_of(thread->trace);
}

static void lose_spare(void) {
  if (ridge_traffic != NULL) {
    engine_traffic_lose(ridge_traffic, (ULong)(ridge_batch_place.cursor - spare));
  }
  use_spare();
}

void ridge_suspend_trace(struct ridge_guest_thread* thread) {
  if (ridge_traffic == NULL) {
    return;
  }
  if (thread->trace == NULL) {
    lose_spare();
  } else {
    thread->trace->cursor = ridge_batch_place.cursor;
  }
}

void ridge_wait_with_trace(void) {
  const struct ridge_guest_thread* thread = ridge_running();
  if (ridge_traffic != NULL && thread != NULL && thread->trace != NULL) {
    engine_traffic_wait(ridge_traffic, thread->trace);
  }
}

void ridge_end_trace(struct ridge_guest_thread* thread) {
  if (ridge_traffic != NULL && thread->trace != NULL) {
    engine_traffic_end_thread(ridge_traffic, thread->trace);
    thread->trace = NULL;
  }
}

/* Threads take turns: the next check of the scheduler finds that this one has had its time. */
static void let_others_run(VexGuestArchState* guest) {
  if (ridge_threads.created > 1) {
    guest->host_EvC_COUNTER = 0;
  }
}

void ridge_flush_batch(VexGuestArchState* guest) {
  struct ridge_guest_thread* thread = ridge_running();
  if (ridge_traffic == NULL || thread->trace == NULL) {
    lose_spare();
    return;
  }
  thread->trace->cursor = ridge_batch_place.cursor;
  engine_traffic_flush(ridge_traffic, thread->trace);
  use_batch_of(thread->trace);
  let_others_run(guest);
}

void ridge_write_traffic(struct engine_writer* writer) {
  engine_traffic_write(ridge_traffic, writer);
}
