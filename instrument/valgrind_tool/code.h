/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code that was translated: mappings, blocks, the counters that belong to them. Nothing is ever
 * removed: a program that ends has run all of it. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_CODE_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_CODE_H

#include "instrument/valgrind_tool/tool.h"

#define RIDGE_NONE 0xffffffffu

struct ridge_mapping {
  Addr begin;
  Addr end;
  ULong file_offset;
  HChar* path; /* null: none */
  UInt module; /* of the plan */
};

struct ridge_block {
  Addr address;
  UInt mapping;
  UInt bytes;
  UInt leader; /* the block whose counter it shares, itself if none */
  UInt slot;   /* of the counter */
  UInt turns;  /* slot of the turns of a repeated string instruction, else RIDGE_NONE */
  UInt next;   /* with the same hash */
  const UChar* code;
};

/* An instruction that Valgrind does not know. */
struct ridge_unknown {
  Addr address;
  UInt mapping;
  UInt bytes;
  UChar code[16];
};

struct ridge_code {
  struct ridge_mapping* mappings;
  struct ridge_block* blocks;
  struct ridge_unknown* unknown;
  UInt mapping_count;
  UInt block_count;
  UInt unknown_count;
  UInt slot_count; /* counters of each thread */
  UInt ran_into;   /* index of the unknown instruction that ran last, or RIDGE_NONE */
};
extern struct ridge_code ridge_code;

/* The mapping that the byte lies in as things are now. */
UInt ridge_mapping_of(Addr address);
/* The block of these bytes, which are those in memory. `leader`: the block before it whose counter
 * it shares, else RIDGE_NONE. */
UInt ridge_block_of(Addr address, UInt bytes, UInt leader, Bool repeats);
UInt ridge_unknown_at(Addr address);

#endif
