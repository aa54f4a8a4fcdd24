#include "instrument/dynamorio/record.h"

#include <string.h>

#include "instrument/dynamorio/code.h"
#include "instrument/dynamorio/threads.h"
#include "instrument/dynamorio/traffic.h"
#include "instrument/engine/launched.h"
#include "instrument/engine/record_writer.h"

enum { NAMES_TRIED = 100000, LONGEST_INSTRUCTION = 15, NOTE_BYTES = 256 };

static struct engine_writer writer;
static struct ridge_record_unknown unknown;
static unsigned char unknown_code[LONGEST_INSTRUCTION];

static int write_all(void* context, const void* bytes, uint64_t count) {
  const file_t file = *(const file_t*)context;
  const char* from = bytes;
  while (count > 0) {
    const ssize_t written = dr_write_file(file, from, count);
    if (written <= 0) {
      return 0;
    }
    from += written;
    count -= (uint64_t)written;
  }
  return 1;
}

static file_t create_file(void) {
  for (uint32_t number = 0; number < NAMES_TRIED; ++number) {
    const int length = dr_snprintf(client.path, sizeof client.path, "%s.%u.%u", client.prefix,
                                   (uint32_t)dr_get_process_id(), number);
    if (length <= 0 || length >= (int)sizeof client.path) {
      break;
    }
    if (dr_file_exists(client.path)) {
      continue;
    }
    const file_t file = dr_open_file(client.path, DR_FILE_WRITE_REQUIRE_NEW | DR_FILE_ALLOW_LARGE);
    if (file != INVALID_FILE) {
      return file;
    }
    break; /* the folder takes no files */
  }
  client.path[0] = '\0';
  return INVALID_FILE;
}

static void write_arguments(void) {
  uint64_t bytes = 0;
  uint64_t capacity = 0;
  void* text = client_read_file("/proc/self/cmdline", &bytes, &capacity);
  if (text) {
    engine_record_chunk(&writer, RIDGE_RECORD_ARGUMENTS, text, bytes, NULL, 0);
    client_release(text, capacity);
  }
}

static void write_launched(void) {
  uint64_t bytes = 0;
  uint64_t capacity = 0;
  void* text = client_read_file("/proc/self/environ", &bytes, &capacity);
  if (text) {
    const uint64_t kept = engine_keep_launched(text, bytes);
    if (kept > 0) {
      engine_record_chunk(&writer, RIDGE_RECORD_LAUNCHED, text, kept, NULL, 0);
    }
    client_release(text, capacity);
  }
}

static const struct client_counter* described(uint64_t counter) {
  return (const struct client_counter*)client.counters.items + counter;
}

static uint32_t kind_of(uint64_t counter) {
  switch (described(counter)->offset) {
    case CLIENT_EXECUTIONS:
      return RIDGE_RECORD_EXECUTIONS;
    case CLIENT_TURNS:
      return RIDGE_RECORD_TURNS;
    default:
      return RIDGE_RECORD_MASKS;
  }
}

/* Goes through the counters of one kind; `put`: writes them, else counts them. The lanes of an
 * instruction that ran are known even if there were none. */
static uint64_t go_through(const struct client_thread* thread, uint32_t kind, int put) {
  uint64_t found = 0;
  int block_ran = 0;
  for (uint64_t i = 0; i < client.counters.count; ++i) {
    const uint64_t value = client_thread_value(thread, i);
    const struct client_counter counter = *described(i);
    if (counter.offset == CLIENT_EXECUTIONS) {
      block_ran = value != 0;
    }
    const int known = value != 0 || (kind == RIDGE_RECORD_MASKS && block_ran);
    if (kind_of(i) != kind || !known) {
      continue;
    }
    ++found;
    if (put && kind == RIDGE_RECORD_MASKS) {
      const struct ridge_record_mask entry = {counter.block, counter.offset, 0, value};
      engine_record_put(&writer, &entry, sizeof entry);
    } else if (put) {
      const struct ridge_record_executions entry = {counter.block, value};
      engine_record_put(&writer, &entry, sizeof entry);
    }
  }
  return found;
}

