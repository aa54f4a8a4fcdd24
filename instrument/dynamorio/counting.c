#include "instrument/dynamorio/counting.h"

#include <string.h>

#include "instrument/dynamorio/client.h"
#include "instrument/dynamorio/code.h"
#include "instrument/dynamorio/liveness.h"
#include "instrument/dynamorio/masks.h"

/* Longer stretches are cut. */
enum { MOST_BYTES = 1 << 14, MOST_DETAILS = 1 << 10, LONGEST_INSTRUCTION = 15 };

/* Under the lock. */
static unsigned char gathered_code[MOST_BYTES];
static uint32_t gathered_offsets[MOST_DETAILS];

static uint32_t lanes_counted(instr_t* instruction) {
  return client_mask_register(instruction) != DR_REG_NULL ? client_mask_lanes(instruction) : 0;
}

static uint64_t address_of(instr_t* instruction) {
  return (uint64_t)instr_get_app_pc(instruction);
}

/* The bytes as they were when they were translated. */
static int copy_code(instr_t* instruction, unsigned char* target, uint32_t bytes) {
  if (instr_raw_bits_valid(instruction)) {
    memcpy(target, instr_get_raw_bits(instruction), bytes);
    return 1;
  }
  size_t got = 0;
  return dr_safe_read(instr_get_app_pc(instruction), bytes, target, &got) && got == bytes;
}

/* The straight code from `first` on; what begins the next stretch, or null. A repeated string
 * instruction is a stretch of its own. */
static instr_t* gather(void* context, instr_t* first, struct client_stretch* stretch) {
  *stretch = (struct client_stretch){
      .address = address_of(first), .code = gathered_code, .offsets = gathered_offsets};
  int whole = 1;
  int repeats = 0;
  instr_t* at = first;
  for (; at && !repeats; at = instr_get_next_app(at)) {
    const uint32_t bytes = (uint32_t)instr_length(context, at);
    repeats = instr_is_rep_string_op(at);
    if (address_of(at) != stretch->address + stretch->bytes || (repeats && at != first) ||
        stretch->bytes > MOST_BYTES - LONGEST_INSTRUCTION || stretch->details == MOST_DETAILS) {
      break;
    }
    whole = whole && copy_code(at, gathered_code + stretch->bytes, bytes);
    if (repeats) {
      gathered_offsets[stretch->details++] = CLIENT_TURNS;
    } else if (lanes_counted(at)) {
      gathered_offsets[stretch->details++] = stretch->bytes;
    }
    stretch->bytes += bytes;
  }
  stretch->bytes = whole ? stretch->bytes : 0;
  return at;
}

static opnd_t counter_operand(reg_id_t table, uint32_t counter) {
  return OPND_CREATE_MEM64(table, (int)(counter * sizeof(uint64_t)));
}

static reg_id_t take_table(struct client_scratch* scratch) {
  const reg_id_t table = client_scratch_take(scratch);
  dr_insert_read_raw_tls(scratch->context, scratch->block, scratch->where, client.tls_register,
                         client_slot_offset(CLIENT_SLOT_COUNTERS), table);
  return table;
}

static void insert(const struct client_scratch* scratch, instr_t* made) {
  instrlist_meta_preinsert(scratch->block, scratch->where, made);
}

/* What is put off until there are free registers need not save any. */
static instr_t* cheapest_place(instr_t* first, const instr_t* end) {
  enum { WITH_FLAGS = 1, WITHOUT_FLAGS = 2 };
  instr_t* best = first;
  int least = WITHOUT_FLAGS + 1;
  for (instr_t* at = first; at != end && least > 0; at = instr_get_next_app(at)) {
    const int needed = client_flags_are_live(at) ? WITHOUT_FLAGS : WITH_FLAGS;
    const int saved = needed - client_free_registers(at);
    if (saved < least) {
      best = at;
      least = saved;
    }
  }
  return best;
}

/* Without a change of flags where the program still needs them. */
static void insert_execution(void* context, instrlist_t* block, instr_t* where, uint32_t counter) {
  struct client_scratch scratch;
  client_scratch_begin(&scratch, context, block, where, 0);
  const reg_id_t table = take_table(&scratch);
  const opnd_t memory = counter_operand(table, counter);
  if (!client_flags_are_live(where)) {
    insert(&scratch, INSTR_CREATE_add(context, memory, OPND_CREATE_INT8(1)));
  } else {
    const reg_id_t value = client_scratch_take(&scratch);
    insert(&scratch, INSTR_CREATE_mov_ld(context, opnd_create_reg(value), memory));
    insert(&scratch, INSTR_CREATE_lea(context, opnd_create_reg(value),
                                      OPND_CREATE_MEM_lea(value, DR_REG_NULL, 0, 1)));
    insert(&scratch, INSTR_CREATE_mov_st(context, memory, opnd_create_reg(value)));
  }
  client_scratch_end(&scratch);
}

