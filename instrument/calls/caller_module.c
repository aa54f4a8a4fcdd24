#include "instrument/calls/caller_module.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instrument/calls/call_table.h"

struct wanted {
  uintptr_t address;
  struct ridge_caller_module* found;
};

static void set_path(char* path, const char* name) {
  path[0] = '\0';
  if (name[0] == '\0') { /* the program itself */
    const ssize_t length = readlink("/proc/self/exe", path, RIDGE_CALLER_PATH_BYTES - 1);
    path[length > 0 ? length : 0] = '\0';
    return;
  }
  strncat(path, name, RIDGE_CALLER_PATH_BYTES - 1);
}

static int look_at_object(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  const struct wanted* wanted = data;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && wanted->address >= begin &&
        wanted->address - begin < segment->p_memsz) {
      set_path(wanted->found->path, info->dlpi_name);
      wanted->found->file_offset = wanted->address - begin + segment->p_offset;
      return 1;
    }
  }
  return 0;
}

int ridge_find_caller_module(const void* address, struct ridge_caller_module* found) {
  struct wanted wanted = {(uintptr_t)address, found};
  return dl_iterate_phdr(look_at_object, &wanted) == 1;
}

/* ---- symbols behind ours ---- */

enum { MOST_OBJECTS = 4096 };

struct objects {
  const char* names[MOST_OBJECTS];
  int count;
};

static int remember_object(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct objects* objects = data;
  if (info->dlpi_name[0] != '\0' && objects->count < MOST_OBJECTS) {
    objects->names[objects->count++] = info->dlpi_name;
  }
  return 0;
}

/* True if the symbol lies in this library. */
static int is_own(const void* symbol) {
  Dl_info own;
  Dl_info other;
  return dladdr((const void*)&ridge_call_layer, &own) != 0 && dladdr(symbol, &other) != 0 &&
         own.dli_fbase == other.dli_fbase;
}

/* A library that was loaded with RTLD_LOCAL (a module of Python brings its MPI or BLAS along) is
 * not behind us in the list of those that all see, though what it loaded calls us. */
static void* find_in_local_libraries(const char* symbol) {
  struct objects* objects = calloc(1, sizeof(*objects));
  void* found = NULL;
  if (objects == NULL) {
    return NULL;
  }
  dl_iterate_phdr(remember_object, objects);
  for (int i = 0; i < objects->count && found == NULL; ++i) {
    void* library = dlopen(objects->names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) {
      found = dlsym(library, symbol);
      found = found != NULL && is_own(found) ? NULL : found;
      dlclose(library);
    }
  }
  free(objects);
  return found;
}

void* ridge_call_find(const char* symbol) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == NULL) {
    found = find_in_local_libraries(symbol);
    dlerror();
  }
  return found;
}

void* ridge_call_real(const char* symbol) {
  void* found = ridge_call_find(symbol);
  if (found == NULL) {
    const char* option = ridge_call_layer == RIDGE_LAYER_MPI ? "--mpi" : "--libraries";
    fprintf(
        stderr,
        "ridge: the program calls %s, which none of its libraries defines. It found the one that "
        "`ridge run %s` puts in front of them. Measure this program without %s.\n",
        symbol, option, option);
    abort();
  }
  return found;
}

__attribute__((visibility("default"))) void* ridge_behind_layer(const char* symbol) {
  return ridge_call_find(symbol);
}
