#include "instrument/dynamorio/masks.h"

#include <string.h>

enum { EVEX = 0x62, EVEX_MASK_BYTE = 3, EVEX_MASK_BITS = 7 };

static int is_address_prefix(unsigned char byte) {
  static const unsigned char prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x67};
  for (uint32_t i = 0; i < sizeof prefixes; ++i) {
    if (byte == prefixes[i]) {
      return 1;
    }
  }
  return 0;
}

reg_id_t client_mask_register(instr_t* instruction) {
  if (!instr_raw_bits_valid(instruction)) {
    return DR_REG_NULL;
  }
  const unsigned char* code = instr_get_raw_bits(instruction);
  const unsigned char* end = code + instr_length(GLOBAL_DCONTEXT, instruction);
  while (code < end && is_address_prefix(*code)) {
    ++code;
  }
  if (end - code <= EVEX_MASK_BYTE || *code != EVEX) {
    return DR_REG_NULL;
  }
  const uint32_t mask = code[EVEX_MASK_BYTE] & EVEX_MASK_BITS;
  return mask != 0 ? (reg_id_t)(DR_REG_K0 + mask) : DR_REG_NULL;
}

static int starts_with(const char* text, const char* start) {
  for (; *start; ++start, ++text) {
    if (*text != *start) {
      return 0;
    }
  }
  return 1;
}

static int contains(const char* text, const char* part) {
  for (; *text; ++text) {
    if (starts_with(text, part)) {
      return 1;
    }
  }
  return 0;
}

static int ends_with(const char* text, const char* end) {
  const size_t length = strlen(text);
  const size_t part = strlen(end);
  return part <= length && memcmp(text + length - part, end, part) == 0;
}

/* 1, 2, 4 or 8 for b, w, d, q. */
static uint32_t letter_bytes(char letter) {
  switch (letter) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'd':
      return 4;
    case 'q':
      return 8;
    default:
      return 0;
  }
}

static uint32_t larger(uint32_t left, uint32_t right) {
  return left > right ? left : right;
}

static uint32_t of_conversion(const char* name, int* scalar) {
  if (starts_with(name, "cvtne2")) {
    return 0;
  }
  *scalar = contains(name, "ss") || contains(name, "sd") || contains(name, "sh");
  if (*scalar || contains(name, "pd") || contains(name, "qq")) {
    return 8;
  }
  if (contains(name, "ps") || contains(name, "dq")) {
    return 4;
  }
  return contains(name, "ph") || contains(name, "w") ? 2 : 0;
}

/* Those whose last letters are not the element's: names without the first v. */
static uint32_t special(const char* name) {
  static const struct {
    const char* start;
    uint32_t bytes;
  } table[] = {{"pdp", 4},         {"pmadd52", 8},    {"dpbf16", 4},    {"movddup", 8},
               {"movshdup", 4},    {"movsldup", 4},   {"palignr", 1},   {"pshufhw", 2},
               {"pshuflw", 2},     {"punpcklbw", 1},  {"punpckhbw", 1}, {"punpcklwd", 2},
               {"punpckhwd", 2},   {"punpckldq", 4},  {"punpckhdq", 4}, {"broadcastss", 4},
               {"broadcastsd", 8}, {"p2intersect", 0}};
  for (uint32_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
    if (starts_with(name, table[i].start)) {
      return table[i].bytes;
    }
  }
  return 0;
}

/* movdqu16, and extractf64x2 of whatever width. */
static uint32_t by_digits(const char* name) {
  if (starts_with(name, "movdq")) {
    const uint32_t narrow = ends_with(name, "16") ? 2 : 1;
    return ends_with(name, "64") ? 8 : ends_with(name, "32") ? 4 : narrow;
  }
  if (contains(name, "32x")) {
    return 4;
  }
  return contains(name, "64x") ? 8 : 0;
}

/* pmovzxbq, pmovqb, pgatherdq, gatherqps: the larger of both. */
static uint32_t of_two(const char* name) {
  const size_t length = strlen(name);
  const int packed = starts_with(name, "p");
  if (packed &&
      (starts_with(name, "pmov") || contains(name, "gather") || contains(name, "scatter"))) {
    return larger(letter_bytes(name[length - 1]), letter_bytes(name[length - 2]));
  }
  if (starts_with(name, "gather") || starts_with(name, "scatter")) {
    return larger(letter_bytes(name[length - 3]), ends_with(name, "pd") ? 8 : 4);
  }
  return 0;
}

static uint32_t by_end(const char* name, int* scalar) {
  *scalar = ends_with(name, "sd") || ends_with(name, "ss") || ends_with(name, "sh");
  if (starts_with(name, "p") || starts_with(name, "align") || starts_with(name, "gf2p8") ||
      starts_with(name, "dbpsad")) {
    const int of_floats = ends_with(name, "pd") || ends_with(name, "ps");
    *scalar = 0;
    if (!of_floats) {
      return letter_bytes(name[strlen(name) - 1]);
    }
  }
  if (*scalar) {
    return 8;
  }
  const uint32_t halves = ends_with(name, "ph") ? 2 : 0;
  return ends_with(name, "pd") ? 8 : ends_with(name, "ps") ? 4 : halves;
}

uint32_t client_element_bytes(const char* operation, int* scalar) {
  *scalar = 0;
  const char* name = operation;
  if (strlen(name) < 5 || *name++ != 'v' || contains(name, "gatherpf") ||
      contains(name, "scatterpf")) {
    return 0;
  }
  if (starts_with(name, "cvt")) {
    return of_conversion(name, scalar);
  }
  uint32_t bytes = special(name);
  bytes = bytes ? bytes : by_digits(name);
  bytes = bytes ? bytes : of_two(name);
  return bytes ? bytes : by_end(name, scalar);
}

static uint32_t register_bytes(reg_id_t name) {
  if (reg_is_strictly_zmm(name)) {
    return 64;
  }
  if (reg_is_strictly_ymm(name)) {
    return 32;
  }
  return reg_is_strictly_xmm(name) ? 16 : 0;
}

/* Of the widest vector register; of memory where there is none. */
static uint32_t vector_bytes(instr_t* instruction) {
  uint32_t registers = 0;
  uint32_t memory = 0;
  const int sources = instr_num_srcs(instruction);
  for (int i = 0; i < sources + instr_num_dsts(instruction); ++i) {
    const opnd_t operand =
        i < sources ? instr_get_src(instruction, i) : instr_get_dst(instruction, i - sources);
    for (int k = 0; k < opnd_num_regs_used(operand); ++k) {
      registers = larger(registers, register_bytes(opnd_get_reg_used(operand, k)));
    }
    if (opnd_is_memory_reference(operand)) {
      memory = larger(memory, opnd_size_in_bytes(opnd_get_size(operand)));
    }
  }
  return registers ? registers : memory;
}

uint32_t client_mask_lanes(instr_t* instruction) {
  const char* name = decode_opcode_name(instr_get_opcode(instruction));
  int scalar = 0;
  const uint32_t element = client_element_bytes(name, &scalar);
  if (scalar) {
    return 1;
  }
  uint32_t vector = vector_bytes(instruction);
  if (starts_with(name, "vextract")) { /* of the part: x2, x4 or x8 */
    vector = element * (uint32_t)(name[strlen(name) - 1] - '0');
  }
  const uint32_t lanes = element ? vector / element : 0;
  return lanes <= 64 ? lanes : 0;
}
