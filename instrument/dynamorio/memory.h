/* Memory and files of the client: from DynamoRIO, because a client has no C library of its own. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_MEMORY_H
#define RIDGE_INSTRUMENT_DYNAMORIO_MEMORY_H

#include <stdint.h>

#include "cachesim/page_table.h"

/* Zeroed, aligned to a page, and taken from the machine page by page as it is written; null where
 * there is none. */
void* client_allocate(uint64_t bytes);
void client_release(void* memory, uint64_t bytes);

/* The same for the engine core. */
extern const struct cachesim_memory client_memory;

/* A list that grows; items move when it does. */
struct client_list {
  void* items;
  uint64_t count;
  uint64_t capacity;
};

/* The first of `more` new zeroed items of `item_bytes` at the end; null without memory. */
void* client_list_add(struct client_list* list, uint64_t item_bytes, uint64_t more);
/* Back to an empty list, its memory given back. */
void client_list_clear(struct client_list* list, uint64_t item_bytes);

/* All of a file into memory of *capacity bytes, which the caller releases; null if it cannot be
 * read. *bytes is what it holds. Works for files of /proc, too. */
void* client_read_file(const char* path, uint64_t* bytes, uint64_t* capacity);

#endif
