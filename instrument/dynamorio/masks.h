/* Masked instructions of AVX-512, by their encoding and the name of their operation. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_MASKS_H
#define RIDGE_INSTRUMENT_DYNAMORIO_MASKS_H

#include <dr_api.h>
#include <stdint.h>

/* The mask register that chooses lanes: k1 to k7, or DR_REG_NULL if none does. */
reg_id_t client_mask_register(instr_t* instruction);

/* How many bits of it the instruction looks at, 1 to 64; 0: not known. */
uint32_t client_mask_lanes(instr_t* instruction);

/* Bytes of an element by the operation's name: that of which there are fewer where the operands
 * differ. 0: not known. *scalar: only the first lane is worked on. */
uint32_t client_element_bytes(const char* operation, int* scalar);

#endif
