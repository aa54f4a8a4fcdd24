/* The accesses to memory of an instruction, as they can be told from its code. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_ACCESSES_H
#define RIDGE_INSTRUMENT_DYNAMORIO_ACCESSES_H

#include <dr_api.h>
#include <stdint.h>

#include "instrument/dynamorio/site.h"

struct client_access {
  opnd_t operand;
  uint32_t bytes; /* of a lane or element, where it is a site */
  uint32_t flags; /* RIDGE_TRACE_WRITE, RIDGE_TRACE_NON_TEMPORAL, CLIENT_TRACE_SITE */
  struct client_site site;
  reg_id_t mask;  /* mask or vector register; DR_REG_NULL: none */
  reg_id_t index; /* vector register; DR_REG_NULL: none */
};

/* Loads come before stores. */
enum { CLIENT_MOST_ACCESSES = 8 };
uint32_t client_accesses(instr_t* instruction, struct client_access* accesses);

/* Entries of the raw trace that it takes. */
uint32_t client_access_entries(const struct client_access* access);

#endif
