#include "cachesim/page_table.h"

enum { INITIAL_CAPACITY = 4096 };

static uint64_t bytes_of(uint64_t capacity) {
  return capacity * sizeof(struct cachesim_page);
}

int cachesim_page_table_init(struct cachesim_page_table* table,
                             const struct cachesim_memory* memory) {
  table->pages = memory->allocate(memory->context, bytes_of(INITIAL_CAPACITY));
  table->capacity = table->pages != 0 ? INITIAL_CAPACITY : 0;
  table->used = 0;
  return table->pages != 0;
}

void cachesim_page_table_free(struct cachesim_page_table* table,
                              const struct cachesim_memory* memory) {
  if (table->pages != 0) {
    memory->release(memory->context, table->pages, bytes_of(table->capacity));
  }
  table->pages = 0;
  table->capacity = 0;
}

static int grow(struct cachesim_page_table* table, const struct cachesim_memory* memory) {
  struct cachesim_page_table larger = {0, table->capacity * 2, table->used};
  larger.pages = memory->allocate(memory->context, bytes_of(larger.capacity));
  if (larger.pages == 0) {
    return 0;
  }
  for (uint64_t i = 0; i < table->capacity; ++i) {
    const struct cachesim_page* page = &table->pages[i];
    if (page->key_plus_1 != 0) {
      *cachesim_page_find(&larger, page->key_plus_1 - 1) = *page;
    }
  }
  cachesim_page_table_free(table, memory);
  *table = larger;
  return 1;
}

struct cachesim_page* cachesim_page_get(struct cachesim_page_table* table,
                                        const struct cachesim_memory* memory, uint64_t key) {
  struct cachesim_page* page = cachesim_page_find(table, key);
  if (page->key_plus_1 != 0) {
    return page;
  }
  if (table->used >= table->capacity / 8 * 5) {
    if (!grow(table, memory)) {
      return 0;
    }
    page = cachesim_page_find(table, key);
  }
  page->key_plus_1 = key + 1;
  ++table->used;
  return page;
}
