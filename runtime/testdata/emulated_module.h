/* By hand what the compiler plugin emits: a module with a descriptor, function entry and exit. */
#ifndef RIDGE_RUNTIME_TESTDATA_EMULATED_MODULE_H
#define RIDGE_RUNTIME_TESTDATA_EMULATED_MODULE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/descriptor.h"
#include "abi/layout.h"
#include "abi/version.h"

extern __thread struct ridge_thread* ridge_current_thread
    __attribute__((tls_model("initial-exec")));
void ridge_register_module(struct ridge_module* module);
struct ridge_thread* ridge_attach_thread(void);
uint64_t ridge_repair_stack(struct ridge_thread* thread, uint64_t stack_pointer);
void ridge_trace_flush(struct ridge_thread* thread);
void ridge_trace_range(struct ridge_thread* thread, uint64_t address, uint64_t bytes,
                       uint64_t meta);
void ridge_trace_lanes(struct ridge_thread* thread, const uint64_t* addresses, uint64_t lanes,
                       uint64_t active_mask_bits, uint64_t meta);

/* `regions` functions named after `file`, a call of `callee` in the last one if not null, and
 * `counters` counters, all of region 0. */
static inline void emulate_module(struct ridge_module* module, const char* file, uint32_t regions,
                                  uint32_t counters, const char* callee) {
  const uint32_t file_bytes = (uint32_t)strlen(file) + 1;
  const uint32_t callee_bytes = callee != NULL ? (uint32_t)strlen(callee) + 1 : 0;
  struct ridge_descriptor_header header = {.magic = RIDGE_DESCRIPTOR_MAGIC,
                                           .abi_version = RIDGE_ABI_VERSION,
                                           .region_count = regions,
                                           .counter_count = counters,
                                           .string_bytes = 1 + file_bytes + callee_bytes,
                                           .source_file = 1};
  const uint32_t region_bytes = regions * (uint32_t)sizeof(struct ridge_region_descriptor);
  header.total_bytes = (uint32_t)sizeof(header) + region_bytes +
                       counters * (uint32_t)sizeof(struct ridge_counter_descriptor) +
                       header.string_bytes;
  unsigned char* blob = calloc(1, header.total_bytes);
  memcpy(blob, &header, sizeof(header));
  struct ridge_region_descriptor* region = (struct ridge_region_descriptor*)(blob + sizeof(header));
  for (uint32_t i = 0; i < regions; ++i) {
    region[i].kind = RIDGE_REGION_FUNCTION;
    region[i].parent = RIDGE_NO_PARENT;
    region[i].name = 1;
  }
  if (callee != NULL) {
    region[regions - 1].kind = RIDGE_REGION_CALL;
    region[regions - 1].name = 1 + file_bytes;
  }
  char* strings = (char*)blob + header.total_bytes - header.string_bytes;
  memcpy(strings + 1, file, file_bytes);
  if (callee != NULL) {
    memcpy(strings + 1 + file_bytes, callee, callee_bytes);
  }
  memset(module, 0, sizeof(*module));
  module->descriptor = blob;
  module->descriptor_bytes = header.total_bytes;
  module->abi_version = RIDGE_ABI_VERSION;
}

struct emulated_frame {
  struct ridge_thread* thread;
  uint64_t outside;
};

static inline struct emulated_frame emulate_enter(struct ridge_module* module, uint32_t region,
                                                  uint64_t stack_pointer) {
  if (module->mode == RIDGE_MODE_UNREGISTERED) {
    ridge_register_module(module);
  }
  struct ridge_thread* thread = ridge_current_thread;
  if (thread == NULL) {
    thread = ridge_attach_thread();
  }
  uint64_t slot = thread->depth;
  uint64_t outside = slot;
  if (slot >= RIDGE_FRAME_CAPACITY || thread->frames[slot - 1].stack_pointer <= stack_pointer) {
    slot = ridge_repair_stack(thread, stack_pointer);
    outside = slot == RIDGE_FRAME_CAPACITY - 1 ? outside : slot;
  }
  thread->frames[slot].region = region;
  thread->frames[slot].region_base = (uint32_t)module->region_base;
  thread->frames[slot].stack_pointer = stack_pointer;
  thread->depth = slot + 1;
  return (struct emulated_frame){thread, outside};
}

static inline void emulate_leave(struct emulated_frame frame) {
  frame.thread->depth = frame.outside;
}

static inline void emulate_count(const struct ridge_module* module, struct emulated_frame frame,
                                 uint32_t counter, uint64_t amount) {
  uint64_t* counters = (uint64_t*)((unsigned char*)frame.thread + module->counter_offset);
  counters[counter] += amount;
}

static inline void emulate_access(const struct ridge_module* module, struct emulated_frame frame,
                                  uint32_t region, uint64_t address, uint64_t bytes,
                                  uint64_t flags) {
  struct ridge_thread* thread = frame.thread;
  if (--thread->trace_budget < 0 ||
      thread->trace_limit - thread->trace_cursor < sizeof(struct ridge_trace_entry)) {
    ridge_trace_flush(thread);
  }
  struct ridge_trace_entry* entry = (struct ridge_trace_entry*)thread->trace_cursor;
  entry->address = address;
  entry->meta = (module->region_base + region) << RIDGE_TRACE_REGION_SHIFT |
                flags << RIDGE_TRACE_FLAGS_SHIFT | bytes;
  thread->trace_cursor = (uint64_t)(entry + 1);
}

#endif
