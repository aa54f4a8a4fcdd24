#include "instrument/dynamorio/memory.h"

#include <dr_api.h>
#include <stddef.h>
#include <string.h>

/* What the compiler calls for structures, and strlen. This file is compiled so that these loops do
 * not become calls of themselves. */
void* memcpy(void* restrict target, const void* restrict source, size_t bytes) {
  unsigned char* to = target;
  const unsigned char* from = source;
  for (size_t i = 0; i < bytes; ++i) {
    to[i] = from[i];
  }
  return target;
}

void* memset(void* target, int value, size_t bytes) {
  unsigned char* to = target;
  for (size_t i = 0; i < bytes; ++i) {
    to[i] = (unsigned char)value;
  }
  return target;
}

int memcmp(const void* left, const void* right, size_t bytes) {
  const unsigned char* a = left;
  const unsigned char* b = right;
  for (size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length]) {
    ++length;
  }
  return length;
}

void* client_allocate(uint64_t bytes) {
  return dr_raw_mem_alloc(bytes, DR_MEMPROT_READ | DR_MEMPROT_WRITE, NULL);
}

void client_release(void* memory, uint64_t bytes) {
  if (memory) {
    dr_raw_mem_free(memory, bytes);
  }
}

static void* allocate(void* context, uint64_t bytes) {
  (void)context;
  return client_allocate(bytes);
}

static void release(void* context, void* memory, uint64_t bytes) {
  (void)context;
  client_release(memory, bytes);
}

const struct cachesim_memory client_memory = {allocate, release, NULL};

void* client_list_add(struct client_list* list, uint64_t item_bytes, uint64_t more) {
  const uint64_t count = list->count + more;
  if (count > list->capacity) {
    uint64_t capacity = list->capacity ? list->capacity : 4096 / item_bytes + 1;
    while (capacity < count) {
      capacity *= 2;
    }
    void* items = client_allocate(capacity * item_bytes);
    if (!items) {
      return NULL;
    }
    memcpy(items, list->items, list->count * item_bytes);
    client_release(list->items, list->capacity * item_bytes);
    list->items = items;
    list->capacity = capacity;
  }
  void* added = (char*)list->items + list->count * item_bytes;
  list->count = count;
  return added;
}

void client_list_clear(struct client_list* list, uint64_t item_bytes) {
  client_release(list->items, list->capacity * item_bytes);
  *list = (struct client_list){0};
}

void* client_read_file(const char* path, uint64_t* bytes, uint64_t* capacity) {
  const file_t file = dr_open_file(path, DR_FILE_READ);
  if (file == INVALID_FILE) {
    return NULL;
  }
  enum { PIECE = 1 << 16 };
  struct client_list contents = {0};
  uint64_t used = 0;
  ssize_t got = 0;
  do {
    used += (uint64_t)got;
    contents.count = used;
    char* piece = client_list_add(&contents, 1, PIECE);
    got = piece ? dr_read_file(file, piece, PIECE) : -1;
  } while (got > 0);
  dr_close_file(file);
  if (got < 0) {
    client_list_clear(&contents, 1);
    return NULL;
  }
  *bytes = used;
  *capacity = contents.capacity;
  return contents.items;
}