/* The turns are what the instruction takes off rcx: adds it before, or takes it off after. */
static void insert_turns(void* context, instrlist_t* block, instr_t* where, uint32_t counter,
                         int after) {
  struct client_scratch scratch;
  client_scratch_begin(&scratch, context, block, where, 1u << (DR_REG_RCX - DR_REG_RAX));
  const reg_id_t table = take_table(&scratch);
  const reg_id_t value = client_scratch_take(&scratch);
  const opnd_t memory = counter_operand(table, counter);
  insert(&scratch, INSTR_CREATE_mov_ld(context, opnd_create_reg(value), memory));
  if (after) { /* value - rcx = value + ~rcx + 1: flags stay */
    const reg_id_t inverted = client_scratch_take(&scratch);
    insert(&scratch,
           INSTR_CREATE_mov_ld(context, opnd_create_reg(inverted), opnd_create_reg(DR_REG_RCX)));
    insert(&scratch, INSTR_CREATE_not(context, opnd_create_reg(inverted)));
    insert(&scratch, INSTR_CREATE_lea(context, opnd_create_reg(value),
                                      OPND_CREATE_MEM_lea(value, inverted, 1, 1)));
  } else {
    insert(&scratch, INSTR_CREATE_lea(context, opnd_create_reg(value),
                                      OPND_CREATE_MEM_lea(value, DR_REG_RCX, 1, 0)));
  }
  insert(&scratch, INSTR_CREATE_mov_st(context, memory, opnd_create_reg(value)));
  client_scratch_end(&scratch);
}

/* Bits of a mask register beyond the lanes may be set: they mean nothing. */
static void insert_mask(const struct client_scratch* scratch, reg_id_t target, reg_id_t mask,
                        uint32_t lanes) {
  enum { WORD = 16, DOUBLE_WORD = 32 };
  void* context = scratch->context;
  const opnd_t narrow = opnd_create_reg(reg_64_to_32(target));
  const opnd_t source = opnd_create_reg(mask);
  if (lanes <= WORD) { /* AVX512F has no other one */
    insert(scratch, INSTR_CREATE_kmovw(context, narrow, source));
  } else if (lanes == DOUBLE_WORD) {
    insert(scratch, INSTR_CREATE_kmovd(context, narrow, source));
  } else {
    insert(scratch, INSTR_CREATE_kmovq(context, opnd_create_reg(target), source));
  }
  if (lanes < WORD) {
    insert(scratch, INSTR_CREATE_and(context, narrow, OPND_CREATE_INT32((1 << lanes) - 1)));
  }
}

static void insert_lanes(void* context, instrlist_t* block, instr_t* where, uint32_t counter) {
  struct client_scratch scratch;
  client_scratch_begin(&scratch, context, block, where, 0);
  client_scratch_take_flags(&scratch);
  const reg_id_t value = client_scratch_take(&scratch);
  insert_mask(&scratch, value, client_mask_register(where), lanes_counted(where));
  const opnd_t wide = opnd_create_reg(value);
  insert(&scratch, INSTR_CREATE_popcnt(context, wide, wide));
  const reg_id_t table = take_table(&scratch);
  insert(&scratch, INSTR_CREATE_add(context, counter_operand(table, counter), wide));
  client_scratch_end(&scratch);
}

static void insert_details(void* context, instrlist_t* block, instr_t* first, const instr_t* end,
                           uint32_t counter) {
  for (instr_t* at = first; at != end; at = instr_get_next_app(at)) {
    if (instr_is_rep_string_op(at)) {
      insert_turns(context, block, at, counter, 0);
      insert_turns(context, block, instr_get_next_app(at), counter, 1);
      ++counter;
    } else if (lanes_counted(at)) {
      insert_lanes(context, block, at, counter++);
    }
  }
}

void client_count_block(void* context, instrlist_t* block) {
  dr_mutex_lock(client.lock);
  instr_t* first = instrlist_first_app(block);
  while (first) {
    struct client_stretch stretch;
    instr_t* next = gather(context, first, &stretch);
    stretch.mapping = client_mapping_of(stretch.address);
    const uint32_t counter = stretch.bytes > 0 && stretch.mapping != CLIENT_NONE
                                 ? client_block_counter(&stretch)
                                 : CLIENT_NONE;
    if (counter == CLIENT_NONE) {
      ++client.uncounted;
    } else {
      insert_execution(context, block, cheapest_place(first, next), counter);
      insert_details(context, block, first, next, counter + 1);
    }
    first = next;
  }
  dr_mutex_unlock(client.lock);
}