static void write_counts(const struct client_thread* thread, uint32_t kind) {
  const struct ridge_record_thread head = {thread->ordinal, thread->tid,
                                           go_through(thread, kind, 0)};
  if (head.count == 0 && kind != RIDGE_RECORD_EXECUTIONS) {
    return;
  }
  const uint64_t entry = kind == RIDGE_RECORD_MASKS ? sizeof(struct ridge_record_mask)
                                                    : sizeof(struct ridge_record_executions);
  engine_record_open(&writer, kind, sizeof head + head.count * entry);
  engine_record_put(&writer, &head, sizeof head);
  go_through(thread, kind, 1);
}

static void write_note(const char* format, uint64_t number) {
  char text[NOTE_BYTES];
  const int length = dr_snprintf(text, sizeof text, format, number);
  if (length > 0 && length < NOTE_BYTES) {
    engine_record_chunk(&writer, RIDGE_RECORD_NOTE, text, (uint64_t)length, NULL, 0);
  }
}

static void write_notes(void) {
  if (client.problem) {
    engine_record_chunk(&writer, RIDGE_RECORD_NOTE, client.problem, strlen(client.problem), NULL,
                        0);
  }
  if (client.uncounted) {
    write_note("Executions of %llu blocks were not counted: there was no room for more counters.",
               client.uncounted);
  }
  if (client.threads_uncounted) {
    write_note("What %llu threads executed was not counted: there was no memory for counters.",
               client.threads_uncounted);
  }
  if (unknown.code_bytes) {
    engine_record_chunk(&writer, RIDGE_RECORD_UNKNOWN, &unknown, sizeof unknown, unknown_code,
                        unknown.code_bytes);
  }
}

static void write_contents(uint32_t process) {
  write_arguments();
  write_launched();
  client_write_code(&writer);
  struct client_thread** threads = client.threads.items;
  for (uint64_t i = 0; i < client.threads.count; ++i) {
    if (threads[i]->process != process) {
      continue;
    }
    write_counts(threads[i], RIDGE_RECORD_EXECUTIONS);
    write_counts(threads[i], RIDGE_RECORD_TURNS);
    write_counts(threads[i], RIDGE_RECORD_MASKS);
  }
  write_notes();
  if (process == client.process) {
    client_write_traffic(&writer);
  }
}

void client_write_record(void) {
  file_t file = create_file();
  if (file == INVALID_FILE) {
    return;
  }
  const uint32_t process = (uint32_t)dr_get_process_id();
  const uint32_t flags =
      process == client.process ? client.flags : RIDGE_RECORD_BY_THREAD | RIDGE_RECORD_FORKED;
  const struct engine_sink sink = {write_all, &file};
  const struct ridge_record_header header = {.engine = RIDGE_ENGINE_DYNAMORIO,
                                             .pid = process,
                                             .parent_pid = (uint32_t)dr_get_parent_id(),
                                             .flags = flags};
  engine_record_begin(&writer, &sink, &header);
  write_contents(process);
  engine_record_end(&writer);
  dr_close_file(file);
}

void client_note_unknown(const unsigned char* instruction) {
  unknown = (struct ridge_record_unknown){0};
  if (!instruction) {
    return;
  }
  /* Its length can often be told. */
  const app_pc next = decode_next_pc(dr_get_current_drcontext(), (app_pc)instruction);
  uint32_t bytes = next ? (uint32_t)(next - instruction) : LONGEST_INSTRUCTION;
  size_t got = 0;
  while (bytes > 0 && (!dr_safe_read(instruction, bytes, unknown_code, &got) || got < bytes)) {
    --bytes;
  }
  unknown = (struct ridge_record_unknown){(uint64_t)instruction,
                                          client_mapping_of((uint64_t)instruction), bytes};
}
