#include "instrument/dynamorio/liveness.h"

enum {
  REGISTERS = 16,
  ALL_REGISTERS = (1 << REGISTERS) - 1,
  STACK_POINTER = 1 << (DR_REG_RSP - DR_REG_RAX),
  FLAGS_SHIFT = 16 /* in a note; flags as EFLAGS_READ_* */
};

static uint32_t bit_of(reg_id_t name) {
  return reg_is_gpr(name) ? 1u << (reg_to_pointer_sized(name) - DR_REG_RAX) & ALL_REGISTERS : 0;
}

uint32_t client_address_registers(opnd_t operand) {
  uint32_t found = 0;
  for (int i = 0; i < opnd_num_regs_used(operand); ++i) {
    found |= bit_of(opnd_get_reg_used(operand, i));
  }
  return found;
}

struct effect {
  uint32_t read;
  uint32_t written; /* all of it, always */
  uint32_t flags_read;
  uint32_t flags_written;
};

static void look_at_result(struct effect* effect, opnd_t operand, int always) {
  if (!opnd_is_reg(operand)) {
    effect->read |= client_address_registers(operand);
    return;
  }
  const reg_id_t name = opnd_get_reg(operand);
  if (!reg_is_gpr(name)) {
    return;
  }
  /* A write of 32 bits clears the rest. */
  if (always && (reg_is_64bit(name) || reg_is_32bit(name))) {
    effect->written |= bit_of(name);
  } else {
    effect->read |= bit_of(name);
  }
}

static struct effect effect_of(instr_t* instruction) {
  struct effect effect = {0};
  const int always = !instr_is_predicated(instruction);
  int flags_always = always && !instr_is_rep_string_op(instruction);
  for (int i = 0; i < instr_num_srcs(instruction); ++i) {
    const opnd_t operand = instr_get_src(instruction, i);
    effect.read |= client_address_registers(operand);
    /* A shift by 0 leaves the flags. */
    if (opnd_is_reg(operand) && opnd_get_reg(operand) == DR_REG_CL) {
      flags_always = 0;
    }
  }
  for (int i = 0; i < instr_num_dsts(instruction); ++i) {
    look_at_result(&effect, instr_get_dst(instruction, i), always);
  }
  const uint32_t flags = instr_get_arith_flags(instruction, DR_QUERY_INCLUDE_ALL);
  effect.flags_read = flags & EFLAGS_READ_ARITH;
  if (flags_always) {
    effect.flags_written = EFLAGS_WRITE_TO_READ(flags & EFLAGS_WRITE_ARITH);
  }
  if (instr_is_syscall(instruction) || instr_is_interrupt(instruction)) {
    effect.read = ALL_REGISTERS; /* the kernel's, and those of whoever looks at the system call */
  }
  return effect;
}

void client_find_live(instrlist_t* block) {
  uint32_t registers = ALL_REGISTERS;
  uint32_t flags = EFLAGS_READ_ARITH;
  for (instr_t* at = instrlist_last_app(block); at; at = instr_get_prev_app(at)) {
    const struct effect effect = effect_of(at);
    registers = (registers & ~effect.written) | effect.read;
    flags = (flags & ~effect.flags_written) | effect.flags_read;
    instr_set_note(at,
                   (void*)(ptr_uint_t)(registers |
                                       flags << FLAGS_SHIFT));  // NOLINT(performance-no-int-to-ptr)
  }
}

void client_forget_live(instrlist_t* block) {
  for (instr_t* at = instrlist_first_app(block); at; at = instr_get_next_app(at)) {
    instr_set_note(at, NULL);
  }
}

uint32_t client_live_registers(instr_t* instruction) {
  return instruction ? (uint32_t)(ptr_uint_t)instr_get_note(instruction) & ALL_REGISTERS
                     : (uint32_t)ALL_REGISTERS;
}

int client_flags_are_live(instr_t* instruction) {
  return !instruction || (uint32_t)(ptr_uint_t)instr_get_note(instruction) >> FLAGS_SHIFT != 0;
}

int client_free_registers(instr_t* instruction) {
  return REGISTERS - __builtin_popcount(client_live_registers(instruction) | STACK_POINTER);
}

void client_scratch_begin(struct client_scratch* scratch, void* context, instrlist_t* block,
                          instr_t* where, uint32_t kept) {
  *scratch = (struct client_scratch){.context = context,
                                     .block = block,
                                     .where = where,
                                     .live_at = where,
                                     .taken = kept | STACK_POINTER};
}

static void take(struct client_scratch* scratch, reg_id_t name) {
  if (client_live_registers(scratch->live_at) & bit_of(name)) {
    dr_save_reg(scratch->context, scratch->block, scratch->where, name,
                SPILL_SLOT_1 + scratch->saved_count);
    scratch->saved[scratch->saved_count++] = name;
  }
  scratch->taken |= bit_of(name);
}

void client_scratch_take_flags(struct client_scratch* scratch) {
  if (client_flags_are_live(scratch->live_at)) {
    take(scratch, DR_REG_RAX);
    dr_save_arith_flags_to_reg(scratch->context, scratch->block, scratch->where, DR_REG_RAX);
    scratch->flags_saved = 1;
  }
}

reg_id_t client_scratch_take(struct client_scratch* scratch) {
  const uint32_t possible = ALL_REGISTERS & ~scratch->taken;
  const uint32_t unused = possible & ~client_live_registers(scratch->live_at);
  const reg_id_t name = (reg_id_t)(DR_REG_RAX + __builtin_ctz(unused != 0 ? unused : possible));
  take(scratch, name);
  return name;
}

void client_scratch_end(struct client_scratch* scratch) {
  if (scratch->flags_saved) {
    dr_restore_arith_flags_from_reg(scratch->context, scratch->block, scratch->where, DR_REG_RAX);
  }
  while (scratch->saved_count > 0) {
    --scratch->saved_count;
    dr_restore_reg(scratch->context, scratch->block, scratch->where,
                   scratch->saved[scratch->saved_count], SPILL_SLOT_1 + scratch->saved_count);
  }
}
