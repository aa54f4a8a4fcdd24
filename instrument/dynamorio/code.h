/* The code that ran: mappings, and blocks of straight code by address and bytes. All calls under
 * the client's lock. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_CODE_H
#define RIDGE_INSTRUMENT_DYNAMORIO_CODE_H

#include <stdint.h>

#include "instrument/dynamorio/client.h"
#include "instrument/engine/record_writer.h"

struct client_mapping {
  uint64_t begin;
  uint64_t end;
  uint64_t file_offset; /* of `begin` */
  uint64_t path;        /* offset in the text of all paths */
  uint32_t path_bytes;  /* 0: no file */
  uint32_t plan_module; /* ENGINE_NO_MODULE: none */
  int gone;             /* something else may lie there now */
};

/* The mapping that holds this address: its number, or CLIENT_NONE without memory. It may move: look
 * it up when it is needed. */
uint32_t client_mapping_of(uint64_t address);
const struct client_mapping* client_mapping_at(uint32_t number);
/* Nothing between these addresses is as it was. */
void client_mappings_gone(uint64_t begin, uint64_t end);

/* Straight code as it is translated. */
struct client_stretch {
  uint64_t address;
  uint32_t mapping;
  uint32_t bytes;
  const unsigned char* code;
  uint32_t details;        /* more counters: */
  const uint32_t* offsets; /* of masked instructions in order, or CLIENT_TURNS */
};

/* The counter of its executions, which those of its details follow in order. The same code at the
 * same place has the same counters. CLIENT_NONE if there are no more. */
uint32_t client_block_counter(const struct client_stretch* stretch);

/* The chunks MAPPING and BLOCK. */
void client_write_code(struct engine_writer* writer);

#endif
