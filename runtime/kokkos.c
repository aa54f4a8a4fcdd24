/* A tool of Kokkos (KOKKOS_TOOLS_LIBS): kernels, regions, sections, deep copies and fences of the
 * program become markers of the same names. A library of its own, which Kokkos loads; it refers to
 * the runtime weakly and does nothing in a program without it. The functions are those of Kokkos'
 * profiling interface. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/ridge/marker.h"

#define EXPORTED __attribute__((visibility("default")))

enum { NAME_BYTES = 512, DEPTH_MAX = 64 };

/* As Kokkos has it. */
struct space_handle {
  char name[64];
};

/* ---- names by number: what Kokkos gives back at the end of a kernel ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char** names;
static uint64_t name_count;
static uint64_t* places; /* open addressing: 0 = free, else 1 + number */
static uint64_t place_count;

static uint64_t place_of(const char* name) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (const char* c = name; *c != '\0'; ++c) {
    hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
  }
  uint64_t place = hash % place_count;
  while (places[place] != 0 && strcmp(names[places[place] - 1], name) != 0) {
    place = (place + 1) % place_count;
  }
  return place;
}

/* Twice the room; false without memory. */
static int grow(void) {
  const uint64_t count = place_count != 0 ? 2 * place_count : 256;
  char** more_names = realloc(names, count / 2 * sizeof(*names));
  uint64_t* more_places = calloc(count, sizeof(*places));
  names = more_names != NULL ? more_names : names;
  if (more_names == NULL || more_places == NULL) {
    free(more_places);
    return 0;
  }
  free(places);
  places = more_places;
  place_count = count;
  for (uint64_t i = 0; i < name_count; ++i) {
    places[place_of(names[i])] = i + 1;
  }
  return 1;
}

static uint64_t add_name(const char* name) {
  const uint64_t place = place_of(name);
  if (places[place] == 0) {
    names[name_count] = strdup(name);
    if (names[name_count] == NULL) {
      return 0;
    }
    places[place] = ++name_count;
  }
  return places[place];
}

/* From 1 on; 0 without memory. */
static uint64_t number_of(const char* name) {
  pthread_mutex_lock(&lock);
  const int has_room = 2 * (name_count + 1) <= place_count || grow();
  const uint64_t number = has_room ? add_name(name) : 0;
  pthread_mutex_unlock(&lock);
  return number;
}

/* Null: nobody got this number. Names stay where they are. */
static const char* name_of(uint64_t number) {
  pthread_mutex_lock(&lock);
  const char* name = number != 0 && number <= name_count ? names[number - 1] : NULL;
  pthread_mutex_unlock(&lock);
  return name;
}

static uint64_t start(const char* name) {
  const uint64_t number = number_of(name != NULL && *name != '\0' ? name : "(without a name)");
  const char* kept = name_of(number);
  if (kept != NULL) {
    ridge_marker_start(kept);
  }
  return number;
}

static void stop(uint64_t number) {
  const char* name = name_of(number);
  if (name != NULL) {
    ridge_marker_stop(name);
  }
}

/* ---- what ends without a number ends in the reverse order, by thread ---- */

struct open_ones {
  uint64_t depth; /* may be more than have room */
  uint64_t numbers[DEPTH_MAX];
};
static __thread struct open_ones regions;
static __thread struct open_ones copies;

static void push(struct open_ones* open, const char* name) {
  if (open->depth < DEPTH_MAX) {
    open->numbers[open->depth] = start(name);
  }
  ++open->depth;
}

static void pop(struct open_ones* open) {
  if (open->depth != 0 && --open->depth < DEPTH_MAX) {
    stop(open->numbers[open->depth]);
  }
}

/* ---- the interface ---- */

EXPORTED void kokkosp_init_library(int load_sequence, uint64_t interface_version,
                                   uint32_t device_count, void* devices) {
  (void)load_sequence, (void)interface_version, (void)device_count, (void)devices;
}
EXPORTED void kokkosp_finalize_library(void) {}

EXPORTED void kokkosp_begin_parallel_for(const char* name, uint32_t device, uint64_t* kernel) {
  (void)device;
  *kernel = start(name);
}
EXPORTED void kokkosp_end_parallel_for(uint64_t kernel) {
  stop(kernel);
}
EXPORTED void kokkosp_begin_parallel_reduce(const char* name, uint32_t device, uint64_t* kernel) {
  (void)device;
  *kernel = start(name);
}
EXPORTED void kokkosp_end_parallel_reduce(uint64_t kernel) {
  stop(kernel);
}
EXPORTED void kokkosp_begin_parallel_scan(const char* name, uint32_t device, uint64_t* kernel) {
  (void)device;
  *kernel = start(name);
}
EXPORTED void kokkosp_end_parallel_scan(uint64_t kernel) {
  stop(kernel);
}
EXPORTED void kokkosp_begin_fence(const char* name, uint32_t device, uint64_t* fence) {
  (void)device;
  *fence = start(name);
}
EXPORTED void kokkosp_end_fence(uint64_t fence) {
  stop(fence);
}

EXPORTED void kokkosp_push_profile_region(const char* name) {
  push(&regions, name);
}
EXPORTED void kokkosp_pop_profile_region(void) {
  pop(&regions);
}

EXPORTED void kokkosp_create_profile_section(const char* name, uint32_t* section) {
  *section = (uint32_t)number_of(name);
}
EXPORTED void kokkosp_destroy_profile_section(uint32_t section) {
  (void)section;
}
EXPORTED void kokkosp_start_profile_section(uint32_t section) {
  const char* name = name_of(section);
  if (name != NULL) {
    ridge_marker_start(name);
  }
}
EXPORTED void kokkosp_stop_profile_section(uint32_t section) {
  stop(section);
}

EXPORTED void kokkosp_begin_deep_copy(struct space_handle to, const char* to_name,
                                      const void* to_data, struct space_handle from,
                                      const char* from_name, const void* from_data,
                                      uint64_t bytes) {
  char name[NAME_BYTES];
  (void)to, (void)to_data, (void)from, (void)from_data, (void)bytes;
  snprintf(name, sizeof(name), "deep copy of %s to %s", from_name, to_name);
  push(&copies, name);
}
EXPORTED void kokkosp_end_deep_copy(void) {
  pop(&copies);
}
