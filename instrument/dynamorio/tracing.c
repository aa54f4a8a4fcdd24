#include "instrument/dynamorio/tracing.h"

#include <string.h>

#include "instrument/dynamorio/accesses.h"
#include "instrument/dynamorio/client.h"
#include "instrument/dynamorio/code.h"
#include "instrument/dynamorio/liveness.h"
#include "instrument/dynamorio/traffic.h"

enum { ENTRY = sizeof(struct ridge_trace_entry), HALF = ENTRY / 2 };

struct tracer {
  void* context;
  instrlist_t* block;
  uint32_t pending; /* entries behind the thread's cursor */
};

static void insert(const struct client_scratch* scratch, instr_t* made) {
  instrlist_meta_preinsert(scratch->block, scratch->where, made);
}

static void insert_constant(const struct client_scratch* scratch, reg_id_t target, uint64_t value) {
  instrlist_insert_mov_immed_ptrsz(scratch->context, (ptr_int_t)value, opnd_create_reg(target),
                                   scratch->block, scratch->where, NULL, NULL);
}

static void read_slot(const struct client_scratch* scratch, enum client_slot slot,
                      reg_id_t target) {
  dr_insert_read_raw_tls(scratch->context, scratch->block, scratch->where, client.tls_register,
                         client_slot_offset(slot), target);
}

/* ---- addresses ---- */

static uint32_t region_of(instr_t* instruction) {
  const uint64_t address = (uint64_t)instr_get_app_pc(instruction);
  const uint32_t number = client_mapping_of(address);
  if (number == CLIENT_NONE) {
    return 0;
  }
  const struct client_mapping* mapping = client_mapping_at(number);
  return engine_plan_region(&client.plan, mapping->plan_module,
                            address - mapping->begin + mapping->file_offset);
}

static int is_of_segment(opnd_t operand) {
  return opnd_is_far_memory_reference(operand) &&
         (opnd_get_segment(operand) == DR_SEG_FS || opnd_get_segment(operand) == DR_SEG_GS);
}

/* Without segment, and without the index of a gather. */
static void insert_offset(const struct client_scratch* scratch, opnd_t operand, reg_id_t target) {
  if (!opnd_is_base_disp(operand)) {
    insert_constant(scratch, target, (uint64_t)opnd_get_addr(operand));
    return;
  }
  const int indexed = opnd_is_vsib(operand);
  const reg_id_t index = indexed ? DR_REG_NULL : opnd_get_index(operand);
  const int scale = index == DR_REG_NULL ? 0 : opnd_get_scale(operand);
  insert(scratch, INSTR_CREATE_lea(scratch->context, opnd_create_reg(target),
                                   opnd_create_base_disp(opnd_get_base(operand), index, scale,
                                                         opnd_get_disp(operand), OPSZ_lea)));
}

static void insert_address(struct client_scratch* scratch, opnd_t operand, reg_id_t target) {
  insert_offset(scratch, operand, target);
  if (is_of_segment(operand)) {
    const reg_id_t base = client_scratch_take(scratch);
    dr_insert_get_seg_base(scratch->context, scratch->block, scratch->where,
                           opnd_get_segment(operand), base);
    insert(scratch, INSTR_CREATE_lea(scratch->context, opnd_create_reg(target),
                                     OPND_CREATE_MEM_lea(target, base, 1, 0)));
  }
}

/* ---- entries ---- */

static opnd_t half_of(reg_id_t cursor, uint32_t entry, int second) {
  return OPND_CREATE_MEM64(cursor, (int)(entry * ENTRY) + (second ? HALF : 0));
}

static void store(const struct client_scratch* scratch, opnd_t memory, reg_id_t value) {
  insert(scratch, INSTR_CREATE_mov_st(scratch->context, memory, opnd_create_reg(value)));
}

