#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#include "runtime/state.h"

enum {
  PAGE_BYTES = 4096,
  HUGE_PAGE_BYTES = 1 << 21,
  POOL_BYTES = 1 << 18,
  MADV_POPULATE_WRITE_ = 23
};

uint64_t ridge_round_up(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/* Not memcpy: the program may have its own, and it may be instrumented. */
void ridge_copy(void* to, const void* from, uint64_t bytes) {
  unsigned char* target = to;
  const unsigned char* source = from;
  for (uint64_t i = 0; i < bytes; ++i) {
    target[i] = source[i];
  }
}

/* Our memory lies far from the program's, if the kernel can do it: between the program's mappings
 * it would move them, and how its arrays lie to each other in the sets of a cache would depend on
 * what is measured. */
static void* far_place(uint64_t bytes) {
  static uint64_t next = UINT64_C(1) << 45;
  return (void*)__atomic_fetch_add(&next, ridge_round_up(bytes, HUGE_PAGE_BYTES), __ATOMIC_RELAXED);
}

void* ridge_map(uint64_t bytes) {
  void* memory = mmap(far_place(bytes), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Large tables are walked at random: huge pages, where the system gives them, save TLB misses. */
void* ridge_map_large(uint64_t bytes) {
  if (bytes < HUGE_PAGE_BYTES) {
    return ridge_map(bytes);
  }
  bytes = ridge_round_up(bytes, HUGE_PAGE_BYTES);
  unsigned char* start = ridge_map(bytes + HUGE_PAGE_BYTES);
  if (start == NULL) {
    return NULL;
  }
  unsigned char* aligned = (unsigned char*)ridge_round_up((uint64_t)start, HUGE_PAGE_BYTES);
  unsigned char* end = aligned + bytes;
  if (aligned != start) {
    munmap(start, (uint64_t)(aligned - start));
  }
  munmap(end, (uint64_t)(start + bytes + HUGE_PAGE_BYTES - end));
  madvise(aligned, (uint64_t)(end - aligned), MADV_HUGEPAGE);
  return aligned;
}

void ridge_unmap(void* memory, uint64_t bytes) {
  munmap(memory, bytes);
}

void ridge_unmap_large(void* memory, uint64_t bytes) {
  munmap(memory, bytes < HUGE_PAGE_BYTES ? bytes : ridge_round_up(bytes, HUGE_PAGE_BYTES));
}

/* Callers hold register_lock or have the process to themselves. */
void* ridge_small(uint64_t bytes) {
  static unsigned char* pool;
  static uint64_t left;
  bytes = ridge_round_up(bytes, 64);
  if (bytes > POOL_BYTES / 4) {
    return ridge_map(bytes);
  }
  if (bytes > left) {
    pool = ridge_map(POOL_BYTES);
    left = pool != NULL ? POOL_BYTES : 0;
  }
  if (bytes > left) {
    return NULL;
  }
  void* piece = pool;
  pool += bytes;
  left -= bytes;
  return piece;
}

static void mark_full(void) {
  __atomic_store_n(&ridge_runtime.arena->full, 1, __ATOMIC_RELAXED);
  if (ridge_runtime.process != NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
  }
}

/* True if the range can be written from now on. */
static int populate_range(unsigned char* start, uint64_t bytes) {
  if (madvise(start, bytes, MADV_POPULATE_WRITE_) == 0) {
    return 1;
  }
  if (errno != EINVAL) {
    return 0;
  }
  /* Linux before 5.14 does not know the request. */
  for (uint64_t i = 0; i < bytes; i += PAGE_BYTES) {
    __atomic_fetch_or(start + i, 0, __ATOMIC_RELAXED);
  }
  return 1;
}

int ridge_populate(const void* start, uint64_t bytes) {
  const struct ridge_runtime* runtime = &ridge_runtime;
  const uint64_t address = (uint64_t)start;
  const uint64_t base = (uint64_t)runtime->arena;
  if (bytes == 0 || runtime->arena == NULL || address < base ||
      address >= base + runtime->arena_bytes) {
    return 1;
  }
  unsigned char* first = (unsigned char*)(address / PAGE_BYTES * PAGE_BYTES);
  const uint64_t length = ridge_round_up(address + bytes, PAGE_BYTES) - (uint64_t)first;
  if (populate_range(first, length)) {
    return 1;
  }
  mark_full();
  /* A later piece in one of the pages replaced below would look as if it were in the arena. */
  atomic_store(&ridge_runtime.arena_exhausted, 1);
  for (uint64_t i = 0; i < length; i += PAGE_BYTES) {
    if (!populate_range(first + i, PAGE_BYTES)) {
      mmap(first + i, PAGE_BYTES, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
  }
  return 0;
}

/* Offset of a piece of the arena, or 0. */
static uint64_t take_from_arena(uint64_t bytes, uint64_t alignment) {
  struct ridge_arena* arena = ridge_runtime.arena;
  uint64_t used = __atomic_load_n(&arena->used_bytes, __ATOMIC_RELAXED);
  for (;;) {
    const uint64_t begin = ridge_round_up(used, alignment);
    const uint64_t end = begin + ridge_round_up(bytes, 64);
    if (begin < sizeof(*arena) || begin > ridge_runtime.arena_bytes ||
        end - begin > ridge_runtime.arena_bytes - begin) {
      mark_full();
      return 0;
    }
    if (__atomic_compare_exchange_n(&arena->used_bytes, &used, end, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return begin;
    }
  }
}

void* ridge_allocate(uint64_t bytes, uint64_t used_bytes, uint64_t alignment, uint64_t* offset) {
  if (offset != NULL) {
    *offset = 0;
    const uint64_t found =
        ridge_runtime.arena != NULL && !atomic_load(&ridge_runtime.arena_exhausted)
            ? take_from_arena(bytes, alignment)
            : 0;
    unsigned char* piece = found != 0 ? (unsigned char*)ridge_runtime.arena + found : NULL;
    if (piece != NULL && ridge_populate(piece, used_bytes)) {
      *offset = found;
      return piece;
    }
  }
  return alignment > 64 || bytes > POOL_BYTES ? ridge_map(bytes) : ridge_small(bytes);
}
