/* Registration: a module's descriptor goes into the arena, the module gets its region ids and its
 * place in the counters of every thread. */
#include <stddef.h>
#include <stdlib.h>

#include "runtime/state.h"

static int descriptor_is_sound(const struct ridge_module* module) {
  const struct ridge_descriptor_header* header = module->descriptor;
  if (header == NULL || module->descriptor_bytes < sizeof(*header) ||
      header->magic != RIDGE_DESCRIPTOR_MAGIC || header->total_bytes != module->descriptor_bytes) {
    return 0;
  }
  const uint64_t needed =
      sizeof(*header) + header->region_count * (uint64_t)sizeof(struct ridge_region_descriptor) +
      header->counter_count * (uint64_t)sizeof(struct ridge_counter_descriptor) +
      header->term_count * (uint64_t)sizeof(struct ridge_term_descriptor) +
      header->probed_function_count * (uint64_t)sizeof(struct ridge_probed_function) +
      header->probe_count * (uint64_t)sizeof(uint32_t) + header->string_bytes;
  return needed <= header->total_bytes;
}

static uint64_t counter_offset(uint32_t counter) {
  return offsetof(struct ridge_thread, counters) + (uint64_t)counter * sizeof(uint64_t);
}

/* The module counts, harmlessly, where nobody reads; its regions have ids that nobody knows. */
static void leave_out(struct ridge_module* module, uint32_t counters) {
  uint32_t room = counters > RIDGE_SPARE_COUNTERS ? counters : RIDGE_SPARE_COUNTERS;
  if (room > RIDGE_COUNTER_CAPACITY) {
    ridge_complain("a module of this program has more counters than Ridge can hold", "", "");
    abort();
  }
  module->counter_offset = counter_offset(RIDGE_COUNTER_CAPACITY - room);
  module->region_base = RIDGE_REGION_CAPACITY;
  if (room > RIDGE_SPARE_COUNTERS || !atomic_exchange(&ridge_runtime.spare_used, 1)) {
    ridge_populate_counters(RIDGE_COUNTER_CAPACITY - room, room);
  }
}

static int same_bytes(const unsigned char* a, const unsigned char* b, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) {
      return 0;
    }
  }
  return 1;
}

/* The same library may be loaded, unloaded and loaded again: its counts go on. */
static struct ridge_known_module* find_known(const struct ridge_module* module) {
  for (struct ridge_known_module* known = ridge_runtime.modules; known != NULL;
       known = known->next) {
    if (known->record.descriptor_bytes == module->descriptor_bytes &&
        same_bytes(known->descriptor, module->descriptor, module->descriptor_bytes)) {
      return known;
    }
  }
  return NULL;
}

/* Pushes the record on the process's list, if the process is measured. */
static void publish(const struct ridge_known_module* known) {
  struct ridge_process_record* process = ridge_runtime.process;
  uint64_t offset = 0;
  if (process == &ridge_runtime.private_process || known->record.descriptor == 0) {
    return;
  }
  struct ridge_module_record* record =
      ridge_allocate(sizeof(*record), sizeof(*record), 64, &offset);
  if (offset == 0) {
    return;
  }
  *record = known->record;
  record->next = process->modules;
  __atomic_store_n(&process->modules, offset, __ATOMIC_RELEASE);
}

