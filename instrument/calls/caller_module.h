/* Files of the process: which one an address lies in, and which one defines a symbol. */
#ifndef RIDGE_INSTRUMENT_CALLS_CALLER_MODULE_H
#define RIDGE_INSTRUMENT_CALLS_CALLER_MODULE_H

#include <stdint.h>

enum { RIDGE_CALLER_PATH_BYTES = 4096 };

struct ridge_caller_module {
  char path[RIDGE_CALLER_PATH_BYTES]; /* of the program as the kernel has it */
  uint64_t file_offset;               /* of the address in that file */
};

/* False where the address lies in no file. */
int ridge_find_caller_module(const void* address, struct ridge_caller_module* found);

#endif
