/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See opcode.h. */
#include "instrument/valgrind_tool/opcode.h"

struct prefixes {
  UInt end;     /* index of what follows */
  Bool repeats; /* F2 or F3 */
};

static struct prefixes prefixes_of(const UChar* code, UInt bytes) {
  struct prefixes found = {0, False};
  for (; found.end < bytes; ++found.end) {
    switch (code[found.end]) {
      case 0xf2:
      case 0xf3:
        found.repeats = True;
        continue;
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67:
      case 0xf0:
        continue;
      default:
        break;
    }
    if ((code[found.end] & 0xf0) != 0x40) { /* REX */
      break;
    }
  }
  return found;
}

Bool ridge_is_repeated(const UChar* code, UInt bytes) {
  const struct prefixes prefixes = prefixes_of(code, bytes);
  if (!prefixes.repeats || prefixes.end >= bytes) {
    return False;
  }
  const UChar opcode = code[prefixes.end];
  return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
         (opcode >= 0xaa && opcode <= 0xaf);
}

/* The opcode in the map that begins with 0F; 0 if the instruction is of another one. */
static UChar second_opcode(const UChar* code, UInt bytes) {
  const UInt at = prefixes_of(code, bytes).end;
  if (at + 1 < bytes && code[at] == 0x0f) {
    return code[at + 1];
  }
  if (at + 2 < bytes && code[at] == 0xc5) {
    return code[at + 2];
  }
  if (at + 3 < bytes && code[at] == 0xc4 && (code[at + 1] & 0x1f) == 1) {
    return code[at + 3];
  }
  return 0;
}

Bool ridge_is_non_temporal(const UChar* code, UInt bytes) {
  switch (second_opcode(code, bytes)) {
    case 0x2b: /* movntps, movntpd, movntss, movntsd */
    case 0xc3: /* movnti */
    case 0xe7: /* movntq, movntdq */
    case 0xf7: /* maskmovq, maskmovdqu */
      return True;
    default:
      return False;
  }
}

Bool ridge_is_undefined(const UChar* code, UInt bytes) {
  const UChar opcode = bytes > 1 && code[0] == 0x0f ? code[1] : 0;
  return opcode == 0x0b || opcode == 0xb9 || opcode == 0xff;
}
