/* Which library a callee comes from, as the dynamic linker would resolve it. */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "runtime/state.h"

/* One row per region of kind CALL. Callees that share a name share the look-up: `seen` is a table
 * with open addressing from the name's offset to the row that has the answer. */
struct names {
  const char** rows;
  uint32_t* seen_name;
  uint32_t* seen_row;
  uint64_t capacity;
  void* memory;
  uint64_t memory_bytes;
};

/* File of the object that an address lies in, or null; "" is the program itself. dladdr would look
 * through all symbols of the object each time: 0.2 s at the start of a program that uses a library
 * of 1000 files. */
const char* ridge_file_at(const void* address) {
  struct dl_find_object found;
  return _dl_find_object((void*)(uintptr_t)address, &found) == 0 ? found.dlfo_link_map->l_name
                                                                 : NULL;
}

const void* ridge_image_at(const void* address) {
  struct dl_find_object found;
  return _dl_find_object((void*)(uintptr_t)address, &found) == 0 ? found.dlfo_map_start : NULL;
}

/* True for files of Ridge: "/usr/lib/ridge/libridge_mpi.so". */
static int is_of_ridge(const char* file) {
  static const char start[] = "libridge_";
  const char* name = file;
  for (const char* at = file; *at != '\0'; ++at) {
    name = *at == '/' ? at + 1 : name;
  }
  for (uint64_t i = 0; start[i] != '\0'; ++i) {
    if (name[i] != start[i]) {
      return 0;
    }
  }
  return 1;
}

/* The file of what a layer of instrument/calls/ stands in front of: null where `file` is none. */
static const char* file_behind_layer(const char* file, const char* symbol) {
  void* layer = is_of_ridge(file) ? dlopen(file, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  const void* address = NULL;
  if (layer != NULL) {
    void* (*behind)(const char*);
    *(void**)&behind = dlsym(layer, "ridge_behind_layer");
    address = behind != NULL ? behind(symbol) : NULL;
    dlclose(layer);
  }
  return address != NULL ? ridge_file_at(address) : NULL;
}

static const char* library_of(const char* symbol, void* own_library) {
  void* address = dlsym(RTLD_DEFAULT, symbol);
  if (address == NULL && own_library != NULL) {
    address = dlsym(own_library, symbol);
  }
  const char* file = address != NULL ? ridge_file_at(address) : NULL;
  if (file != NULL && file == ridge_file_at(&ridge_runtime)) {
    address = dlsym(RTLD_NEXT, symbol); /* we stand in front of it */
    file = address != NULL ? ridge_file_at(address) : file;
  }
  const char* behind = file != NULL ? file_behind_layer(file, symbol) : NULL;
  file = behind != NULL ? behind : file;
  return file != NULL ? file : "";
}

static int make_names(struct names* names, uint64_t calls) {
  names->capacity = 16;
  while (names->capacity < 2 * calls) {
    names->capacity *= 2;
  }
  names->memory_bytes = calls * sizeof(char*) + 2 * names->capacity * sizeof(uint32_t);
  names->memory = ridge_map(names->memory_bytes);
  names->rows = names->memory;
  names->seen_name = (uint32_t*)(names->rows + calls);
  names->seen_row = names->seen_name + names->capacity;
  return names->memory != NULL;
}

/* Slot of `name` (an offset, never 0 for a call) in the table. */
static uint64_t place_of(const struct names* names, uint32_t name) {
  uint64_t slot = name * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (;; ++slot) {
    const uint32_t there = names->seen_name[slot & (names->capacity - 1)];
    if (there == 0 || there == name) {
      return slot & (names->capacity - 1);
    }
  }
}

static void resolve(struct names* names, const struct ridge_descriptor_header* header,
                    const char* strings, void* own_library) {
  const struct ridge_region_descriptor* regions =
      (const struct ridge_region_descriptor*)(header + 1);
  uint32_t row = 0;
  for (uint32_t i = 0; i < header->region_count; ++i) {
    const uint32_t name = regions[i].name;
    if (regions[i].kind != RIDGE_REGION_CALL) {
      continue;
    }
    names->rows[row] = "";
    if (name != 0 && name < header->string_bytes) {
      const uint64_t slot = place_of(names, name);
      if (names->seen_name[slot] == 0) {
        names->seen_name[slot] = name;
        names->seen_row[slot] = row;
        names->rows[row] = library_of(strings + name, own_library);
      } else {
        names->rows[row] = names->rows[names->seen_row[slot]];
      }
    }
    ++row;
  }
}

static uint64_t length_of(const char* text) {
  uint64_t length = 0;
  while (text[length] != '\0') {
    ++length;
  }
  return length;
}

static uint64_t store(const struct names* names, uint64_t calls, uint64_t* bytes) {
  uint64_t total = 0;
  for (uint64_t i = 0; i < calls; ++i) {
    total += length_of(names->rows[i]) + 1;
  }
  uint64_t offset = 0;
  char* text = ridge_allocate(total, total, 64, &offset);
  if (offset == 0) {
    return 0;
  }
  for (uint64_t i = 0; i < calls; ++i) {
    const uint64_t length = length_of(names->rows[i]) + 1;
    ridge_copy(text, names->rows[i], length);
    text += length;
  }
  *bytes = total;
  return offset;
}

uint64_t ridge_library_names(const struct ridge_module* module,
                             const struct ridge_descriptor_header* header, uint64_t* bytes) {
  const struct ridge_region_descriptor* regions =
      (const struct ridge_region_descriptor*)(header + 1);
  const char* strings = (const char*)header + header->total_bytes - header->string_bytes;
  uint64_t calls = 0;
  for (uint32_t i = 0; i < header->region_count; ++i) {
    calls += regions[i].kind == RIDGE_REGION_CALL;
  }
  struct names names;
  *bytes = 0;
  if (calls == 0 || !make_names(&names, calls)) {
    return 0;
  }
  /* A library loaded with RTLD_LOCAL sees what it was linked against; we would not. */
  const char* own = ridge_file_at(module);
  void* own_library = own != NULL && own[0] != '\0' ? dlopen(own, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  resolve(&names, header, strings, own_library);
  const uint64_t offset = store(&names, calls, bytes);
  if (own_library != NULL) {
    dlclose(own_library);
  }
  dlerror(); /* a failed look-up of ours is no news for the program */
  ridge_unmap(names.memory, names.memory_bytes);
  return offset;
}
