/* Which registers and flags of the program generated code may use at an instruction without saving
 * them: those that the program writes before it reads them again. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_LIVENESS_H
#define RIDGE_INSTRUMENT_DYNAMORIO_LIVENESS_H

#include <dr_api.h>
#include <stdint.h>

/* Fills in the notes of the program's instructions. Before anything is inserted. */
void client_find_live(instrlist_t* block);
/* The notes as DynamoRIO wants them back. */
void client_forget_live(instrlist_t* block);

/* One bit for each general register, by number from RAX; before this instruction, or all where
 * there is none. */
uint32_t client_live_registers(instr_t* instruction);
int client_flags_are_live(instr_t* instruction);
/* How many registers can be taken there without saving any. */
int client_free_registers(instr_t* instruction);

enum { CLIENT_SCRATCH_MOST = 5 };

/* Registers that generated code before an instruction takes, and gives back. At most
 * CLIENT_SCRATCH_MOST, that for the flags included. */
struct client_scratch {
  void* context;
  instrlist_t* block;
  instr_t* where;
  instr_t* live_at; /* the program's instruction that follows: whose registers and flags are kept */
  uint32_t taken;   /* or not to be taken: one bit for each */
  reg_id_t saved[CLIENT_SCRATCH_MOST];
  int saved_count;
  int flags_saved;
};

/* Before `where`, or at the end of the block if that is null. `kept`: registers (bits) that stay as
 * they are until client_scratch_end. */
void client_scratch_begin(struct client_scratch* scratch, void* context, instrlist_t* block,
                          instr_t* where, uint32_t kept);
/* Arithmetic flags may be changed from now on. Before any register is taken. */
void client_scratch_take_flags(struct client_scratch* scratch);
reg_id_t client_scratch_take(struct client_scratch* scratch);
void client_scratch_end(struct client_scratch* scratch);

/* Registers that the operand's address is computed from, one bit for each. */
uint32_t client_address_registers(opnd_t operand);

#endif