static void store_vector(const struct client_scratch* scratch, reg_id_t cursor, uint32_t entry,
                         reg_id_t vector) {
  const int is_new = reg_is_strictly_zmm(vector) ||
                     (reg_is_strictly_xmm(vector) && vector > DR_REG_XMM15) ||
                     (reg_is_strictly_ymm(vector) && vector > DR_REG_YMM15);
  const opnd_size_t size = reg_get_size(vector);
  const opnd_t memory = opnd_create_base_disp(cursor, DR_REG_NULL, 0, (int)(entry * ENTRY), size);
  void* context = scratch->context;
  insert(scratch, is_new ? INSTR_CREATE_vmovdqu64_mask(context, memory, opnd_create_reg(DR_REG_K0),
                                                       opnd_create_reg(vector))
                  : proc_avx_enabled()
                      ? INSTR_CREATE_vmovdqu(context, memory, opnd_create_reg(vector))
                      : INSTR_CREATE_movdqu(context, memory, opnd_create_reg(vector)));
}

static void store_mask(const struct client_scratch* scratch, reg_id_t cursor, uint32_t entry,
                       const struct client_access* access, reg_id_t value) {
  enum { WORD = 16, DOUBLE_WORD = 32 };
  void* context = scratch->context;
  const opnd_t narrow = opnd_create_reg(reg_64_to_32(value));
  const opnd_t mask = opnd_create_reg(access->mask);
  if (access->site.lanes <= WORD) {
    insert(scratch, INSTR_CREATE_kmovw(context, narrow, mask));
  } else if (access->site.lanes <= DOUBLE_WORD) {
    insert(scratch, INSTR_CREATE_kmovd(context, narrow, mask));
  } else {
    insert(scratch, INSTR_CREATE_kmovq(context, opnd_create_reg(value), mask));
  }
  store(scratch, half_of(cursor, entry, 1), value);
}

/* What is known only now of lanes. `value` may be changed. */
static void store_site(const struct client_scratch* scratch, reg_id_t cursor, uint32_t entry,
                       const struct client_access* access, reg_id_t value) {
  uint64_t bits = 0;
  memcpy(&bits, &access->site, sizeof bits);
  insert_constant(scratch, value, bits);
  store(scratch, half_of(cursor, ++entry, 0), value);
  if (reg_is_opmask(access->mask)) {
    store_mask(scratch, cursor, entry, access, value);
  }
  ++entry;
  if (access->site.kind == CLIENT_SITE_INDEXED) {
    store_vector(scratch, cursor, entry, access->index);
    entry += CLIENT_INDEX_ENTRIES;
  }
  if (access->site.mask_bytes) {
    store_vector(scratch, cursor, entry, access->mask);
  }
}

static void trace_access(struct tracer* tracer, instr_t* instruction,
                         const struct client_access* access, uint32_t region) {
  const uint64_t meta = (uint64_t)region << RIDGE_TRACE_REGION_SHIFT |
                        (uint64_t)access->flags << RIDGE_TRACE_FLAGS_SHIFT | access->bytes;
  struct client_scratch scratch;
  client_scratch_begin(&scratch, tracer->context, tracer->block, instruction,
                       client_address_registers(access->operand));
  const reg_id_t value = client_scratch_take(&scratch);
  insert_address(&scratch, access->operand, value);
  const reg_id_t cursor = client_scratch_take(&scratch);
  read_slot(&scratch, CLIENT_SLOT_CURSOR, cursor);
  store(&scratch, half_of(cursor, tracer->pending, 0), value);
  insert_constant(&scratch, value, meta);
  store(&scratch, half_of(cursor, tracer->pending, 1), value);
  if (access->flags & CLIENT_TRACE_SITE) {
    store_site(&scratch, cursor, tracer->pending, access, value);
  }
  client_scratch_end(&scratch);
}

/* Where a repeated string instruction has got to. At once: what else is inserted there may use the
 * registers, if the program does not need them any more. */
static void trace_end_of_repeated(struct tracer* tracer, instr_t* instruction,
                                  const struct client_access* access, uint32_t entry) {
  const uint32_t kept = 1u << (DR_REG_RCX - DR_REG_RAX) | 1u << (DR_REG_RSI - DR_REG_RAX) |
                        1u << (DR_REG_RDI - DR_REG_RAX);
  const reg_id_t base = reg_to_pointer_sized(opnd_get_base(access->operand));
  struct client_scratch scratch;
  client_scratch_begin(&scratch, tracer->context, tracer->block, instr_get_next_app(instruction),
                       kept);
  scratch.where = instr_get_next(instruction);
  const reg_id_t cursor = client_scratch_take(&scratch);
  read_slot(&scratch, CLIENT_SLOT_CURSOR, cursor);
  store(&scratch, half_of(cursor, entry + 1, 1), base);
  client_scratch_end(&scratch);
}

