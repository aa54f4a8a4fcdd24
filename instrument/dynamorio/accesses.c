#include "instrument/dynamorio/accesses.h"

#include <string.h>

#include "instrument/dynamorio/masks.h"

static const char* name_of(instr_t* instruction) {
  return decode_opcode_name(instr_get_opcode(instruction));
}

static int has(const char* name, const char* part) {
  const size_t length = strlen(part);
  for (; *name; ++name) {
    size_t same = 0;
    while (same < length && name[same] == part[same]) {
      ++same;
    }
    if (same == length) {
      return 1;
    }
  }
  return 0;
}

/* Named by the bits vvvv of a VEX prefix: the mask of gathers and masked moves. */
static uint32_t middle_register(instr_t* instruction) {
  enum { VEX3 = 0xc4, VEX2 = 0xc5, SHIFT = 3, REGISTERS = 15 };
  if (!instr_raw_bits_valid(instruction)) {
    return 0;
  }
  const unsigned char* code = instr_get_raw_bits(instruction);
  while (*code != VEX3 && *code != VEX2) { /* prefixes of segment and address */
    ++code;
  }
  return ~(uint32_t)code[*code == VEX3 ? 2 : 1] >> SHIFT & REGISTERS;
}

static reg_id_t mask_vector(instr_t* instruction, reg_id_t like) {
  const reg_id_t first = reg_is_strictly_ymm(like) ? DR_REG_YMM0 : DR_REG_XMM0;
  return (reg_id_t)(first + middle_register(instruction));
}

/* Of pd, q: 8. */
static uint32_t data_bytes(const char* name) {
  const char last = name[strlen(name) - 1];
  const char before = name[strlen(name) - 2];
  return last == 'q' || (before == 'p' && last == 'd' && !has(name, "vp")) ? 8 : 4;
}

static void describe_indexed(instr_t* instruction, struct client_access* access) {
  const char* name = name_of(instruction);
  const uint32_t lanes = client_mask_lanes(instruction);
  access->index = opnd_get_index(access->operand);
  access->mask = client_mask_register(instruction);
  access->bytes = data_bytes(name);
  access->flags |= CLIENT_TRACE_SITE;
  access->site =
      (struct client_site){.kind = CLIENT_SITE_INDEXED,
                           .lanes = (uint8_t)lanes,
                           .index_bytes = has(name, "gatherq") || has(name, "scatterq") ? 8 : 4,
                           .scale = (uint8_t)opnd_get_scale(access->operand)};
  if (access->mask == DR_REG_NULL) { /* AVX2: as wide as the result */
    access->site.mask_bytes = (uint8_t)access->bytes;
    access->mask = mask_vector(instruction, lanes * access->bytes > 16 ? DR_REG_YMM0 : DR_REG_XMM0);
  }
}

/* vmaskmovps and the like; maskmovdqu. */
static int describe_masked_move(instr_t* instruction, struct client_access* access) {
  const char* name = name_of(instruction);
  if (!has(name, "maskmov") || has(name, "maskmovq")) {
    return 0;
  }
  const uint32_t all = access->bytes;
  const int by_bytes = has(name, "dqu");
  access->bytes = by_bytes ? 1 : data_bytes(name);
  access->mask = by_bytes ? opnd_get_reg(instr_get_src(instruction, 1))
                          : mask_vector(instruction, all > 16 ? DR_REG_YMM0 : DR_REG_XMM0);
  access->flags |= CLIENT_TRACE_SITE | (by_bytes ? RIDGE_TRACE_NON_TEMPORAL : 0);
  access->site = (struct client_site){.kind = CLIENT_SITE_MASKED,
                                      .lanes = (uint8_t)(all / access->bytes),
                                      .mask_bytes = (uint8_t)access->bytes};
  return 1;
}

static int is_broadcast(instr_t* instruction, const char* name) {
  enum { EVEX = 0x62, BROADCAST_BYTE = 3, BROADCAST = 0x10 };
  const unsigned char* code = instr_get_raw_bits(instruction);
  while (*code != EVEX) {
    ++code;
  }
  return (code[BROADCAST_BYTE] & BROADCAST) || has(name, "broadcast");
}

