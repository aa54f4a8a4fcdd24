/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The record of this process. */
#include <pub_tool_clientstate.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_xarray.h>

#include "instrument/engine/launched.h"
#include "instrument/engine/record_writer.h"
#include "instrument/valgrind_tool/code.h"
#include "instrument/valgrind_tool/opcode.h"
#include "instrument/valgrind_tool/stacks.h"
#include "instrument/valgrind_tool/trace.h"

enum { NAMES_TRIED = 100000, PATH_ROOM = 4096 };

const HChar* ridge_record_prefix;
Bool ridge_process_forked;
Bool ridge_process_execs;

static int write_all(void* context, const void* bytes, uint64_t count) {
  const Int file = *(const Int*)context;
  const HChar* from = bytes;
  while (count != 0) {
    const Int written = VG_(write)(file, from, (Int)count);
    if (written <= 0) {
      return 0;
    }
    from += written;
    count -= (ULong)written;
  }
  return 1;
}

/* A file that was not there before. */
static Int create_file(HChar* path) {
  for (UInt number = 0; number < NAMES_TRIED; ++number) {
    VG_(snprintf)(path, PATH_ROOM, "%s.%d.%u", ridge_record_prefix, VG_(getpid)(), number);
    const SysRes file = VG_(open)(path, VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, 0600);
    if (!sr_isError(file)) {
      return (Int)sr_Res(file);
    }
    if (sr_Err(file) != VKI_EEXIST) {
      return -1;
    }
  }
  return -1;
}

static ULong text_bytes(const HChar* text) {
  return text != NULL ? VG_(strlen)(text) + 1 : 0;
}

static void write_arguments(struct engine_writer* writer) {
  const HChar* program = VG_(args_the_exename);
  const Word count = VG_(sizeXA)(VG_(args_for_client));
  ULong bytes = text_bytes(program);
  for (Word i = 0; i < count; ++i) {
    bytes += text_bytes(*(HChar**)VG_(indexXA)(VG_(args_for_client), i));
  }
  engine_record_open(writer, RIDGE_RECORD_ARGUMENTS, bytes);
  engine_record_put(writer, program, text_bytes(program));
  for (Word i = 0; i < count; ++i) {
    const HChar* argument = *(HChar**)VG_(indexXA)(VG_(args_for_client), i);
    engine_record_put(writer, argument, text_bytes(argument));
  }
}

/* Of the environment that the process began with. */
static void write_launched(struct engine_writer* writer) {
  enum { MOST_BYTES = 1 << 20 };
  const SysRes file = VG_(open)("/proc/self/environ", VKI_O_RDONLY, 0);
  if (sr_isError(file)) {
    return;
  }
  HChar* text = VG_(malloc)("ridge.environment", MOST_BYTES);
  ULong bytes = 0;
  Int got = 0;
  do {
    bytes += (ULong)got;
    got = VG_(read)((Int)sr_Res(file), text + bytes, (Int)(MOST_BYTES - bytes));
  } while (got > 0);
  VG_(close)((Int)sr_Res(file));
  const ULong kept = engine_keep_launched(text, bytes);
  if (kept > 0) {
    engine_record_chunk(writer, RIDGE_RECORD_LAUNCHED, text, kept, NULL, 0);
  }
  VG_(free)(text);
}

static void write_mappings(struct engine_writer* writer) {
  for (UInt i = 0; i < ridge_code.mapping_count; ++i) {
    const struct ridge_mapping* mapping = &ridge_code.mappings[i];
    const struct ridge_record_mapping written = {.begin = mapping->begin,
                                                 .end = mapping->end,
                                                 .file_offset = mapping->file_offset,
                                                 .number = i,
                                                 .has_file = mapping->path != NULL};
    engine_record_chunk(writer, RIDGE_RECORD_MAPPING, &written, sizeof(written), mapping->path,
                        text_bytes(mapping->path));
  }
}

static void write_blocks(struct engine_writer* writer) {
  for (UInt i = 0; i < ridge_code.block_count; ++i) {
    const struct ridge_block* block = &ridge_code.blocks[i];
    const struct ridge_record_block written = {.address = block->address,
                                               .number = i,
                                               .mapping = block->mapping,
                                               .code_bytes = block->bytes};
    engine_record_chunk(writer, RIDGE_RECORD_BLOCK, &written, sizeof(written), block->code,
                        block->bytes);
  }
}