static void trace_instruction(struct tracer* tracer, instr_t* instruction,
                              const struct client_access* accesses, uint32_t count) {
  const uint32_t region = region_of(instruction);
  for (uint32_t i = 0; i < count; ++i) {
    trace_access(tracer, instruction, &accesses[i], region);
    if (accesses[i].site.kind == CLIENT_SITE_REPEATED) {
      trace_end_of_repeated(tracer, instruction, &accesses[i], tracer->pending);
    }
    tracer->pending += client_access_entries(&accesses[i]);
  }
}

/* ---- room ---- */

static void move_cursor(struct tracer* tracer, instr_t* where) {
  if (tracer->pending == 0) {
    return;
  }
  struct client_scratch scratch;
  client_scratch_begin(&scratch, tracer->context, tracer->block, where, 0);
  const reg_id_t cursor = client_scratch_take(&scratch);
  read_slot(&scratch, CLIENT_SLOT_CURSOR, cursor);
  insert(&scratch, INSTR_CREATE_lea(tracer->context, opnd_create_reg(cursor),
                                    OPND_CREATE_MEM_lea(cursor, DR_REG_NULL, 0,
                                                        (int)(tracer->pending * ENTRY))));
  dr_insert_write_raw_tls(tracer->context, tracer->block, where, client.tls_register,
                          client_slot_offset(CLIENT_SLOT_CURSOR), cursor);
  client_scratch_end(&scratch);
  tracer->pending = 0;
}

/* From here on there is room for CLIENT_RAW_ROOM entries. */
static void check_room(struct tracer* tracer, instr_t* where) {
  void* context = tracer->context;
  instr_t* enough = INSTR_CREATE_label(context);
  struct client_scratch scratch;
  client_scratch_begin(&scratch, context, tracer->block, where, 0);
  client_scratch_take_flags(&scratch);
  const reg_id_t cursor = client_scratch_take(&scratch);
  read_slot(&scratch, CLIENT_SLOT_CURSOR, cursor);
  insert(&scratch, INSTR_CREATE_cmp(context, opnd_create_reg(cursor),
                                    dr_raw_tls_opnd(context, client.tls_register,
                                                    client_slot_offset(CLIENT_SLOT_LIMIT))));
  insert(&scratch, INSTR_CREATE_jcc(context, OP_jbe, opnd_create_instr(enough)));
  dr_insert_clean_call(context, tracer->block, where, (void*)client_take_trace, false, 0);
  insert(&scratch, enough);
  client_scratch_end(&scratch);
}

void client_trace_block(void* context, instrlist_t* block) {
  struct tracer tracer = {context, block, CLIENT_RAW_ROOM};
  dr_mutex_lock(client.lock);
  for (instr_t* at = instrlist_first_app(block); at; at = instr_get_next_app(at)) {
    struct client_access accesses[CLIENT_MOST_ACCESSES];
    const uint32_t count = client_accesses(at, accesses);
    if (count == 0) {
      continue;
    }
    if (tracer.pending + CLIENT_MOST_ACCESSES * CLIENT_SITE_MOST_ENTRIES > CLIENT_RAW_ROOM) {
      tracer.pending = tracer.pending == CLIENT_RAW_ROOM ? 0 : tracer.pending;
      move_cursor(&tracer, at);
      check_room(&tracer, at);
    }
    trace_instruction(&tracer, at, accesses, count);
  }
  if (tracer.pending < CLIENT_RAW_ROOM) {
    instr_t* last = instrlist_last_app(block);
    const int leaves = instr_is_cti(last) || instr_is_syscall(last) || instr_is_interrupt(last);
    move_cursor(&tracer, leaves ? last : NULL);
  }
  dr_mutex_unlock(client.lock);
}
