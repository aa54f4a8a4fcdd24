/* A program asks by a weak reference whether it was linked with MPI or BLAS: `if (MPI_Barrier)`.
 * The layer defines all of them. Where nobody else does, the reference becomes what it is without
 * the layer: null. Libraries that are loaded later are not looked at. */
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "instrument/calls/call_table.h"

enum { MOST_OBJECTS = 4096, PAGE = 4096 };

struct object {
  uintptr_t base;
  const ElfW(Phdr) * segments;
  int count;
};

struct objects {
  struct object list[MOST_OBJECTS];
  int count;
};

static int remember_object(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct objects* objects = data;
  if (objects->count < MOST_OBJECTS) {
    const struct object found = {info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum};
    objects->list[objects->count++] = found;
  }
  return 0;
}

/* The segment of that kind that holds an address, or null. */
static const ElfW(Phdr) *
    segment_at(const struct object* object, ElfW(Word) type, uintptr_t address) {
  for (int i = 0; i < object->count; ++i) {
    const ElfW(Phdr)* segment = &object->segments[i];
    if (segment->p_type == type && address - (object->base + segment->p_vaddr) < segment->p_memsz) {
      return segment;
    }
  }
  return NULL;
}

struct tables {
  const ElfW(Sym) * symbols;
  const char* names;
  const ElfW(Rela) * references[2]; /* to data, to functions */
  uint64_t counts[2];
};

/* The C library may have made addresses of them. */
static uintptr_t address_of(const struct object* object, uintptr_t pointer) {
  return pointer < object->base ? object->base + pointer : pointer;
}

static void read_dynamic(const struct object* object, const ElfW(Dyn) * dynamic,
                         struct tables* tables) {
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    const uintptr_t address = address_of(object, dynamic->d_un.d_ptr);
    switch (dynamic->d_tag) {
      case DT_SYMTAB:
        tables->symbols = (const ElfW(Sym)*)address;
        break;
      case DT_STRTAB:
        tables->names = (const char*)address;
        break;
      case DT_RELA:
        tables->references[0] = (const ElfW(Rela)*)address;
        break;
      case DT_RELASZ:
        tables->counts[0] = dynamic->d_un.d_val / sizeof(ElfW(Rela));
        break;
      case DT_JMPREL:
        tables->references[1] = (const ElfW(Rela)*)address;
        break;
      case DT_PLTRELSZ:
        tables->counts[1] = dynamic->d_un.d_val / sizeof(ElfW(Rela));
        break;
      default:
        break;
    }
  }
}

/* Pages that the dynamic linker has closed again after its work are opened for ours. */
static void write_word(const struct object* object, uintptr_t* place, uintptr_t value) {
  const uintptr_t address = (uintptr_t)place;
  const ElfW(Phdr)* data = segment_at(object, PT_LOAD, address);
  if (data == NULL || (data->p_flags & PF_W) == 0) {
    return;
  }
  void* page = (void*)(address / PAGE * PAGE);
  const int is_closed = segment_at(object, PT_GNU_RELRO, address) != NULL;
  if (is_closed && mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0) {
    return;
  }
  *place = value;
  if (is_closed) {
    mprotect(page, PAGE, PROT_READ);
  }
}

static void look_at_reference(const struct object* object, const struct object* own,
                              const struct tables* tables, const ElfW(Rela) * reference) {
  const uint64_t type = ELF64_R_TYPE(reference->r_info);
  if (type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT && type != R_X86_64_64) {
    return;
  }
  const ElfW(Sym)* symbol = &tables->symbols[ELF64_R_SYM(reference->r_info)];
  if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) != STB_WEAK) {
    return;
  }
  const uintptr_t addend = type == R_X86_64_64 ? (uintptr_t)reference->r_addend : 0;
  uintptr_t* place = (uintptr_t*)(object->base + reference->r_offset);
  const char* name = tables->names + symbol->st_name;
  if (segment_at(own, PT_LOAD, *place - addend) != NULL && ridge_call_find(name) == NULL) {
    write_word(object, place, addend);
  }
}

static void look_at_object(const struct object* object, const struct object* own) {
  struct tables tables;
  memset(&tables, 0, sizeof(tables));
  for (int i = 0; i < object->count; ++i) {
    if (object->segments[i].p_type == PT_DYNAMIC) {
      const uintptr_t dynamic = object->base + object->segments[i].p_vaddr;
      read_dynamic(object, (const ElfW(Dyn)*)dynamic, &tables);
    }
  }
  for (int kind = 0; kind < 2 && tables.symbols != NULL && tables.names != NULL; ++kind) {
    for (uint64_t i = 0; tables.references[kind] != NULL && i < tables.counts[kind]; ++i) {
      look_at_reference(object, own, &tables, &tables.references[kind][i]);
    }
  }
}

__attribute__((constructor)) static void clear_references_to_nobody(void) {
  struct objects* objects = calloc(1, sizeof(*objects));
  if (objects == NULL) {
    return;
  }
  dl_iterate_phdr(remember_object, objects);
  const struct object* own = NULL;
  for (int i = 0; i < objects->count; ++i) {
    own = segment_at(&objects->list[i], PT_LOAD, (uintptr_t)&ridge_call_layer) != NULL
              ? &objects->list[i]
              : own;
  }
  for (int i = 0; i < objects->count && own != NULL; ++i) {
    if (&objects->list[i] != own) {
      look_at_object(&objects->list[i], own);
    }
  }
  free(objects);
}