static UInt slot_of(const struct ridge_block* block, UInt kind) {
  return kind == RIDGE_RECORD_TURNS ? block->turns : block->slot;
}

static ULong value_of(const struct ridge_guest_thread* thread, UInt block, UInt kind) {
  const UInt slot = slot_of(&ridge_code.blocks[block], kind);
  return slot != RIDGE_NONE ? ridge_count_of(thread, slot) : 0;
}

/* RIDGE_RECORD_EXECUTIONS or RIDGE_RECORD_TURNS of one thread. */
static void write_counts(struct engine_writer* writer, const struct ridge_guest_thread* thread,
                         UInt kind) {
  struct ridge_record_thread head = {.thread = thread->ordinal, .tid = thread->kernel_tid};
  for (UInt i = 0; i < ridge_code.block_count; ++i) {
    head.count += value_of(thread, i, kind) != 0;
  }
  if (head.count == 0 && kind == RIDGE_RECORD_TURNS) {
    return;
  }
  engine_record_open(writer, kind,
                     sizeof(head) + head.count * sizeof(struct ridge_record_executions));
  engine_record_put(writer, &head, sizeof(head));
  for (UInt i = 0; i < ridge_code.block_count; ++i) {
    const struct ridge_record_executions entry = {i, value_of(thread, i, kind)};
    if (entry.executions != 0) {
      engine_record_put(writer, &entry, sizeof(entry));
    }
  }
}

static void write_unknown(struct engine_writer* writer) {
  if (ridge_code.ran_into == RIDGE_NONE) {
    return;
  }
  const struct ridge_unknown* unknown = &ridge_code.unknown[ridge_code.ran_into];
  if (ridge_is_undefined(unknown->code, unknown->bytes)) {
    return; /* the program wanted to be stopped */
  }
  const struct ridge_record_unknown written = {
      .address = unknown->address, .mapping = unknown->mapping, .code_bytes = unknown->bytes};
  engine_record_chunk(writer, RIDGE_RECORD_UNKNOWN, &written, sizeof(written), unknown->code,
                      unknown->bytes);
}

static void write_note(struct engine_writer* writer, const HChar* text) {
  engine_record_chunk(writer, RIDGE_RECORD_NOTE, text, VG_(strlen)(text), NULL, 0);
}

static void write_notes(struct engine_writer* writer) {
  if (ridge_traffic_problem != NULL) {
    write_note(writer, ridge_traffic_problem);
  }
  if (ridge_threads.created > RIDGE_THREADS_TOLD_APART + 1) {
    HChar text[128];
    VG_(snprintf)(text, sizeof(text), "Threads from number %u on are counted together.",
                  (UInt)RIDGE_THREADS_TOLD_APART);
    write_note(writer, text);
  }
}

static void write_contents(struct engine_writer* writer) {
  write_arguments(writer);
  write_launched(writer);
  write_mappings(writer);
  write_blocks(writer);
  for (UInt i = 0; i < ridge_threads.count; ++i) {
    write_counts(writer, ridge_threads.all[i], RIDGE_RECORD_EXECUTIONS);
    write_counts(writer, ridge_threads.all[i], RIDGE_RECORD_TURNS);
  }
  ridge_write_stacks(writer);
  write_unknown(writer);
  write_notes(writer);
  if (ridge_traffic != NULL) {
    ridge_write_traffic(writer);
  }
}

const HChar* ridge_write_record(void) {
  static HChar path[PATH_ROOM];
  static struct engine_writer writer;
  Int file = ridge_record_prefix != NULL ? create_file(path) : -1;
  if (file < 0) {
    return NULL;
  }
  const struct engine_sink sink = {write_all, &file};
  const struct ridge_record_header header = {
      .engine = RIDGE_ENGINE_VALGRIND,
      .pid = (UInt)VG_(getpid)(),
      .parent_pid = (UInt)VG_(getppid)(),
      .flags = RIDGE_RECORD_BY_THREAD | RIDGE_RECORD_SERIAL |
               (ridge_process_forked ? RIDGE_RECORD_FORKED : 0) |
               (ridge_process_execs ? RIDGE_RECORD_BEFORE_EXEC : 0) |
               (ridge_traffic != NULL ? RIDGE_RECORD_SIMULATED : 0)};
  engine_record_begin(&writer, &sink, &header);
  write_contents(&writer);
  const int whole = engine_record_end(&writer);
  VG_(close)(file);
  if (!whole) {
    VG_(umsg)("ridge: could not write all of %s\n", path);
  }
  return path;
}
