/* The record of this process. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_RECORD_H
#define RIDGE_INSTRUMENT_DYNAMORIO_RECORD_H

#include "instrument/dynamorio/client.h"

/* Writes it into a new file PREFIX.PID.N, whose path is in client.path; that is empty if none could
 * be made. In the child of a vfork: what that did. Under the client's lock. */
void client_write_record(void);

/* An instruction that cannot be decoded ended the process, so far as is known; null: none did. */
void client_note_unknown(const unsigned char* instruction);

#endif