static struct ridge_known_module* make_known(const struct ridge_module* module) {
  const struct ridge_descriptor_header* header = module->descriptor;
  struct ridge_process_record* process = ridge_runtime.process;
  const uint32_t counters = atomic_load(&ridge_runtime.counter_count);
  if (header->counter_count > RIDGE_USABLE_COUNTERS - counters ||
      header->region_count > RIDGE_REGION_CAPACITY - process->region_count) {
    ridge_set_flag(RIDGE_PROCESS_COUNTERS_FULL);
    return NULL;
  }
  struct ridge_known_module* known = ridge_small(sizeof(*known));
  if (known == NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
    return NULL;
  }
  const uint64_t bytes = module->descriptor_bytes;
  void* copy = ridge_allocate(bytes, bytes, 64, &known->record.descriptor);
  if (copy == NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
    return NULL;
  }
  ridge_copy(copy, module->descriptor, bytes);
  known->descriptor = copy;
  known->record.descriptor_bytes = bytes;
  known->record.region_base = process->region_count;
  known->record.counter_base = counters;
  /* First the count, then the blocks: a thread that attaches meanwhile sees one or the other. */
  atomic_store(&ridge_runtime.counter_count, counters + header->counter_count);
  ridge_populate_counters(counters, header->counter_count);
  ridge_grow_traffic(process->region_count + header->region_count);
  __atomic_store_n(&process->counter_count, counters + header->counter_count, __ATOMIC_RELAXED);
  __atomic_store_n(&process->region_count, process->region_count + header->region_count,
                   __ATOMIC_RELAXED);
  if (known->record.descriptor != 0) {
    known->record.libraries = ridge_library_names(module, header, &known->record.libraries_bytes);
  }
  ridge_describe_file(module, &known->record);
  known->next = ridge_runtime.modules;
  ridge_runtime.modules = known;
  publish(known);
  return known;
}

static void take_in(struct ridge_module* module) {
  const struct ridge_descriptor_header* header = module->descriptor;
  const int sound = descriptor_is_sound(module);
  if (module->abi_version != RIDGE_ABI_VERSION || !sound) {
    ridge_set_flag(RIDGE_PROCESS_VERSION_MISMATCH);
    ridge_runtime.process->mismatched_abi_version = module->abi_version;
    /* The counter count has been in the same place in every version. */
    leave_out(module, sound ? header->counter_count : 0);
    return;
  }
  const struct ridge_known_module* known = find_known(module);
  if (known == NULL) {
    known = make_known(module);
  }
  if (known == NULL) {
    leave_out(module, header->counter_count);
    return;
  }
  module->region_base = known->record.region_base;
  module->counter_offset = counter_offset(known->record.counter_base);
}

__attribute__((visibility("default"))) void ridge_register_module(struct ridge_module* module) {
  struct ridge_guard guard;
  const int tid = (int)ridge_tid();
  if (__atomic_load_n(&module->mode, __ATOMIC_ACQUIRE) != RIDGE_MODE_UNREGISTERED) {
    return;
  }
  /* Looking up libraries may call an instrumented malloc: that one waits for its turn. */
  if (!ridge_start() || atomic_load(&ridge_runtime.register_owner) == tid) {
    if (module->counter_offset == 0) {
      module->counter_offset = counter_offset(RIDGE_USABLE_COUNTERS);
      module->region_base = RIDGE_REGION_CAPACITY;
    }
    return;
  }
  ridge_enter(&guard);
  pthread_mutex_lock(&ridge_runtime.register_lock);
  atomic_store(&ridge_runtime.register_owner, tid);
  if (module->mode == RIDGE_MODE_UNREGISTERED) {
    take_in(module);
    const int left_out = module->region_base == RIDGE_REGION_CAPACITY;
    __atomic_store_n(&module->mode, left_out ? RIDGE_MODE_COUNT : ridge_runtime.mode,
                     __ATOMIC_RELEASE);
  }
  atomic_store(&ridge_runtime.register_owner, 0);
  pthread_mutex_unlock(&ridge_runtime.register_lock);
  ridge_leave(&guard);
}

static void publish_oldest_first(const struct ridge_known_module* known) {
  if (known != NULL) {
    publish_oldest_first(known->next);
    publish(known);
  }
}

/* Descriptors and library names are shared with the parent, counters are not. */
void ridge_modules_after_fork(void) {
  atomic_store(&ridge_runtime.register_owner, 0);
  publish_oldest_first(ridge_runtime.modules);
}
