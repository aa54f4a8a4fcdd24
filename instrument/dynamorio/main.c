/* A client of DynamoRIO: `drrun -c libridge_dynamorio.so record=PREFIX [plan=FILE] -- PROGRAM`. It
 * counts how often each instruction of a program is executed, by thread, with the active lanes of
 * masked ones; with a plan it simulates the caches. It writes a record (abi/record.h) when the
 * process ends or becomes another program, and prints nothing. */
#include <dr_api.h>
#include <sys/syscall.h>

#include "instrument/dynamorio/client.h"
#include "instrument/dynamorio/code.h"
#include "instrument/dynamorio/counting.h"
#include "instrument/dynamorio/liveness.h"
#include "instrument/dynamorio/record.h"
#include "instrument/dynamorio/threads.h"
#include "instrument/dynamorio/tracing.h"
#include "instrument/dynamorio/traffic.h"

struct client client;

static const char* plan_path;

static void give_up(const char* problem) {
  dr_fprintf(STDERR, "ridge: %s\n", problem);
  dr_abort();
}

/* What follows NAME= in an argument; null: it is another one. */
static const char* value_of(const char* argument, const char* name) {
  for (; *name; ++name, ++argument) {
    if (*argument != *name) {
      return NULL;
    }
  }
  return *argument == '=' ? argument + 1 : NULL;
}

static void take_options(int count, const char** arguments) {
  for (int i = 1; i < count; ++i) {
    const char* record = value_of(arguments[i], "record");
    const char* plan = value_of(arguments[i], "plan");
    if (plan) {
      plan_path = plan;
    } else if (!record) {
      give_up("options are record=PREFIX and plan=FILE");
    } else if (record[0] != '/') { /* the program may change its folder */
      give_up("the prefix of the record is no absolute path");
    } else {
      client.prefix = record;
    }
  }
  if (!client.prefix) {
    give_up("record=PREFIX is missing");
  }
}

static dr_emit_flags_t translate(void* context, void* tag, instrlist_t* block, bool for_trace,
                                 bool translating) {
  (void)tag;
  (void)for_trace; /* the same counters there */
  (void)translating;
  client_find_live(block);
  client_count_block(context, block);
  if (client.traffic) {
    client_trace_block(context, block);
  }
  client_forget_live(block);
  return DR_EMIT_STORE_TRANSLATIONS; /* the code may have changed when it is asked for */
}

static void module_changes(const module_data_t* module) {
  dr_mutex_lock(client.lock);
  for (uint32_t i = 0; i < module->num_segments; ++i) {
    client_mappings_gone((uint64_t)module->segments[i].start, (uint64_t)module->segments[i].end);
  }
  dr_mutex_unlock(client.lock);
}

static void module_loaded(void* context, const module_data_t* module, bool loaded) {
  (void)context;
  (void)loaded;
  module_changes(module);
}

static void module_unloaded(void* context, const module_data_t* module) {
  (void)context;
  module_changes(module);
}

static void forked(void* context) {
  client.lock = dr_mutex_create(); /* another thread may have held it, which is not here */
  client.flags |= RIDGE_RECORD_FORKED;
  client.path[0] = '\0';
  client_note_unknown(NULL);
  client_threads_forked(context);
}

/* The child of a vfork that has become another program. */
static void set_written(void* context, int written) {
  struct client_thread* thread = dr_get_tls_field(context);
  if (thread && thread->process != client.process) {
    thread->written = written;
  }
}

static bool is_exec(int number) {
  return number == SYS_execve || number == SYS_execveat;
}

static bool wants_call(void* context, int number) {
  (void)context;
  return is_exec(number) || client.traffic;
}

/* What ran is written before the program is gone ... */
static bool before_call(void* context, int number) {
  struct client_thread* thread = dr_get_tls_field(context);
  dr_mutex_lock(client.lock);
  if (thread) {
    client_trace_waits(thread);
  }
  if (is_exec(number)) {
    client.flags |= RIDGE_RECORD_BEFORE_EXEC;
    client_write_record();
    client.flags &= ~(uint32_t)RIDGE_RECORD_BEFORE_EXEC;
    set_written(context, 1);
  }
  dr_mutex_unlock(client.lock);
  return true;
}

/* ... and that it has gone on after all. */
static void after_call(void* context, int number) {
  const struct client_thread* thread = dr_get_tls_field(context);
  dr_mutex_lock(client.lock);
  if (thread) {
    client_trace_goes_on(thread);
  }
  if (is_exec(number)) {
    if (client.path[0]) {
      dr_delete_file(client.path);
    }
    set_written(context, 0);
  }
  dr_mutex_unlock(client.lock);
}

static int is_known(void* context, app_pc code) {
  instr_t decoded;
  instr_init(context, &decoded);
  const int known = decode(context, code, &decoded) != NULL;
  instr_free(context, &decoded);
  return known;
}

/* Of an instruction that cannot be decoded, DynamoRIO makes a SIGILL. A program that handles it
 * does not end with it, and then runs on. */
static dr_signal_action_t on_signal(void* context, dr_siginfo_t* signal) {
  enum { ILLEGAL_INSTRUCTION = 4 };
  if (signal->sig == ILLEGAL_INSTRUCTION && signal->mcontext) {
    dr_mutex_lock(client.lock);
    client_note_unknown(is_known(context, signal->mcontext->pc) ? NULL : signal->mcontext->pc);
    dr_mutex_unlock(client.lock);
  }
  return DR_SIGNAL_DELIVER;
}

static void end(void) {
  dr_mutex_lock(client.lock);
  client_write_record();
  dr_mutex_unlock(client.lock);
}

static void register_events(void) {
  dr_register_bb_event(translate);
  dr_register_thread_init_event(client_thread_begins);
  dr_register_thread_exit_event(client_thread_ends);
  dr_register_fork_init_event(forked);
  dr_register_module_load_event(module_loaded);
  dr_register_module_unload_event(module_unloaded);
  dr_register_filter_syscall_event(wants_call);
  dr_register_pre_syscall_event(before_call);
  dr_register_post_syscall_event(after_call);
  dr_register_signal_event(on_signal);
  dr_register_exit_event(end);
}

DR_EXPORT void dr_client_main(client_id_t id, int argc, const char* argv[]) {
  (void)id;
  take_options(argc, argv);
  client.lock = dr_mutex_create();
  client.flags = RIDGE_RECORD_BY_THREAD;
  client.process = (uint32_t)dr_get_process_id();
  if (!dr_raw_tls_calloc(&client.tls_register, &client.tls_offset, CLIENT_SLOTS, 0)) {
    give_up("DynamoRIO has no room for the memory of threads");
  }
  if (plan_path) {
    client_start_traffic(plan_path);
  }
  register_events();
}
