#include "instrument/dynamorio/threads.h"

#include <string.h>

#include "instrument/dynamorio/record.h"
#include "instrument/dynamorio/traffic.h"

static const uint64_t table_bytes = CLIENT_COUNTERS * sizeof(uint64_t);

void* client_slot_place(enum client_slot slot) {
  return (char*)dr_get_dr_segment_base(client.tls_register) + client_slot_offset(slot);
}

/* Where threads count for which there is no memory. Nobody reads it. */
static uint64_t* nobody(void) {
  static uint64_t* table;
  if (!table) {
    table = client_allocate(table_bytes);
  }
  return table;
}

static struct client_thread* add_thread(uint32_t tid) {
  struct client_thread* thread = dr_global_alloc(sizeof *thread);
  *thread = (struct client_thread){.tid = tid, .process = (uint32_t)dr_get_process_id()};
  struct client_thread** place = client_list_add(&client.threads, sizeof(void*), 1);
  if (!place) {
    dr_global_free(thread, sizeof *thread);
    return NULL;
  }
  if (thread->process == client.process) {
    thread->ordinal = client.thread_count++;
  }
  return *place = thread;
}

void client_thread_begins(void* context) {
  dr_mutex_lock(client.lock);
  struct client_thread* thread = add_thread((uint32_t)dr_get_thread_id(context));
  if (thread) {
    thread->counters = client_allocate(table_bytes);
  }
  uint64_t* table = thread ? thread->counters : NULL;
  if (!table) {
    ++client.threads_uncounted;
    table = nobody();
  }
  if (!table) {
    dr_fprintf(STDERR, "ridge: no memory to count in\n");
    dr_abort();
  }
  dr_set_tls_field(context, thread);
  memcpy(client_slot_place(CLIENT_SLOT_COUNTERS), &table, sizeof table);
  if (thread) {
    client_trace_begins(thread);
  }
  dr_mutex_unlock(client.lock);
}

static const struct client_counter* described(uint64_t counter) {
  return (const struct client_counter*)client.counters.items + counter;
}

/* What the thread has counted, without the table. */
static int keep(struct client_thread* thread) {
  int block_ran = 0;
  for (uint64_t i = 0; i < client.counters.count; ++i) {
    const uint64_t value = thread->counters[i];
    if (described(i)->offset == CLIENT_EXECUTIONS) {
      block_ran = value != 0;
    }
    if (!block_ran) {
      continue;
    }
    struct client_kept* kept = client_list_add(&thread->kept, sizeof *kept, 1);
    if (!kept) {
      return 0;
    }
    *kept = (struct client_kept){i, value};
  }
  return 1;
}

static void forget(struct client_thread* thread) {
  client_trace_forget(thread);
  client_release(thread->counters, table_bytes);
  client_list_clear(&thread->kept, sizeof(struct client_kept));
  dr_global_free(thread, sizeof *thread);
}

/* The child of a vfork ends, or its parent hears that it has become another program. */
static void end_child(struct client_thread* thread) {
  if (!thread->written) {
    client_write_record();
  }
  struct client_thread** all = client.threads.items;
  for (uint64_t i = 0; i < client.threads.count; ++i) {
    if (all[i] == thread) {
      all[i] = all[--client.threads.count];
    }
  }
  forget(thread);
}

void client_thread_ends(void* context) {
  dr_mutex_lock(client.lock);
  struct client_thread* thread = dr_get_tls_field(context);
  if (thread) {
    client_trace_ends(thread);
  }
  if (thread && thread->process != client.process) {
    end_child(thread);
  } else if (thread && thread->counters) {
    if (keep(thread)) {
      client_release(thread->counters, table_bytes);
      thread->counters = NULL;
    } else { /* no memory: the table stays */
      client_list_clear(&thread->kept, sizeof(struct client_kept));
    }
  }
  dr_mutex_unlock(client.lock);
}

void client_threads_forked(void* context) {
  struct client_thread* own = dr_get_tls_field(context);
  struct client_thread** all = client.threads.items;
  for (uint64_t i = 0; i < client.threads.count; ++i) {
    if (all[i] != own) {
      forget(all[i]);
    }
  }
  client.threads.count = 0;
  client.process = (uint32_t)dr_get_process_id();
  client.threads_uncounted = own && own->counters ? 0 : 1;
  if (!own) {
    return;
  }
  all[0] = own;
  client.threads.count = 1;
  client.thread_count = 1;
  own->ordinal = 0;
  own->process = client.process;
  own->tid = (uint32_t)dr_get_thread_id(context);
  client_traffic_forked(own);
  if (own->counters) {
    memset(own->counters, 0, client.counters.count * sizeof(uint64_t));
  }
}

uint64_t client_thread_value(const struct client_thread* thread, uint64_t counter) {
  if (thread->counters) {
    return thread->counters[counter];
  }
  const struct client_kept* kept = thread->kept.items;
  uint64_t low = 0;
  uint64_t high = thread->kept.count;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (kept[middle].counter < counter) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < thread->kept.count && kept[low].counter == counter ? kept[low].value : 0;
}