/* By a mask register. Whose lanes are not known is taken as a whole. */
static void describe_masked(instr_t* instruction, struct client_access* access) {
  const char* name = name_of(instruction);
  const uint32_t lanes = client_mask_lanes(instruction);
  const reg_id_t mask = client_mask_register(instruction);
  int scalar = 0;
  if (mask == DR_REG_NULL || lanes == 0) {
    return;
  }
  struct client_site site = {.kind = CLIENT_SITE_MASKED, .lanes = (uint8_t)lanes};
  uint32_t bytes = access->bytes / lanes;
  if (has(name, "compress") || has(name, "expand")) {
    site.kind = CLIENT_SITE_PACKED;
    bytes = client_element_bytes(name, &scalar);
  } else if (is_broadcast(instruction, name)) {
    site.kind = CLIENT_SITE_SHARED;
    bytes = access->bytes;
  } else if (bytes * lanes != access->bytes) {
    return;
  }
  access->site = site;
  access->bytes = bytes;
  access->mask = mask;
  access->flags |= CLIENT_TRACE_SITE;
}

static void describe(instr_t* instruction, struct client_access* access) {
  if (instr_is_rep_string_op(instruction)) {
    access->site = (struct client_site){.kind = CLIENT_SITE_REPEATED};
    access->flags |= CLIENT_TRACE_SITE;
  } else if (opnd_is_vsib(access->operand)) {
    describe_indexed(instruction, access);
  } else if (!describe_masked_move(instruction, access)) {
    describe_masked(instruction, access);
  }
}

/* Addresses that are no loads or stores. */
static int is_hint(instr_t* instruction) {
  switch (instr_get_opcode(instruction)) {
    case OP_clflush:
    case OP_clflushopt:
    case OP_clwb:
    case OP_cldemote:
      return 1;
    default:
      return instr_is_prefetch(instruction) || has(name_of(instruction), "pf0") ||
             has(name_of(instruction), "pf1");
  }
}

static uint32_t bytes_of(instr_t* instruction, opnd_t operand) {
  enum { SAVED_ALWAYS = 576 };
  if (instr_is_xsave(instruction)) { /* what there is of other parts is not looked at */
    return SAVED_ALWAYS;
  }
  return opnd_size_in_bytes(opnd_get_size(operand));
}

static int add(instr_t* instruction, struct client_access* access, opnd_t operand, uint32_t flags) {
  if (!opnd_is_memory_reference(operand)) {
    return 0;
  }
  *access = (struct client_access){.operand = operand,
                                   .bytes = bytes_of(instruction, operand),
                                   .flags = flags,
                                   .mask = DR_REG_NULL,
                                   .index = DR_REG_NULL};
  describe(instruction, access);
  return access->bytes > 0;
}

uint32_t client_accesses(instr_t* instruction, struct client_access* accesses) {
  uint32_t count = 0;
  if ((!instr_reads_memory(instruction) && !instr_writes_memory(instruction)) ||
      is_hint(instruction)) {
    return 0;
  }
  const uint32_t stores =
      RIDGE_TRACE_WRITE | (has(name_of(instruction), "movnt") ? RIDGE_TRACE_NON_TEMPORAL : 0);
  for (int i = 0; i < instr_num_srcs(instruction) && count < CLIENT_MOST_ACCESSES; ++i) {
    count += (uint32_t)add(instruction, &accesses[count], instr_get_src(instruction, i), 0);
  }
  for (int i = 0; i < instr_num_dsts(instruction) && count < CLIENT_MOST_ACCESSES; ++i) {
    count += (uint32_t)add(instruction, &accesses[count], instr_get_dst(instruction, i), stores);
  }
  return count;
}

uint32_t client_access_entries(const struct client_access* access) {
  return access->flags & CLIENT_TRACE_SITE ? client_site_entries(&access->site) : 1;
}
