/* A growing hash table from a key (less than 2^64 - 1) to two 64-bit sets: one bit per line of a
 * page of 64 lines, or one per core. Open addressing with linear probing; entries are never
 * removed. */
#ifndef RIDGE_CACHESIM_PAGE_TABLE_H
#define RIDGE_CACHESIM_PAGE_TABLE_H

#include <stdint.h>

/* Where memory comes from. `allocate` returns zeroed memory aligned to 64 bytes, or null. */
struct cachesim_memory {
  void* (*allocate)(void* context, uint64_t bytes);
  void (*release)(void* context, void* memory, uint64_t bytes);
  void* context;
};

struct cachesim_page {
  uint64_t key_plus_1; /* 0 = the entry is free */
  uint64_t first;
  uint64_t second;
};

struct cachesim_page_table {
  struct cachesim_page* pages;
  uint64_t capacity; /* a power of two */
  uint64_t used;
};

enum { CACHESIM_PAGE_LINES = 64 };

/* False if there is no memory. */
int cachesim_page_table_init(struct cachesim_page_table* table,
                             const struct cachesim_memory* memory);
void cachesim_page_table_free(struct cachesim_page_table* table,
                              const struct cachesim_memory* memory);

/* The entry of `key`, or the free entry where it belongs. */
static inline struct cachesim_page* cachesim_page_find(const struct cachesim_page_table* table,
                                                       uint64_t key) {
  const uint64_t mask = table->capacity - 1;
  uint64_t hash = key * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
  for (uint64_t index = hash & mask;; index = (index + 1) & mask) {
    struct cachesim_page* page = &table->pages[index];
    if (page->key_plus_1 == key + 1 || page->key_plus_1 == 0) {
      return page;
    }
  }
}

/* The entry of `key`, a new one if there is none. Null if the table had to grow and there was no
 * memory. Entries move when the table grows: `pages` changes then. */
struct cachesim_page* cachesim_page_get(struct cachesim_page_table* table,
                                        const struct cachesim_memory* memory, uint64_t key);

#endif
